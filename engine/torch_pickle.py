"""The table of tensors that a torch pickle describes, read by a machine that can do nothing else.

Python's unpickler runs what a file names, and an eleven-byte file can make it reserve gigabytes.
So the few instructions with which `torch.save` writes a table of weights are carried out here,
on plain values; any other is refused."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import EngineError

# The types of numbers in a storage, in safetensors' names.
STORAGES = {
    "torch.FloatStorage": "F32", "torch.HalfStorage": "F16", "torch.BFloat16Storage": "BF16",
    "torch.DoubleStorage": "F64", "torch.LongStorage": "I64", "torch.IntStorage": "I32",
    "torch.ShortStorage": "I16", "torch.CharStorage": "I8", "torch.ByteStorage": "U8",
    "torch.BoolStorage": "BOOL",
}  # fmt: skip
_TABLE = "collections.OrderedDict"
_TENSOR = "torch._utils._rebuild_tensor_v2"
_PARAMETER = "torch._utils._rebuild_parameter"
_PROTOCOL = 2
_DIMENSIONS = 8


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A tensor as the pickle describes it: a part of the storage `storage`, counted in numbers."""

    storage: str
    storage_size: int
    dtype: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Global:
    """A name that the pickle uses: only a name, nothing is imported."""

    name: str


@dataclass(frozen=True, slots=True)
class _Storage:
    key: str
    size: int
    dtype: str


class _BrokenError(ValueError):
    """What is wrong with the pickle, in words."""


def read_pickle(path: Path, content: bytes) -> dict[str, StoredTensor]:
    """The tensors by name that `content`, the pickle inside the file `path`, describes.

    Raises EngineError: "unsafe" when it asks for anything else, naming it, "unsupported_format"
    for a newer pickle, "corrupt" when it is broken or holds what is no tensor."""
    try:
        table = _Machine(path, content).run()
        if not isinstance(table, dict):
            raise _BrokenError("it holds no table of tensors")
        for name, value in table.items():
            if not isinstance(value, StoredTensor):
                raise _BrokenError(f"{name} is not a tensor")
    except _BrokenError as error:
        raise corrupt(path, str(error)) from error
    except (IndexError, KeyError, ValueError, struct.error) as error:
        raise corrupt(path, "its table of tensors is damaged") from error
    return table


def corrupt(path: Path, detail: str) -> EngineError:
    """The error for a torch file that does not hold together."""
    return EngineError("corrupt", file=path, format="PyTorch", detail=_plain(detail))


def _plain(text: str) -> str:
    """A sentence with a name out of the file, which may be of any letters."""
    return text.encode("ascii", "backslashreplace").decode()


