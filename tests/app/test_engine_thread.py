"""What the engine's thread must keep to: MLX on it alone, and signals that wear nothing out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal, Slot
from pytestqt.qtbot import QtBot

from engine import paths

ONE_THREAD = """
import sys, threading
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.engine_client import EngineClient
from engine.api import Message, ReplyRequest, Sampling

qt = QCoreApplication([])
assert not any(name.split(".")[0] == "mlx" for name in sys.modules)
threads = {}

class Watch:
    # notes the thread that imports MLX
    def find_spec(self, name, *_):
        if name.startswith("mlx"):
            threads.setdefault("import", set()).add(threading.get_ident())

sys.meta_path.insert(0, Watch())
client = EngineClient()

def watch(owner, name):
    function = getattr(owner, name)
    def watched(*values, **named):
        threads.setdefault(name, set()).add(threading.get_ident())
        return function(*values, **named)
    setattr(owner, name, watched)

def watch_all(_):
    # once the engine thread has imported it all
    client.loaded.disconnect(watch_all)
    import engine.session as session
    for name in ("eval", "async_eval", "clear_cache"):
        watch(session.mx, name)
    for name in ("load", "reply", "unload"):
        watch(session.Session, name)
    watch(session.LanguageModel, "forward")

def ask(info):
    message = Message(role="user", text="Hello")
    client.ask(ReplyRequest(id=info.name, chat="c", messages=(message,),
                            sampling=Sampling(max_tokens=5)))

client.loaded.connect(watch_all)
client.loaded.connect(ask)
client.failed.connect(lambda *_: sys.exit("failed"))
client.load_failed.connect(lambda *_: sys.exit("load failed"))
models = iter(sys.argv[2:])

def on_finished(*_):
    for folder in models:
        client.load(Path(folder))
        return
    qt.quit()

client.finished.connect(on_finished)
client.load(Path(sys.argv[1]))
qt.exec()
assert client.close()
assert set(threads) == {
    "import", "eval", "async_eval", "clear_cache", "load", "reply", "unload", "forward"}, threads
(only,) = set.union(*threads.values())
assert only != threading.main_thread().ident
"""


def test_everything_with_mlx_happens_on_one_thread_that_is_not_the_windows(
    starter_3m: Path,
) -> None:
    twelve = str(paths.resources() / "models" / "starter-12m")
    subprocess.run(
        [sys.executable, "-c", ONE_THREAD, str(starter_3m), twelve, str(starter_3m)],
        timeout=120,
        check=True,
    )


class _Teller(QObject):
    told = Signal(str, object, bool)


class _Listener(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.heard = 0

    @Slot(str, object, bool)
    def hear(self, _: str, value: object, flag: bool) -> None:
        self.heard += flag


def test_20_000_signals_between_threads_do_not_wear_out_a_reference(qtbot: QtBot) -> None:
    teller, listener = _Teller(), _Listener()
    thread = QThread()
    listener.moveToThread(thread)
    teller.told.connect(listener.hear)
    thread.start()
    before = sys.getrefcount(True)
    for n in range(20_000):
        teller.told.emit("text", n, True)
    qtbot.waitUntil(lambda: listener.heard == 20_000, timeout=30_000)
    thread.quit()
    assert thread.wait(10_000)
    assert sys.getrefcount(True) >= before - 100
