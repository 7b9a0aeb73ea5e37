"""What must be in "Mamba Chat.app" besides its code, and what must not be."""

from __future__ import annotations

import filecmp
import plistlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.parsers.expat import ExpatError

import plist

ROOT = Path(__file__).resolve().parent.parent
INFO = "Contents/Info.plist"
RESOURCES = "Contents/Resources"
LICENCES = f"{RESOURCES}/licences"
DATA = {"metal": f"{RESOURCES}/engine/metal", "resources": f"{RESOURCES}/app/resources"}
HIDING = ("LSUIElement", "LSBackgroundOnly")  # such an app has no window in the Dock
LICENSED = ("Python", "PySide6", "mlx", "tokenizers", "huggingface_hub")
QT = {"QtCore", "QtGui", "QtWidgets", "QtSvg", "QtDBus"}  # Qt's Gui is linked to its DBus
STRANGERS = {
    "__pycache__", "include", "ipython", "matplotlib", "numpy", "pandas", "pil", "pip",
    "pyinstaller", "pytest", "scipy", "setuptools", "test", "tests", "tkinter", "torch",
}  # fmt: skip
SOURCES = (".pyi", ".h", ".hpp", ".cmake")


def version() -> str:
    """The version of the checkout."""
    text = (ROOT / "engine" / "__init__.py").read_text("utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def description(app: Path) -> Iterator[str]:
    """What the system is told of the app."""
    try:
        found = plistlib.loads((app / INFO).read_bytes())
    except (OSError, ValueError, ExpatError) as error:
        yield f"{INFO}: expected a property list, found {error}"
        return
    expected = {
        **plist.info_plist(version()),
        "CFBundleExecutable": plist.EXE_NAME,
        "CFBundleIdentifier": plist.BUNDLE_ID,
        "CFBundlePackageType": "APPL",
    }
    for key, value in expected.items():
        if repr(found.get(key)) != repr(value):  # 1 is not True, nor 14.0 "14.0"
            yield f"{INFO}: expected {key} to be {value!r}, found {found.get(key)!r}"
    icon = found.get("CFBundleIconFile")
    if not icon or not (app / RESOURCES / str(icon)).is_file():
        yield f"{INFO}: expected CFBundleIconFile in {RESOURCES}, found {icon!r}"
    for key in HIDING:
        if key in found:
            yield f"{INFO}: expected no {key}, found {found[key]!r}"


def data(app: Path) -> Iterator[str]:
    """Files of the checkout that are not in the app, or differ in it."""
    for folder, place in DATA.items():
        for file in sorted((ROOT / folder).rglob("*")):
            if not file.is_file() or file.name.startswith("."):  # tools' own files
                continue
            there = f"{place}/{file.relative_to(ROOT / folder).as_posix()}"
            if not (app / there).is_file():
                yield f"{there}: expected a file of the checkout's {folder}/, found none"
            elif not filecmp.cmp(file, app / there, shallow=False):
                yield f"{there}: expected what the checkout's {folder}/ has, found something else"


def licences(app: Path) -> Iterator[str]:
    """Whether the licences of what is bundled are there: a folder for each, or a line."""
    folder = app / LICENCES
    if not folder.is_dir():
        yield f"{LICENCES}: expected the licences, found none"
        return
    names = [each.name for each in folder.iterdir() if each.is_dir() and any(each.iterdir())]
    for text in folder.glob("*.txt"):
        names += text.read_text("utf-8").splitlines()
    for wanted in LICENSED:
        name = re.compile(rf"{wanted}(_essentials)?([- ]\d.*)?", re.IGNORECASE)
        if not any(name.fullmatch(each) for each in names):
            yield f"{LICENCES}: expected the licence of {wanted}, found none"


def strangers(places: Iterable[str]) -> Iterator[str]:
    """What was bundled though nothing uses it; of a folder only the folder."""
    told: set[str] = set()
    for place in places:
        if place.startswith((f"{LICENCES}/", f"{DATA['metal']}/")):  # named so, and meant
            continue
        parts = place.split("/")
        for number, part in enumerate(parts, 1):
            if _is_strange(part) and (top := "/".join(parts[:number])) not in told:
                told.add(top)
                yield f"{top}: expected nothing that the app does not use, found this"
                break


def _is_strange(name: str) -> bool:
    start = name.partition(".")[0].partition("-")[0]
    qt = re.fullmatch(r"Qt[A-Z]\w*", start)
    return start.lower() in STRANGERS or name.endswith(SOURCES) or bool(qt and start not in QT)
