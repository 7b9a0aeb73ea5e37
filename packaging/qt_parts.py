"""Which of Qt's plugins and translations the frozen app takes."""

from __future__ import annotations

from PyInstaller.utils.hooks.qt import add_qt6_dependencies

# Plugins that nothing of ours needs; the languages of Qt's own dialogs that we have.
DROPPED = (
    "imageformats/libqtiff",
    "imageformats/libqpdf",
    "imageformats/libqtga",
    "imageformats/libqwbmp",
    "platforms/libqminimal",
    "platforms/libqvnc",
    "platforms/libqvk",
    "platforms/libqlinuxfb",
    "platforms/libqeglfs",
    "platformthemes/libqgtk3",
    "platforminputcontexts/libqtvirtualkeyboard",
    "egldeviceintegrations/",
    "generic/",
    "networkinformation/",
    "tls/",
    "qmltooling/",
)
LANGUAGES = ("_en", "_ja")
Found = list[tuple[str, str]]


def wanted(target: str) -> bool:
    """Whether the app takes a file, by its place in it."""
    place = target.replace("\\", "/")
    if "/Qt/translations/" in place:
        return place.rsplit(".", 1)[0].endswith(LANGUAGES)
    return not any(f"/Qt/plugins/{plugin}" in place for plugin in DROPPED)


def collected(hook: str) -> tuple[list[str], Found, Found]:
    """What PyInstaller's own hook for a module of Qt collects, without what is not wanted: here,
    before it is looked at for the libraries that it is linked to, which would come with it."""
    modules, binaries, datas = add_qt6_dependencies(hook)
    kept = [each for each in binaries if wanted(f"{each[1]}/{each[0].rpartition('/')[2]}")]
    return modules, kept, datas
