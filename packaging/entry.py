"""Where the frozen app begins."""

# First of all: a helper process of multiprocessing is this program started again, and without
# this line it would open one more window, which starts one more helper.
import multiprocessing

multiprocessing.freeze_support()

import runpy  # noqa: E402

runpy.run_module("app", run_name="__main__", alter_sys=True)
