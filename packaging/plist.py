"""The names of the Mac app and the values of its Info.plist."""

from __future__ import annotations

APP_NAME = "Mamba Chat"
EXE_NAME = "mamba-chat"  # unlike any package's name, on a disk that ignores case
BUNDLE_ID = "net.mambachat.app"  # never changes: macOS keeps shader caches and permissions by it
MINIMUM_MACOS = "14.0"  # the floor of MLX's wheels


def info_plist(version: str) -> dict[str, object]:
    """The values that PyInstaller does not write by itself. `version` is like "1.2.3"."""
    return {
        "CFBundleVersion": version,
        "CFBundleShortVersionString": version,
        "LSMinimumSystemVersion": MINIMUM_MACOS,
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSArchitecturePriority": ["arm64"],
        "LSRequiresNativeExecution": True,
        "NSHighResolutionCapable": True,
        "NSPrincipalClass": "NSApplication",
        "NSRequiresAquaSystemAppearance": False,  # False: dark mode is allowed
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "ja"],
        "CFBundleAllowMixedLocalizations": True,
        "NSHumanReadableCopyright": "Apache License 2.0",
    }
