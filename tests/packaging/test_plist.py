"""The Mac app's description has the types and values that macOS needs."""

from __future__ import annotations

import plistlib
from pathlib import Path
from types import ModuleType

import engine


def test_versions_are_text(plist: ModuleType) -> None:
    values = plist.info_plist(engine.__version__)
    for key in ("CFBundleVersion", "CFBundleShortVersionString", "LSMinimumSystemVersion"):
        assert isinstance(values[key], str), f"a number in {key} stops the app from starting"


def test_switches_are_booleans(plist: ModuleType) -> None:
    values = plist.info_plist(engine.__version__)
    assert values["NSHighResolutionCapable"] is True
    assert values["NSRequiresAquaSystemAppearance"] is False
    assert values["CFBundleAllowMixedLocalizations"] is True


def test_both_languages_are_declared(plist: ModuleType) -> None:
    assert plist.info_plist(engine.__version__)["CFBundleLocalizations"] == ["en", "ja"]


def test_the_app_shows_in_the_dock(plist: ModuleType) -> None:
    assert not {"LSUIElement", "LSBackgroundOnly"} & set(plist.info_plist(engine.__version__))


def test_the_values_survive_being_written(plist: ModuleType) -> None:
    values = plist.info_plist(engine.__version__)
    assert plistlib.loads(plistlib.dumps(values)) == values


def test_the_program_is_not_named_like_a_package(plist: ModuleType) -> None:
    assert plist.EXE_NAME.lower() not in {"app", "engine", "mlx", "python"}
    assert plist.EXE_NAME.lower() != plist.APP_NAME.lower()


def test_the_app_asks_for_one_entitlement_only(root: Path) -> None:
    entitlements = plistlib.loads((root / "packaging" / "entitlements.plist").read_bytes())
    assert entitlements == {"com.apple.security.cs.allow-unsigned-executable-memory": True}
