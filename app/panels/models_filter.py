"""Which of the library's rows are shown: those that match a text and are of a kind. No Qt."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from app.library_rows import LibraryRows, ModelRow

Show = Literal["all", "fits", "chat", "base"]


def filtered(rows: LibraryRows, text: str, show: Show) -> LibraryRows:
    """The rows whose name or note holds `text` in any case, and of models those of the kind."""
    wanted = text.strip().casefold()

    def kept(models: tuple[ModelRow, ...]) -> tuple[ModelRow, ...]:
        return tuple(
            row for row in models if _matches(wanted, row.name, row.note) and _is(row, show)
        )

    downloads = tuple(row for row in rows.downloads if _matches(wanted, row.name, row.owner))
    return replace(
        rows,
        downloads=downloads,
        installed=kept(rows.installed),
        catalogue=kept(rows.catalogue),
        found=kept(rows.found),
    )


def _matches(wanted: str, *texts: str) -> bool:
    return any(wanted in text.casefold() for text in texts)


def _is(row: ModelRow, show: Show) -> bool:
    if show == "fits":
        return row.fit == "fits"
    return show == "all" or row.chat == (show == "chat")
