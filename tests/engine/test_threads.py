"""The engine's thread: what it leaves behind when it ends."""

from __future__ import annotations

import subprocess
import sys

TWO_STREAMS = """
import threading
from engine.session import Session
from engine.device import mx
from engine.ops.selective_scan import selective_scan

def work():
    session = Session()
    tokens, channels, states = 40, 1536, 16  # enough for a second stream on a CPU
    u = mx.random.normal((1, tokens, channels))
    B = mx.random.normal((1, tokens, states))
    mx.eval(selective_scan(u, u, -mx.ones((channels, states)), B, B))
    session.close()

for _ in range(3):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
"""


def test_engine_threads_that_ended_do_not_abort_the_process_at_its_exit() -> None:
    for _ in range(6):  # without Session.close about every second one does
        ran = subprocess.run([sys.executable, "-c", TWO_STREAMS], capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")
