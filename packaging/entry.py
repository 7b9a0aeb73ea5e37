"""Where the frozen app begins."""

# First of all: a helper process of multiprocessing is this program started again, and without
# this line it would open one more window, which starts one more helper.
import multiprocessing

multiprocessing.freeze_support()

import sys  # noqa: E402

from app.__main__ import main  # noqa: E402

sys.exit(main())
