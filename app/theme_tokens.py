"""The values of the look: colours in light and dark, type roles, zoom steps. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scheme = Literal["light", "dark", "system"]

LIGHT: dict[str, str] = {
    "content": "#FFFFFF",
    "sidebar": "#F3F4F4",
    "strip": "#F8F9F9",
    "code": "#F6F7F7",
    "fill": "#F0F2F2",
    "hover": "#E7EAEA",
    "pressed": "#DCE0E0",
    "raised": "#FFFFFF",
    "raisedHover": "#F4F6F6",
    "raisedPressed": "#E3E7E7",
    "tint": "#DFEFED",
    "line": "#E4E7E7",
    "edge": "#CDD2D3",
    "track": "#E2E6E6",
    "text": "#1A1C1D",
    "text2": "#525A5D",
    "text3": "#5B6366",
    "disabled": "#A9AFB1",
    "accent": "#0A6C64",
    "accentHover": "#085A53",
    "accentPressed": "#064A44",
    "onAccent": "#FFFFFF",
    "warn": "#845400",
    "warnMark": "#BD8010",
    "error": "#B3261E",
    "errorMark": "#D0453B",
    "string": "#8A4B12",
    "size1": "#4C938B",
    "size2": "#1F7F76",
    "size3": "#074842",
    "size4": "#04302C",
    "size5": "#021A18",
    "other": "#7B8386",
    "ring": "#0A6C64",
}

DARK: dict[str, str] = {
    "content": "#191B1C",
    "sidebar": "#212425",
    "strip": "#1E2122",
    "code": "#212425",
    "fill": "#272B2C",
    "hover": "#2E3334",
    "pressed": "#383E40",
    "raised": "#3A4041",
    "raisedHover": "#454C4D",
    "raisedPressed": "#2F3536",
    "tint": "#1D3F3B",
    "line": "#2E3233",
    "edge": "#474E50",
    "track": "#343A3B",
    "text": "#ECEEEE",
    "text2": "#B2B9BB",
    "text3": "#A6ADB0",
    "disabled": "#666D6F",
    "accent": "#54C4B6",
    "accentHover": "#6BD1C4",
    "accentPressed": "#3FB0A2",
    "onAccent": "#04211E",
    "warn": "#E5AE4B",
    "warnMark": "#E5AE4B",
    "error": "#FF8A80",
    "errorMark": "#F2685D",
    "string": "#E0A878",
    "size1": "#2F7D74",
    "size2": "#3FA99C",
    "size3": "#8FE3D8",
    "size4": "#B9F1E9",
    "size5": "#E2FBF8",
    "other": "#868E91",
    "ring": "#54C4B6",
}

# With Increase Contrast each of these takes the colour of the next stronger one.
STRONGER: dict[str, str] = {"line": "edge", "edge": "text3", "text3": "text2"}


@dataclass(frozen=True, slots=True)
class Role:
    """A role of type: size and line in pixels at zoom 1, weight, and whether figures align."""

    px: float
    line: int
    weight: int = 400
    tnum: bool = False


ROLES: dict[str, Role] = {
    "figure": Role(27, 30, 400, True),
    "headline": Role(22, 28, 600),
    "body": Role(14, 21),
    "value": Role(15, 20, 500, True),
    "interface": Role(13, 18),
    "label": Role(11.5, 16, 400, True),
    "small": Role(11, 14, 400, True),
    "tick": Role(10, 12, 400, True),
    "code": Role(12, 18),
    "button": Role(12.5, 16, 500),
}

ZOOMS: tuple[float, ...] = (0.85, 1.0, 1.15, 1.3, 1.5)

TEXT_FAMILIES = ["Inter", "Noto Sans", "Noto Sans CJK JP"]
CODE_FAMILIES = ["JetBrains Mono", "DejaVu Sans Mono", "Noto Sans Mono CJK JP"]
MAC_CODE_FAMILIES = ["SF Mono", "Menlo"]


def tokens(dark: bool, *, stronger: bool = False) -> dict[str, str]:
    """Name to #RRGGBB; `stronger` is the system's Increase Contrast."""
    plain = DARK if dark else LIGHT
    if not stronger:
        return dict(plain)
    return {name: plain[STRONGER.get(name, name)] for name in plain}
