"""The licences that the frozen app passes on: of what is really in it, as files in `licences/`."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FOLDER = "licences"
OURS = "mamba-chat"
# In every frozen program, though none of its modules has a name of PyInstaller's.
BOOTLOADER = "pyinstaller"
QT = ("pyside6-essentials", "shiboken6")
NOTICES = ("licence", "license", "copying", "notice", "authors")
DATA = "DATA"
Entry = tuple[str, str, str]  # as PyInstaller has them: the target, the source, the kind


def entries(modules: Iterable[Entry], files: Iterable[Entry], work: Path) -> list[Entry]:
    """What to add to the app's data, for the `modules` and the `files` that are in it. Files that
    have to be written first are put into `work`."""
    packed = [*files]
    inside = bundled([name for name, *_ in modules], [target for target, *_ in packed])
    found = [entry for each in inside for entry in _texts(each)]
    known = {target.split("/")[1] for target, *_ in found}
    others = [each for each in inside if _folder(each) not in known]
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if python.is_file():
        found.append((f"{FOLDER}/Python/LICENSE.txt", str(python), DATA))
    found.append((f"{FOLDER}/Mamba Chat/LICENSE", str(ROOT / "LICENSE"), DATA))
    for file in sorted((HERE / "licence-texts").iterdir()):
        found.append((f"{FOLDER}/Qt/{file.name}", str(file), DATA))
    versions = "".join(f"{d.name} {d.version}\n" for d in inside if _key(d) in QT)
    for name, text in {"Qt/VERSIONS.txt": versions, "OTHERS.txt": _others(others, packed)}.items():
        file = work / Path(name).name
        file.write_text(text, "utf-8")
        found.append((f"{FOLDER}/{name}", str(file), DATA))
    return found


def bundled(modules: Iterable[str], targets: Iterable[str]) -> list[Distribution]:
    """The distributions of which a module or a file is in the app, ours aside."""
    tops = {name.partition(".")[0] for name in modules}
    tops |= {Path(target).parts[0].partition(".")[0] for target in targets}
    owners = packages_distributions()
    names = {name for top in tops for name in owners.get(top, ())} | {BOOTLOADER}
    found = {_key(each): each for each in map(distribution, names)}
    return [found[key] for key in sorted(found) if key != OURS]


def home_page(each: Distribution) -> str:
    """Where a distribution lives."""
    pages = dict(_page(text) for text in each.metadata.get_all("Project-URL") or [])
    for label in ("homepage", "home", "repository", "source", "source code"):
        if label in pages:
            return pages[label]
    return each.metadata["Home-page"] or next(iter(pages.values()), "")


def licence_name(each: Distribution) -> str:
    """What a distribution says its licence is."""
    about = each.metadata
    classifiers = about.get_all("Classifier") or []
    named = [c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License ::")]
    written = about["License-Expression"] or about["License"] or ""
    return written.partition("\n")[0] or ", ".join(named) or "not stated"


def _texts(each: Distribution) -> Iterator[Entry]:
    """The licences and notices of a distribution, by their places in its metadata."""
    for file in each.files or ():
        parts = file.parts
        if not parts[0].endswith(".dist-info"):
            continue
        if any(word in file.name.lower() for word in NOTICES):
            inner = parts[2:] if parts[1] == "licenses" else parts[1:]
            target = "/".join((FOLDER, _folder(each), *inner))
            yield target, str(each.locate_file(file)), DATA


def _others(silent: list[Distribution], files: Iterable[Entry]) -> str:
    lines = ["In Mamba Chat too, from wheels that hold no text of their licence:", ""]
    for each in silent:
        lines.append(f"{each.name} {each.version}: {licence_name(each)}, {home_page(each)}")
    if libraries := _of_the_system(files):
        lines += ["", "And these libraries of the system on which the app was built:", ""]
        lines += libraries
    return "\n".join(lines) + "\n"


def _of_the_system(files: Iterable[Entry]) -> list[str]:
    """The libraries that came with neither a wheel nor Python's own modules."""
    site = Path(sysconfig.get_path("purelib")).parent.parent.parent.resolve()
    stdlib = Path(sysconfig.get_path("stdlib")).resolve()
    places = (site, stdlib)
    return sorted(
        Path(target).name
        for target, source, kind in files
        if kind == "BINARY"
        and not Path(target).name.startswith(("libpython", "Python"))
        and not any(Path(source).resolve().is_relative_to(p) for p in places)
    )


def _folder(each: Distribution) -> str:
    return f"{each.name}-{each.version}"


def _key(each: Distribution) -> str:
    return each.name.lower().replace("_", "-").replace(".", "-")


def _page(text: str) -> tuple[str, str]:
    label, _, page = text.partition(",")
    return label.strip().lower(), page.strip()
