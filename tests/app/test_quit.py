"""Quitting at any moment: status 0, and what was on the screen is there when it is opened again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.store import Store
from engine import paths

APP = """
import sys
from app import i18n, log, window_app
from app.settings import Settings
from engine.api import Sampling

moment, folder, how = sys.argv[1:]
settings = Settings()
settings.model = folder
settings.sampling = Sampling(temperature=100.0, top_p=1.0, max_tokens=100_000, seed=1)
settings.new_draft = "a draft"
settings.sync()

from PySide6.QtWidgets import QApplication
from app.main_window import MainWindow

class Quits(MainWindow):
    def start(self):
        client = self._client
        if moment == "loading":
            client.loading.connect(lambda *_: self.leave())
        elif moment == "idle":
            client.loaded.connect(lambda *_: self.leave())
        else:
            client.loaded.connect(lambda *_: self.ask())
            signal = client.reading if moment == "reading" else client.written
            signal.connect(lambda *_: self.leave())
        super().start()

    def ask(self):
        self.chats.send("word " * 20_000 if moment == "reading" else "Hello")

    def leave(self):
        if how == "signal":
            print("now", flush=True)
        elif how == "close":
            self.close()
        else:
            self.menus.actions["quit"].trigger()

window_app.MainWindow = Quits
status = window_app.main()
print("left", flush=True)
sys.exit(status)
"""


def _run(moment: str, folder: Path, how: str) -> subprocess.CompletedProcess[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", APP, moment, str(folder), how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    if how == "signal":
        assert process.stdout is not None
        assert process.stdout.readline() == "now\n"
        process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.mark.parametrize(
    ("moment", "how"),
    [
        ("idle", "menu"),
        ("loading", "menu"),
        ("reading", "menu"),
        ("writing", "menu"),
        ("writing", "close"),
        ("writing", "signal"),
    ],
)
def test_quitting_loses_nothing_and_leaves_with_status_0(
    starter_3m: Path, moment: str, how: str
) -> None:
    if how == "close" and sys.platform == "darwin":
        pytest.skip("on a Mac the app goes on without a window")
    ran = _run(moment, starter_3m, how)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith("left\n")
    assert "QThread" not in ran.stderr
    assert "Traceback" not in ran.stderr
    store = Store(paths.database())
    chats = store.chats()
    messages = [message.row for chat in chats for message in store.path(chat.id)]
    store.close()
    if moment in ("idle", "loading"):
        assert not messages
    else:
        question, answer = messages
        assert question.text == ("word " * 20_000 if moment == "reading" else "Hello")
        assert answer.status == "stopped"
        assert answer.stats is not None  # it ended in order, and was not repaired
        assert bool(answer.text) == (moment == "writing")
    log = paths.logs() / "mamba-chat.log"
    assert not log.exists() or "ERROR" not in log.read_text("utf-8")


def test_a_killed_app_keeps_the_question_and_what_was_saved_of_the_answer(
    starter_3m: Path,
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", APP, "writing", str(starter_3m), "signal"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    with process:
        assert process.stdout is not None
        for _ in range(40):  # pieces, which is more than a second of them
            assert process.stdout.readline() == "now\n"
        process.kill()
    store = Store(paths.database())
    (chat,) = store.chats()
    question, answer = (message.row for message in store.path(chat.id))
    store.close()
    assert question.text == "Hello"
    assert answer.status == "stopped"
    assert answer.text


COPIES = """
import sys
from app import window_app
from app.widgets.text_view import TextView

app = window_app.make_application()
window = window_app.make_window()
window.show()
if sys.argv[1] == "composer":
    text = window.page.composer.editor
    text.setPlainText("copied")
else:
    text = window.page.transcript.first_run.findChild(TextView)
    text.setPlainText("copied")
text.selectAll()
text.copy()
window_app.end(window)
print(app.clipboard().text())
"""


@pytest.mark.parametrize("where", ["composer", "transcript"])
def test_quitting_after_something_was_copied_leaves_with_status_0(where: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COPIES, where], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "copied"
