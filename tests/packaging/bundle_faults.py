"""Every kind of fault that the Mac app could have: how to plant it, and the words that tell it."""

from __future__ import annotations

import fake_bundle as fake
from bundle_plants import (
    CORE,
    FRAMEWORKS,
    LIBMLX,
    MACOS,
    METALLIB,
    PLIST,
    QTGUI,
    RESOURCES,
    Plant,
    code,
    file,
    gone,
    link,
    not_to_be_run,
    stray_copy,
    told,
    two_processors,
)

import engine

VERSION = engine.__version__
SOMEBODY = "/".join(("", "Users", "somebody"))
LOADED = "expected to load only the system's and the app's, found"
FAULTS: dict[str, tuple[Plant, str]] = {
    "code for two processors": (
        two_processors,
        f"{CORE}: expected code for arm64 alone, found arm64 and x86_64",
    ),
    "code for another processor": (code(CORE, processor=fake.X86_64), "arm64 alone, found x86_64"),
    "code for arm64e": (code(CORE, processor=(0x0100000C, 2)), "arm64 alone, found arm64e"),
    "code that is cut off": (
        file(CORE, fake.mach_o()[:60]),
        f"{CORE}: expected code, found no Mach-O",
    ),
    "no signature": (code(QTGUI, signed=False), f"{QTGUI}: expected a signature, found none"),
    "code for a newer macOS": (
        code(LIBMLX, minimum=(15, 0)),
        f"{LIBMLX}: expected to ask for macOS 14.0 at most, found macOS 15.0",
    ),
    "code for a slightly newer macOS": (code(LIBMLX, minimum=(14, 4)), "found macOS 14.4"),
    "a newer macOS, in the older way": (
        code(LIBMLX, minimum=(15, 0), old=True),
        "found macOS 15.0",
    ),
    "code for an iPhone": (
        code(LIBMLX, platform=2),
        "expected to ask for macOS 14.0 at most, found no macOS",
    ),
    "a library of Homebrew": (
        code(CORE, "/opt/homebrew/lib/libssl.3.dylib"),
        f"{CORE}: {LOADED} /opt/homebrew/lib/libssl.3.dylib",
    ),
    "a library of /usr/local": (
        code(CORE, "/usr/local/lib/libz.dylib"),
        f"{LOADED} /usr/local/lib/libz.dylib",
    ),
    "a library of a user": (
        code(CORE, f"{SOMEBODY}/libz.dylib"),
        f"{LOADED} {SOMEBODY}/libz.dylib",
    ),
    "a library by a way round the system's": (
        code(CORE, "/usr/lib/../local/libz.dylib"),
        f"{LOADED} /usr/lib/../local/libz.dylib",
    ),
    "a library that is not there": (
        code(CORE, "@rpath/libjaccl.dylib"),
        f"{LOADED} @rpath/libjaccl.dylib",
    ),
    "a library with no rpath to it": (
        code(CORE, "@rpath/libmlx.dylib", rpaths=()),
        f"{LOADED} @rpath/libmlx.dylib",
    ),
    "a library not beside the loader": (
        code(CORE, "@loader_path/libmlx.dylib"),
        f"{LOADED} @loader_path/libmlx.dylib",
    ),
    "a library not beside the program": (
        code(CORE, "@executable_path/libmlx.dylib"),
        f"{LOADED} @executable_path/libmlx.dylib",
    ),
    "a library by its name alone": (code(CORE, "libmlx.dylib"), f"{LOADED} libmlx.dylib"),
    "an rpath of a build machine": (
        code(CORE, rpaths=(f"{SOMEBODY}/lib",)),
        f"{CORE}: expected each rpath inside the app, found {SOMEBODY}/lib",
    ),
    "an rpath that climbs out": (
        code(CORE, rpaths=("@loader_path/../../../..",)),
        "found @loader_path/../../../..",
    ),
    "a name of a build machine": (
        code(LIBMLX, name="/opt/homebrew/libmlx.dylib"),
        "a name that starts with @rpath, found /opt/homebrew/libmlx.dylib",
    ),
    "a file beside the program": (
        file(f"{MACOS}/qt.conf"),
        f"{MACOS}/qt.conf: expected nothing beside the program",
    ),
    "a library beside the program": (
        code(f"{MACOS}/libz.dylib"),
        f"{MACOS}/libz.dylib: expected nothing beside",
    ),
    "no program": (
        gone(f"{MACOS}/mamba-chat"),
        "mamba-chat: expected a program that can be run, found none",
    ),
    "a program that cannot be run": (
        not_to_be_run,
        "mamba-chat: expected a program that can be run",
    ),
    "no kernels": (gone(METALLIB), f"{METALLIB}: expected Metal's kernels as a file, found none"),
    "kernels elsewhere": (
        link(METALLIB, "../../icon.icns"),
        "Metal's kernels as a file, found a link",
    ),
    "kernels for a newer macOS": (
        file(METALLIB, fake.metallib(26, 2)),
        "kernels for macOS 14.0 at most, found them for macOS 26.2",
    ),
    "kernels for an iPhone": (
        file(METALLIB, fake.metallib(system=0x82)),
        "found them for no macOS",
    ),
    "kernels that are none": (
        file(METALLIB),
        "kernels for macOS 14.0 at most, found them for no macOS",
    ),
    "no link to the kernels at the top": (
        gone(f"{FRAMEWORKS}/mlx.metallib"),
        f"{FRAMEWORKS}/mlx.metallib: expected a link to {METALLIB}, found nothing",
    ),
    "no link beside MLX": (
        gone(f"{FRAMEWORKS}/mlx/lib/mlx.metallib"),
        f"lib/mlx.metallib: expected a link to {METALLIB}",
    ),
    "a second copy of the kernels": (
        file(f"{FRAMEWORKS}/mlx.metallib", fake.metallib()),
        f"expected a link to {METALLIB}, found a copy",
    ),
    "a second copy of MLX": (
        stray_copy,
        f"libmlx.dylib: expected a link to {LIBMLX}, found a copy",
    ),
    "a link to something else": (
        link(f"{FRAMEWORKS}/libmlx.dylib", "mlx/core.cpython-312-darwin.so"),
        f"expected a link to {LIBMLX}, found one to mlx/core.cpython-312-darwin.so",
    ),
    "no MLX": (gone(LIBMLX), f"{LIBMLX}: expected MLX's library as a file, found none"),
    "a link that is absolute": (
        link(f"{RESOURCES}/z", "/usr/lib/libz.dylib"),
        f"{RESOURCES}/z: expected a link within the app, found /usr/lib",
    ),
    "a link out of the app": (
        link(f"{RESOURCES}/z", "../../../z"),
        "expected a link within the app, found ../../../z",
    ),
    "a link out and in again": (
        link(f"{RESOURCES}/z", "../../../Mamba Chat.app/Contents"),
        "expected a link within the app, found",
    ),
    "a link to nothing": (
        link(f"{RESOURCES}/z", "y"),
        f"{RESOURCES}/z: expected a link to a file of the app, found y",
    ),
    "a link to itself": (
        link(f"{RESOURCES}/z", "z"),
        f"{RESOURCES}/z: expected a link to a file of the app, found z",
    ),
    "data among the code": (
        file(f"{FRAMEWORKS}/mlx/notes.txt"),
        f"{FRAMEWORKS}/mlx/notes.txt: expected data in {RESOURCES}",
    ),
    "code among the data": (
        code(f"{RESOURCES}/mlx/z.so"),
        f"{RESOURCES}/mlx/z.so: expected code in {FRAMEWORKS}",
    ),
    "a dot in a folder of code": (
        code(f"{FRAMEWORKS}/python3.12/z.so"),
        f"{FRAMEWORKS}/python3.12: expected no dot in the name",
    ),
    "no property list": (gone(PLIST), f"{PLIST}: expected a property list, found"),
    "a property list that is none": (file(PLIST), f"{PLIST}: expected a property list, found"),
    "a version that is a number": (
        told(CFBundleVersion=1.0),
        f"{PLIST}: expected CFBundleVersion to be {VERSION!r}, found 1.0",
    ),
    "an older version": (
        told(CFBundleShortVersionString="0.0.9"),
        f"CFBundleShortVersionString to be {VERSION!r}, found '0.0.9'",
    ),
    "a switch that is a text": (
        told(NSHighResolutionCapable="True"),
        "NSHighResolutionCapable to be True, found 'True'",
    ),
    "a switch that is a number": (
        told(NSHighResolutionCapable=1),
        "NSHighResolutionCapable to be True, found 1",
    ),
    "no oldest macOS": (
        told(LSMinimumSystemVersion=None),
        "LSMinimumSystemVersion to be '14.0', found None",
    ),
    "another program": (
        told(CFBundleExecutable="python"),
        "CFBundleExecutable to be 'mamba-chat', found 'python'",
    ),
    "another identity": (
        told(CFBundleIdentifier="mamba"),
        "CFBundleIdentifier to be 'net.mambachat.app'",
    ),
    "an icon that is not there": (
        gone(f"{RESOURCES}/icon.icns"),
        "CFBundleIconFile in Contents/Resources, found 'icon.icns'",
    ),
    "no icon": (
        told(CFBundleIconFile=None),
        "expected CFBundleIconFile in Contents/Resources, found None",
    ),
    "an app without a place in the Dock": (
        told(LSUIElement=True),
        f"{PLIST}: expected no LSUIElement",
    ),
    "an app in the background": (
        told(LSBackgroundOnly=False),
        f"{PLIST}: expected no LSBackgroundOnly",
    ),
    "a kernel left out": (
        gone(f"{RESOURCES}/engine/metal/ssm_step.metal"),
        "metal/ssm_step.metal: expected a file of the checkout's metal/, found none",
    ),
    "an older resource": (
        file(f"{RESOURCES}/app/resources/models.json"),
        "models.json: expected what the checkout's resources/ has",
    ),
    "numpy": (
        code(f"{FRAMEWORKS}/numpy/z.so"),
        f"{FRAMEWORKS}/numpy: expected nothing that the app does not use",
    ),
    "Pillow": (code(f"{FRAMEWORKS}/PIL/z.so"), f"{FRAMEWORKS}/PIL: expected nothing"),
    "PyTorch's description": (
        file(f"{RESOURCES}/torch-2.9.dist-info/RECORD"),
        "torch-2.9.dist-info: expected nothing",
    ),
    "tests": (
        file(f"{RESOURCES}/jinja2/tests/test_z.py"),
        f"{RESOURCES}/jinja2/tests: expected nothing",
    ),
    "a module of Qt": (
        code(f"{FRAMEWORKS}/PySide6/QtQml.abi3.so"),
        "PySide6/QtQml.abi3.so: expected nothing",
    ),
    "a framework of Qt": (
        code(f"{FRAMEWORKS}/PySide6/Qt/lib/QtPdf.framework/Versions/A/QtPdf"),
        "lib/QtPdf.framework: expected nothing",
    ),
    "types": (file(f"{RESOURCES}/mlx/core/__init__.pyi"), "__init__.pyi: expected nothing"),
    "headers": (file(f"{RESOURCES}/mlx/mlx.h"), "mlx/mlx.h: expected nothing"),
    "no licences": (
        gone(f"{RESOURCES}/licences"),
        f"{RESOURCES}/licences: expected the licences, found none",
    ),
    "a licence left out": (
        gone(f"{RESOURCES}/licences/mlx-0.32.4"),
        "expected the licence of mlx, found none",
    ),
    "a licence by a line left out": (
        gone(f"{RESOURCES}/licences/OTHERS.txt"),
        "expected the licence of PySide6, found none",
    ),
    "a licence without a text": (
        gone(f"{RESOURCES}/licences/Python/LICENSE"),
        "expected the licence of Python, found none",
    ),
}
