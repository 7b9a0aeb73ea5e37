"""What macOS's accessibility settings ask of the display; Qt 6.9 has no query for them."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys


def increase_contrast() -> bool:
    """Whether Increase Contrast is on; False away from macOS."""
    return _asks("accessibilityDisplayShouldIncreaseContrast")


def reduce_motion() -> bool:
    """Whether Reduce Motion is on; False away from macOS."""
    return _asks("accessibilityDisplayShouldReduceMotion")


def _asks(question: str) -> bool:
    library = ctypes.util.find_library("objc") if sys.platform == "darwin" else None
    if library is None:
        return False
    objc = ctypes.CDLL(library)
    objc.objc_getClass.restype = objc.sel_registerName.restype = ctypes.c_void_p
    kind = objc.objc_getClass(b"NSWorkspace")
    if not kind:  # AppKit comes with Qt's cocoa platform, and not with another
        return False
    arguments = (ctypes.c_void_p, ctypes.c_void_p)
    shared = ctypes.CFUNCTYPE(ctypes.c_void_p, *arguments)(("objc_msgSend", objc))
    answer = ctypes.CFUNCTYPE(ctypes.c_bool, *arguments)(("objc_msgSend", objc))
    workspace = shared(kind, objc.sel_registerName(b"sharedWorkspace"))
    return bool(answer(workspace, objc.sel_registerName(question.encode())))
