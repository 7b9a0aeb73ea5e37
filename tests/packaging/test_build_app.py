"""The script that builds the Mac app does its steps in order, and packs nothing that failed one.
It runs with programs in the place of a Mac's, which write down how they were called."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import plist
import pytest

# $HOME is what the smoke test leaves of the environment.
STUB = '#!/bin/sh\necho "{name} $*" >>"$HOME/log"\n{body}\n'
PYTHON = """
while [ $# -gt 0 ]; do
  case "$1" in
    download) for last; do :; done; pip=download ;;
    -d) [ -z "$pip" ] || touch "$2/mlx.whl" ;;
    PyInstaller) echo "for macOS $MACOSX_DEPLOYMENT_TARGET" >>"$HOME/log" ;;
    --distpath)
      mkdir -p "$2/mamba-chat" "$2/Mamba Chat.app/Contents/MacOS"
      cp "$HOME/bin/mamba-chat" "$2/Mamba Chat.app/Contents/MacOS" ;;
    packaging/verify_bundle.py) exit "${VERIFIED:-0}" ;;
    -c) echo 1.2.3 ;;
  esac
  shift
done
"""
APP = """
there=no
[ -e "$HOME/checkout/.venv" ] && there=yes
echo "smoke $QT_QPA_PLATFORM at $PWD, environment $there, path ${PATH:-}, $0" >>"$HOME/log"
[ ! -e "$HOME/smoke fails" ]
"""
BODIES = {
    "uname": "[ -e \"$HOME/linux\" ] && echo Linux x86_64 || echo Darwin arm64",
    "make": "",
    "plutil": "",
    "codesign": "",
    "ditto": '[ "$1" = -c ] || cp -R "$1" "$2"',
    "xcrun": "",
    "spctl": "",
    "hdiutil": 'for last; do :; done; touch "$last"',
    "shasum": "echo sums",
    "zip": 'touch "$2"',
    "sleep": "",
    "mamba-chat": APP,
}  # fmt: skip


@dataclass
class Mac:
    """A Mac of the test's own, with a checkout."""

    home: Path

    @property
    def release(self) -> list[str]:
        """What can be given away."""
        folder = self.home / "checkout" / "out"
        return sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []

    def build(self, **environment: str) -> int:
        """Build the app: the status."""
        path = f"{self.home / 'bin'}:{os.environ['PATH']}"
        given = {"HOME": str(self.home), "TMPDIR": str(self.home / "tmp"), "PATH": path}
        script = self.home / "checkout" / "packaging" / "build_app.sh"
        command = ["bash", script, "out"]
        done = subprocess.run(
            command, cwd="/", env={**given, **environment}, capture_output=True, check=False
        )
        return done.returncode

    def log(self) -> list[str]:
        """The calls, without the stubs' own."""
        file = self.home / "log"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [line for line in lines if not line.startswith(("uname", "mamba-chat"))]


@pytest.fixture
def mac(root: Path, tmp_path: Path) -> Mac:
    """A Mac with nothing built."""
    checkout = tmp_path / "checkout"
    for name in ("packaging/build_app.sh", "packaging/plist.py", "constraints.txt"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, checkout / name)
    for folder in (tmp_path / "bin", tmp_path / "tmp", checkout / ".venv" / "bin"):
        folder.mkdir(parents=True)
    programs = {tmp_path / "bin" / name: body for name, body in BODIES.items()}
    programs[checkout / ".venv" / "bin" / "python"] = PYTHON
    for file, body in programs.items():
        file.write_text(STUB.format(name=file.name, body=body), "utf-8")
        file.chmod(0o755)
    return Mac(tmp_path)


def places(log: list[str], *starts: str) -> list[int]:
    """Where the first calls that start so are."""
    return [next(at for at, line in enumerate(log) if line.startswith(each)) for each in starts]


def test_it_builds_then_verifies_then_tries_then_packs(mac: Mac) -> None:
    assert mac.build() == 0
    steps = ["make .venv/.installed", "python -m pip download", "python -m pip install"]
    steps += ["python -m PyInstaller", "plutil", "codesign --verify --deep --strict"]
    steps += ["python packaging/verify_bundle.py out/Mamba Chat.app", "smoke", "zip", "hdiutil"]
    found = places(mac.log(), *steps, "shasum")
    assert found == sorted(found)
    names = [f"Mamba-Chat-1.2.3-macos-arm64.{kind}" for kind in ("dmg", "zip")]
    assert mac.release == ["Mamba Chat.app", *names, "SHA256SUMS"]


def test_mlx_is_the_one_for_the_oldest_macos(mac: Mac, root: Path) -> None:
    mac.build()
    (download,) = [line for line in mac.log() if "pip download" in line]
    platform = f"macosx_{plist.MINIMUM_MACOS.replace('.', '_')}_arm64"
    assert f"--platform {platform} --python-version 3.12" in download
    pins = (root / "constraints.txt").read_text("utf-8").splitlines()
    mlx = {pin for pin in pins if pin.partition("==")[0] in ("mlx", "mlx-metal")}
    assert {word for word in download.split() if "==" in word} == mlx
    assert "--force-reinstall" in mac.log()[places(mac.log(), "python -m pip install")[0]]
    assert f"for macOS {plist.MINIMUM_MACOS}" in mac.log()


def test_the_app_is_tried_moved_and_with_nothing_of_the_checkout(mac: Mac) -> None:
    mac.build()
    tried = [line for line in mac.log() if line.startswith("smoke ")]
    assert [line.split()[1] for line in tried] == ["offscreen", "cocoa"]
    for line in tried:
        assert "at /, environment no," in line
        assert str(mac.home / "bin") not in line
        assert str(mac.home / "checkout") not in line
        assert "/a b/Mamba Chat.app/Contents/MacOS/mamba-chat" in line
    assert (mac.home / "checkout" / ".venv" / "bin" / "python").is_file()


def test_an_app_with_a_fault_is_not_packed(mac: Mac) -> None:
    assert mac.build(VERIFIED="1") != 0
    assert mac.release == ["Mamba Chat.app"]
    assert not [line for line in mac.log() if line.startswith("smoke")]


def test_an_app_that_does_not_chat_is_not_packed(mac: Mac) -> None:
    (mac.home / "smoke fails").touch()
    assert mac.build() != 0
    assert mac.release == ["Mamba Chat.app"]
    assert (mac.home / "checkout" / ".venv" / "bin" / "python").is_file()


def test_a_signed_app_is_notarised_before_it_is_packed(mac: Mac) -> None:
    assert mac.build(NOTARY_PROFILE="mamba", CODESIGN_IDENTITY="Developer ID Application: Me") == 0
    steps = ["smoke", "ditto -c -k", "xcrun notarytool", "xcrun stapler", "spctl", "zip"]
    found = places(mac.log(), *steps)
    assert found == sorted(found)


def test_an_app_that_nobody_signed_is_not_sent_to_be_notarised(mac: Mac) -> None:
    assert mac.build(NOTARY_PROFILE="mamba") == 2
    assert mac.log() == []


def test_it_says_no_on_another_machine(mac: Mac) -> None:
    (mac.home / "linux").touch()
    assert mac.build() == 2
    assert mac.log() == []
