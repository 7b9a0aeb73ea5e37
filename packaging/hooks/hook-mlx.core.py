"""What PyInstaller cannot see in MLX: modules imported from C++, and Metal's kernel library."""

import sys
from importlib.metadata import distribution
from pathlib import Path

hiddenimports = ["mlx._reprlib_fix", "mlx.__array_api_info", "mlx.utils"]
datas: list[tuple[str, str]] = []
binaries: list[tuple[str, str]] = []

if sys.platform == "darwin":
    # By its distribution, not by its name: any folder called mlx on the path joins the package.
    lib = Path(str(distribution("mlx-metal").locate_file("mlx/lib")))
    for name in ("libmlx.dylib", "libjaccl.dylib"):
        if (lib / name).is_file():
            binaries.append((str(lib / name), "mlx/lib"))
    # Data, so that it lands in Contents/Resources: a signature on it would not survive a zip.
    datas.append((str(lib / "mlx.metallib"), "mlx/lib"))
