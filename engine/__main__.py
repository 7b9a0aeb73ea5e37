"""`python -m engine generate|bench|models|inspect|remove`: the engine stands alone."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from engine import library
from engine.api import Finished, Message, Piece, Reading, ReplyRequest, Sampling, Stats
from engine.errors import EngineError, Stopped
from engine.precision import NAMES

_SAMPLING = {
    "max_tokens": int,
    "temperature": float,
    "top_p": float,
    "top_k": int,
    "min_p": float,
    "repetition_penalty": float,
    "presence_penalty": float,
    "frequency_penalty": float,
    "seed": int,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command: 0 when it did, 2 with one sentence on stderr when it could not."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(
        required=True, metavar="generate|bench|compare|models|inspect|quantize|pull|remove"
    )

    writing = commands.add_parser("generate", help="continue a text or answer a message")
    writing.add_argument("--model", default=library.DEFAULT_MODEL, metavar="NAME|FOLDER")
    asked = writing.add_mutually_exclusive_group(required=True)
    asked.add_argument("--prompt", metavar="TEXT", help="continue TEXT as it stands")
    asked.add_argument("--chat", metavar="TEXT", help="answer TEXT as a chat's first message")
    _add_sampling(writing)
    writing.set_defaults(run=_generate)

    bench = commands.add_parser("bench", help="time a model on this machine")
    bench.add_argument("--model", default=library.DEFAULT_MODEL, metavar="NAME|FOLDER")
    bench.add_argument("--prompt-tokens", type=_lengths, default=[128, 512, 2048])
    bench.add_argument("--new-tokens", type=_length, default=64)
    bench.add_argument("--repeats", type=_length, default=1)
    bench.add_argument("--quality", action="store_true", help="also foretell the held-out text")
    bench.set_defaults(run=_bench)

    comparing = commands.add_parser("compare", help="one prompt for several models")
    comparing.add_argument("models", nargs="+", metavar="NAME|FOLDER[@PRECISION]")
    comparing.add_argument("--prompt", required=True, metavar="TEXT")
    comparing.add_argument("--interleaved", action="store_true", help="all in memory, in turns")
    comparing.add_argument("--write-on", action="store_true", help="to the limit, past the end")
    _add_sampling(comparing)
    comparing.set_defaults(run=_compare)

    for command in (writing, bench):
        command.add_argument("--precision", default="", metavar="NAME", help=", ".join(NAMES))
    for command in (writing, bench, comparing, *_library_parsers(commands)):
        command.add_argument("--json", action="store_true")
    return parser


def _add_sampling(command: argparse.ArgumentParser) -> None:
    for name, kind in _SAMPLING.items():
        command.add_argument("--" + name.replace("_", "-"), type=kind, default=argparse.SUPPRESS)
    command.add_argument("--stop", action="append", default=[], metavar="TEXT")


def _library_parsers(commands: Any) -> list[argparse.ArgumentParser]:
    """The commands about the models themselves."""
    models = commands.add_parser("models", help="list the installed models")
    models.set_defaults(run=_models)
    inspect = commands.add_parser("inspect", help="describe the model in a folder")
    inspect.add_argument("folder", metavar="NAME|FOLDER")
    inspect.set_defaults(run=_inspect)
    quantize = commands.add_parser("quantize", help="write a model again in fewer bits a number")
    quantize.add_argument("folder", metavar="NAME|FOLDER")
    quantize.add_argument("--bits", type=int, required=True, metavar="4|8")
    quantize.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    quantize.set_defaults(run=_quantize)
    remove = commands.add_parser("remove", help="move an installed model to the Trash")
    remove.add_argument("name", metavar="NAME|FOLDER")
    remove.set_defaults(run=_remove)
    pull = commands.add_parser("pull", help="bring a model from Hugging Face; it resumes")
    pull.add_argument("name", metavar="OWNER/NAME|ADDRESS")
    pull.add_argument("--revision", default="", help="a branch, tag or commit")
    pull.set_defaults(run=_pull)
    return [models, inspect, quantize, remove, pull]


def _length(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, found {value}")
    return value


def _lengths(text: str) -> list[int]:
    return [_length(part) for part in text.split(",")]


def _generate(options: argparse.Namespace) -> None:
    """Text to stdout as it comes and figures to stderr, or with --json one event a line."""
    from engine.session import Session

    stopped = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    sampling = _sampling(options)
    session = Session()
    session.load(
        library.find(options.model),
        on_progress=lambda _: None,
        stopped=stopped,
        precision=options.precision,
    )
    assert session.model is not None
    chat = options.prompt is None
    text = options.chat if chat else options.prompt
    ids = None if chat else tuple(session.model.tokenizer.encode(text))
    message = Message(
        role="user", text=text, ids=ids, tokenizer=session.model.tokenizer.fingerprint
    )
    request = ReplyRequest(id="command", chat="command", messages=(message,), sampling=sampling)
    for event in session.reply(request, stopped):
        (_print_json if options.json else _print_text)(event)


def _sampling(options: argparse.Namespace) -> Sampling:
    chosen = {name: value for name, value in vars(options).items() if name in _SAMPLING}
    return Sampling(stop=tuple(options.stop), **chosen)


def _compare(options: argparse.Namespace) -> None:
    from engine.compare_command import compare_models

    stopped = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    compare_models(
        options.models,
        options.prompt,
        _sampling(options),
        interleaved=options.interleaved,
        write_on=options.write_on,
        as_json=options.json,
        stopped=stopped,
    )


def _print_json(event: Reading | Piece | Finished) -> None:
    if isinstance(event, Reading):
        line: dict[str, Any] = {"event": "reading", "done": event.done, "total": event.total}
    elif isinstance(event, Piece):
        line = {"event": "text", "text": event.text}
    else:
        line = {"event": "done", "stats": asdict(event.stats)}
    print(json.dumps(line, ensure_ascii=False), flush=True)


def _print_text(event: Reading | Piece | Finished) -> None:
    if isinstance(event, Piece):
        print(event.text, end="", flush=True)
    elif isinstance(event, Finished):
        print(flush=True)
        print(_figures(event.stats), file=sys.stderr)


def _figures(stats: Stats) -> str:
    shown = []
    for field in fields(stats):
        value = getattr(stats, field.name)
        shown.append(f"{field.name} {value:.2f}" if isinstance(value, float) else
                     f"{field.name} {'–' if value is None else value}")  # fmt: skip
    return ", ".join(shown)


def _bench(options: argparse.Namespace) -> None:
    from engine.bench_command import bench, report

    result = bench(
        options.model,
        options.prompt_tokens,
        options.new_tokens,
        options.precision,
        repeats=options.repeats,
        with_quality=options.quality,
    )
    print(json.dumps(result) if options.json else report(result))


def _quantize(options: argparse.Namespace) -> None:
    from engine.quantize_folder import quantize_folder

    stopped = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    quantize_folder(library.find(options.folder), options.out, options.bits, stopped=stopped)
    size = sum(file.stat().st_size for file in options.out.iterdir())
    made = {"folder": str(options.out), "bits": options.bits, "disk_bytes": size}
    print(json.dumps(made) if options.json else f"{options.out}: {size / 1e6:,.1f} MB")


def _pull(options: argparse.Namespace) -> None:
    from engine.hub.pull import pull

    stopped = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        pull(options.name, options.revision, as_json=options.json, stopped=stopped)
    except Stopped:  # what is kept was said
        sys.exit(130)


def _models(options: argparse.Namespace) -> None:
    found = library.installed()
    if options.json:
        print(json.dumps([asdict(info) for info in found], default=str, ensure_ascii=False))
    else:
        for info in found:
            size = f"{info.disk_bytes / 1e6:,.0f} MB"
            line = f"{info.name:<32} {info.family:<8} {info.dtype:<9} {size:>10}  {info.problem}"
            print(line.strip())
    library.check_connected()


def _inspect(options: argparse.Namespace) -> None:
    from engine.inspection import inspect, report

    described = inspect(library.find(options.folder))
    print(json.dumps(described, ensure_ascii=False) if options.json else report(described))


def _remove(options: argparse.Namespace) -> None:
    from engine.library_changes import remove

    freed = remove(options.name)
    told = f"{options.name}: {freed / 1e6:,.1f} MB freed"
    print(json.dumps({"name": options.name, "freed_bytes": freed}) if options.json else told)


if __name__ == "__main__":
    sys.exit(main())
