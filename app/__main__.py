"""`python -m app [--smoke-test] [--screenshots DIR]`: opens the window.

It ends with 0 where all is well, 1 after a fault or when its files cannot be written, 2 for an
option that it does not know or a model that cannot be loaded in the terminal, 3 when it is open
already.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app import log


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app; its exit status."""
    log.repair_streams()
    parser = argparse.ArgumentParser(
        prog="python -m app", description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument("--smoke-test", action="store_true", help="chat once, print JSON, leave")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="write PNGs of every view")
    # A Mac hands the app a process number of this form when it is opened from the Finder.
    given = sys.argv[1:] if arguments is None else arguments
    options = parser.parse_args([a for a in given if not a.startswith("-psn_")])
    if not has_display() and (options.smoke_test or options.screenshots):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if options.smoke_test:
        from app import smoke

        return smoke.main()
    if has_display() and not options.screenshots:
        from app import window_app

        return window_app.main()
    try:
        log.start()
        log.note_crashes()
    except OSError as error:
        from app import opening

        return opening.refuse(opening.unwritable(error))
    if options.screenshots:
        from app import screenshots

        return screenshots.main(options.screenshots)
    from app import terminal

    print("There is no display here, so the chat runs in the terminal.", file=sys.stderr)
    return terminal.main()


def has_display() -> bool:
    """Whether a window can be opened: only Linux may lack what that takes."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    multiprocessing.freeze_support()  # first: a frozen app's helpers start here too
    sys.exit(main())