class _Machine:
    """Carries out a pickle's instructions on a stack of plain values."""

    def __init__(self, path: Path, content: bytes) -> None:
        self.path, self.content, self.at = path, content, 0
        self.stack: list[Any] = []
        self.marks: list[int] = []  # how much of the stack lay below each mark
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        """The value that the pickle leaves."""
        while (code := self.take(1)) != pickle.STOP:
            if code in _CONSTANTS:
                self.stack.append(_CONSTANTS[code])
            elif code in _STEPS:
                _STEPS[code](self)
            else:
                raise self.unsafe(f"the pickle instruction {code.hex()}")
        return self.stack.pop()

    def unsafe(self, found: str) -> EngineError:
        """The error for a pickle that wants more than a table of tensors."""
        return EngineError("unsafe", file=self.path, found=_plain(found))

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        part = self.content[self.at : self.at + count]
        if len(part) < count:
            raise _BrokenError("its table of tensors ends too early")
        self.at += count
        return part

    def number(self, code: str) -> int:
        """The next number, by its code in `struct`."""
        value: int = struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]
        return value

    def line(self) -> str:
        """The text up to the end of the line."""
        end = self.content.index(b"\n", self.at)
        return self.take(end + 1 - self.at)[:-1].decode()

    def popped(self, count: int) -> tuple[Any, ...]:
        """The last `count` values, taken off the stack and off no mark's other side."""
        start = len(self.stack) - count
        if start < (self.marks[-1] if self.marks else 0):
            raise _BrokenError("its table of tensors is damaged")
        values = tuple(self.stack[start:])
        del self.stack[start:]
        return values

    def since_mark(self) -> tuple[Any, ...]:
        """The values above the last mark, which goes too."""
        values = self.popped(len(self.stack) - self.marks[-1])
        self.marks.pop()
        return values

    def protocol(self) -> None:
        """Only the protocol in which torch writes, unless it is told to use another."""
        if (found := self.number("B")) != _PROTOCOL:
            name, found_format = self.path.name, f"a pickle of protocol {found}"
            raise EngineError("unsupported_format", name=name, found=found_format)

    def mark(self) -> None:
        """Begin a group of values."""
        self.marks.append(len(self.stack))

    def text(self) -> None:
        """A text with its length before it."""
        self.stack.append(self.take(self.number("I")).decode())

    def long(self) -> None:
        """A whole number of any length up to 255 bytes."""
        self.stack.append(int.from_bytes(self.take(self.number("B")), "little", signed=True))

    def named(self) -> None:
        """A name in a module: one of the few that a table of tensors needs."""
        name = f"{self.line()}.{self.line()}"
        if name not in (_TABLE, _TENSOR, _PARAMETER, *STORAGES):
            raise self.unsafe(name)
        self.stack.append(_Global(name))

    def fill(self, pairs: tuple[Any, ...]) -> None:
        """Put names and values into the table on the stack."""
        table = self.stack[-1]
        if not isinstance(table, dict) or len(pairs) % 2:
            raise _BrokenError("its table of tensors is damaged")
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            if not isinstance(name, str):
                raise _BrokenError("a tensor's name is not a text")
            if name in table:
                raise _BrokenError(f"{name} appears twice")
            table[name] = value

    def build(self) -> None:
        """torch notes versions beside a table; nothing else may be changed, and they are let go."""
        target, _ = self.popped(2)
        if not isinstance(target, dict):
            raise self.unsafe("a change to what is no table")
        self.stack.append(target)

    def storage(self) -> None:
        """What torch keeps outside the pickle: ("storage", type, key, device, size)."""
        match self.popped(1)[0]:
            case ("storage", _Global(kind), str(key), str(), size) if kind in STORAGES:
                self.stack.append(_Storage(key, _count(size), STORAGES[kind]))
            case _:
                raise _BrokenError("it names a storage that is none")

    def call(self) -> None:
        """A call as data: an empty table, a tensor, or a parameter, which is a tensor."""
        match self.popped(2):
            case (_Global(name), ()) if name == _TABLE:
                self.stack.append({})
            case (_Global(name), (StoredTensor() as tensor, _, _)) if name == _PARAMETER:
                self.stack.append(tensor)
            case (_Global(name), (_Storage() as part, offset, shape, strides, *_)) if (
                name == _TENSOR
            ):
                stored = StoredTensor(
                    part.key, part.size, part.dtype, _count(offset), _counts(shape),
                    _counts(strides),
                )  # fmt: skip
                if len(stored.shape) != len(stored.strides):
                    raise _BrokenError("a tensor has more strides than sizes or fewer")
                self.stack.append(stored)
            case (_Global(name), _):
                raise _BrokenError(f"it calls {name} with what that does not take")
            case _:
                raise self.unsafe("a call of what is no function")


def _count(value: Any) -> int:
    if type(value) is int and 0 <= value < 2**63:
        return value
    raise _BrokenError("a tensor's size is not a count")


def _counts(values: Any) -> tuple[int, ...]:
    if isinstance(values, tuple) and len(values) <= _DIMENSIONS:
        return tuple(_count(value) for value in values)
    raise _BrokenError("a tensor's shape is not a list of counts")


_Step = Callable[[_Machine], object]


def _push(code: str) -> _Step:
    return lambda machine: machine.stack.append(machine.number(code))


def _put(code: str) -> _Step:
    return lambda machine: machine.memo.__setitem__(machine.number(code), machine.stack[-1])


def _get(code: str) -> _Step:
    return lambda machine: machine.stack.append(machine.memo[machine.number(code)])


def _tuple(count: int) -> _Step:
    return lambda machine: machine.stack.append(machine.popped(count))


_CONSTANTS: dict[bytes, Any] = {
    pickle.NONE: None, pickle.NEWTRUE: True, pickle.NEWFALSE: False, pickle.EMPTY_TUPLE: (),
}  # fmt: skip
_STEPS: dict[bytes, _Step] = {
    pickle.PROTO: _Machine.protocol,
    pickle.MARK: _Machine.mark,
    pickle.BININT: _push("i"), pickle.BININT1: _push("B"), pickle.BININT2: _push("H"),
    pickle.LONG1: _Machine.long,
    pickle.BINUNICODE: _Machine.text,
    pickle.BINPUT: _put("B"), pickle.LONG_BINPUT: _put("I"),
    pickle.BINGET: _get("B"), pickle.LONG_BINGET: _get("I"),
    pickle.TUPLE1: _tuple(1), pickle.TUPLE2: _tuple(2), pickle.TUPLE3: _tuple(3),
    pickle.TUPLE: lambda machine: machine.stack.append(machine.since_mark()),
    pickle.EMPTY_DICT: lambda machine: machine.stack.append({}),
    pickle.SETITEM: lambda machine: machine.fill(machine.popped(2)),
    pickle.SETITEMS: lambda machine: machine.fill(machine.since_mark()),
    pickle.GLOBAL: _Machine.named,
    pickle.REDUCE: _Machine.call,
    pickle.BUILD: _Machine.build,
    pickle.BINPERSID: _Machine.storage,
}  # fmt: skip
