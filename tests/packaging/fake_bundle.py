"""A small "Mamba Chat.app", as PyInstaller would lay it out, with files that only have headers."""

from __future__ import annotations

import os
import plistlib
import shutil
import struct
from pathlib import Path

import plist

ROOT = Path(__file__).resolve().parents[2]
ARM64, X86_64 = (0x0100000C, 0), (0x01000007, 3)
LIBRARY, PROGRAM = 6, 2  # kinds of Mach-O
SIGNATURE = b"\xfa\xde\x0c\xc0" + bytes(12)
SYSTEM = "/usr/lib/libSystem.B.dylib"
LICENSED = ("Python", "mlx-0.32.4", "tokenizers-0.23.3", "huggingface_hub-2.4.0")


def mach_o(
    *loads: str,
    rpaths: tuple[str, ...] = ("@loader_path",),
    name: str | None = None,
    minimum: tuple[int, int] = (14, 0),
    processor: tuple[int, int] = ARM64,
    signed: bool = True,
    old: bool = False,
    platform: int = 1,
) -> bytes:
    """Code for one processor: a header, its commands, a signature, nothing to run."""
    oldest = minimum[0] << 16 | minimum[1] << 8
    commands = [struct.pack("<6I", 0x32, 24, platform, oldest, oldest, 0)]
    if old:
        commands = [struct.pack("<4I", 0x24, 16, oldest, oldest)]
    commands += [_text(0xC, struct.pack("<4I", 24, 0, 0, 0), path) for path in (SYSTEM, *loads)]
    commands += [_text(0x8000001C, struct.pack("<I", 12), path) for path in rpaths]
    if name:
        commands.append(_text(0xD, struct.pack("<4I", 24, 0, 0, 0), name))
    size = 32 + sum(map(len, commands)) + 16 * signed
    if signed:
        commands.append(struct.pack("<4I", 0x1D, 16, size, len(SIGNATURE)))
    kind = LIBRARY if name else PROGRAM
    head = (0xFEEDFACF, *processor, kind, len(commands), size - 32, 0, 0)
    return struct.pack("<8I", *head) + b"".join(commands) + SIGNATURE * signed


def universal(*slices: bytes) -> bytes:
    """One file with the code for several processors."""
    head, body, at = struct.pack(">2I", 0xCAFEBABE, len(slices)), b"", 4096
    for code in slices:
        processor = struct.unpack("<2I", code[4:12])
        head += struct.pack(">5I", *processor, at + len(body), len(code), 0)
        body += code
    return head.ljust(at, b"\0") + body


def metallib(major: int = 14, minor: int = 0, system: int = 0x81) -> bytes:
    """The start of a Metal library."""
    return struct.pack("<4s3HBBHH", b"MTLB", 0x8001, 2, 7, 0, system, major, minor) + bytes(16)


def _text(command: int, fixed: bytes, path: str) -> bytes:
    data = fixed + path.encode() + b"\0"
    data = data.ljust(-(-len(data) // 8) * 8, b"\0")
    return struct.pack("<2I", command, 8 + len(data)) + data


def write(path: Path, content: bytes) -> None:
    """A file, also in the place of another, which may be shared with a copy of the app."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    if content[:4] == mach_o()[:4]:
        path.chmod(0o755)


def link(path: Path, target: str) -> None:
    """A link, also in the place of something else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def copy(app: Path, place: Path) -> Path:
    """The app again, with its files shared."""
    return Path(shutil.copytree(app, place / app.name, symlinks=True, copy_function=os.link))


def describe(app: Path, version: str) -> None:
    """The Info.plist, with what PyInstaller writes by itself."""
    values = {
        **plist.info_plist(version),
        "CFBundleDisplayName": plist.APP_NAME,
        "CFBundleExecutable": plist.EXE_NAME,
        "CFBundleIdentifier": plist.BUNDLE_ID,
        "CFBundleIconFile": "icon.icns",
        "CFBundlePackageType": "APPL",
    }
    write(app / "Contents" / "Info.plist", plistlib.dumps(values))
    write(app / "Contents" / "Resources" / "icon.icns", b"icns")


def build(place: Path, version: str) -> Path:
    """A valid app in a folder."""
    app = place / f"{plist.APP_NAME}.app"
    resources, frameworks = app / "Contents" / "Resources", app / "Contents" / "Frameworks"
    describe(app, version)
    write(app / "Contents" / "MacOS" / plist.EXE_NAME, mach_o(rpaths=()))
    _mlx(frameworks, resources)
    _frameworks(frameworks)
    for folder, there in (("metal", "engine/metal"), ("resources", "app/resources")):
        shutil.copytree(ROOT / folder, resources / there)
    for name in LICENSED:
        write(resources / "licences" / name / "LICENSE", b"Do as you like.")
    write(resources / "licences" / "OTHERS.txt", b"PySide6_Essentials 6.9.3: LGPL\n")
    return app


def _mlx(frameworks: Path, resources: Path) -> None:
    core = mach_o("@rpath/libmlx.dylib", rpaths=("@loader_path/..",))
    write(frameworks / "mlx" / "core.cpython-312-darwin.so", core)
    library = mach_o(name="@rpath/libmlx.dylib", rpaths=("@loader_path/../..",))
    write(frameworks / "mlx" / "lib" / "libmlx.dylib", library)
    write(resources / "mlx" / "lib" / "mlx.metallib", metallib())
    link(frameworks / "mlx" / "lib" / "mlx.metallib", "../../../Resources/mlx/lib/mlx.metallib")
    for folder in (frameworks, resources):
        link(folder / "mlx.metallib", "mlx/lib/mlx.metallib")
        link(folder / "libmlx.dylib", "mlx/lib/libmlx.dylib")
    link(resources / "mlx" / "lib" / "libmlx.dylib", "../../../Frameworks/mlx/lib/libmlx.dylib")


def _frameworks(frameworks: Path) -> None:
    """Two of Qt's, one of which loads the other, by the link at the top."""
    for name, loads in (("QtCore", ()), ("QtGui", ("@rpath/QtCore",))):
        folder = frameworks / "PySide6" / "Qt" / "lib" / f"{name}.framework"
        code = mach_o(*loads, name=f"@rpath/{name}", rpaths=("@loader_path/../../../../../..",))
        write(folder / "Versions" / "A" / name, code)
        write(folder / "Versions" / "A" / "Resources" / "Info.plist", plistlib.dumps({}))
        link(folder / "Versions" / "Current", "A")
        link(folder / name, f"Versions/Current/{name}")
        link(frameworks / name, f"PySide6/Qt/lib/{name}.framework/Versions/A/{name}")
