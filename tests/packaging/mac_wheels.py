"""The wheels that the Mac app is made of, as pip would take them for the oldest macOS."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import mach_o
import plist
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "3.12"
FLOOR = mach_o.version(plist.MINIMUM_MACOS)
PLATFORM = f"macosx_{FLOOR[0]}_{FLOOR[1]}_arm64"
MAC = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "arm64",
    "platform_python_implementation": "CPython",
    "platform_system": "Darwin",
    "python_full_version": f"{PYTHON}.0",
    "python_version": PYTHON,
    "sys_platform": "darwin",
}
ANY = "idna"  # small and for every machine: an index that has it not is none that answers


@dataclass
class Wheel:
    """What is in a wheel: the sizes of its files, what its code says, its first bytes of others."""

    pure: bool
    sizes: dict[str, int] = field(default_factory=dict)
    code: dict[str, list[mach_o.Slice]] = field(default_factory=dict)
    metallibs: dict[str, mach_o.Version | None] = field(default_factory=dict)

    def bytes_of(self, file: str) -> int:
        """The size of a file in the app, which keeps the code for arm64 alone."""
        if file not in self.code:
            return self.sizes[file]
        return sum(each.size for each in self.code[file] if each.processor == "arm64")


def needed(machine: Mapping[str, str] = MAC) -> list[str]:
    """The distributions that the app needs on a machine, and the one that is its bootloader."""
    found = {"pyinstaller"}
    _add("mamba-chat", machine, found)
    return sorted(found)


def _add(name: str, machine: Mapping[str, str], found: set[str]) -> None:
    try:
        texts = requires(name) or []
    except PackageNotFoundError:  # mlx-metal, of which nothing else follows
        return
    for needs in map(Requirement, texts):
        key = canonicalize_name(needs.name)
        if key not in found and (needs.marker is None or needs.marker.evaluate({**machine})):
            found.add(key)
            _add(key, machine, found)


def pins() -> dict[str, str]:
    """constraints.txt: name to version."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): exact for name, exact in pairs}


def fetched(names: Iterable[str]) -> dict[str, Path]:
    """The wheels by their distributions, from the cache or else from the package index."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cache, exact = Path(base) / "mamba-chat-tests" / PLATFORM, pins()
    places = {name: cache / f"{name}-{exact[name]}" for name in names}
    missing = [name for name, place in places.items() if not any(place.glob("*.whl"))]
    if missing:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            _download([f"{name}=={exact[name]}" for name in missing], Path(work))
            for wheel in Path(work).glob("*.whl"):
                place = places[canonicalize_name(wheel.name.partition("-")[0])]
                place.mkdir(exist_ok=True)
                wheel.replace(place / wheel.name)
    return {name: next(place.glob("*.whl")) for name, place in places.items()}


def _download(wanted: list[str], folder: Path) -> None:
    done = _pip(wanted, folder)
    if done.returncode and _pip([f"{ANY}=={pins()[ANY]}"], folder).returncode:
        pytest.skip("the package index cannot be reached, from which the Mac's wheels would come")
    assert done.returncode == 0, done.stderr[-2000:]


def _pip(wanted: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary=:all:", "--platform", PLATFORM, "--python-version", PYTHON]
    command += ["--retries", "1", "--timeout", "10", "--dest", str(folder), *wanted]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read(file: Path) -> Wheel:
    """Look into a wheel."""
    wheel = Wheel(file.name.endswith("-any.whl"))
    with zipfile.ZipFile(file) as archive, tempfile.TemporaryDirectory() as work:
        for name in _files(archive):
            wheel.sizes[name] = archive.getinfo(name).file_size
            with archive.open(name) as stream:
                start = stream.read(4)
            if start in mach_o.STARTS:
                path = Path(archive.extract(name, work))
                wheel.code[name] = mach_o.slices(path)
                path.unlink()
            elif start == b"MTLB":
                path = Path(work, "metallib")
                with archive.open(name) as stream:
                    path.write_bytes(stream.read(16))
                wheel.metallibs[name] = mach_o.metallib_target(path)
    return wheel


def _files(archive: zipfile.ZipFile) -> Iterator[str]:
    return (each.filename for each in archive.infolist() if not each.is_dir())
