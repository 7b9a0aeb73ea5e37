"""The table of tensors in a `pytorch_model.bin`: a zip archive, believed only after it is checked.

torch stores the numbers in it uncompressed, so that each tensor is a range of the file's bytes."""

from __future__ import annotations

import io
import stat
import struct
from math import prod
from pathlib import Path
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from engine.errors import EngineError
from engine.safetensors_header import BITS, LFS, TensorEntry
from engine.torch_pickle import StoredTensor, corrupt, read_pickle

_LARGEST = 4 << 20  # bytes of the pickle, and of the archive's directory; a 7B model's are 0.3 MB
_PICKLE = "/data.pkl"
_ZIP, _OLD_PICKLE = b"PK\x03\x04", b"\x80"
_LOCAL = struct.Struct("<4s4xH16xHH")  # signature, method, lengths of the name and of the extra


class _Bounded(io.FileIO):
    """A file that is never read far at once, whatever lengths and places it names itself."""

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """As FileIO's. Raises BadZipFile for a place before the start."""
        if whence == io.SEEK_SET and offset < 0:
            raise BadZipFile("something in it lies before its start")
        return super().seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """As FileIO's. Raises BadZipFile beyond the bound."""
        wanted = _LARGEST + 1 if size is None or size < 0 else size
        content = super().read(wanted) if wanted <= _LARGEST + 1 else None
        if content is None or len(content) > _LARGEST:
            raise BadZipFile(f"its directory takes more than {_LARGEST} bytes")
        return content


def read_torch(path: Path) -> dict[str, TensorEntry]:
    """The tensors of the file by name, in the order of their bytes; two may be the same bytes.

    Nothing in the file is run and no weights are read. Raises EngineError for a file of another
    format and when anything in it does not hold together."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for ever
            raise corrupt(path, "it is not a file")
        with _Bounded(path) as file:
            _check_start(path, file.read(len(LFS)))
            with ZipFile(file) as archive:
                members = _members(path, file, archive)
                prefix = _prefix(path, archive)
                stored = read_pickle(path, _pickle(path, archive, prefix))
    except OSError as error:
        raise EngineError("unreadable", path=path, detail=error.strerror) from error
    except (BadZipFile, ValueError, OverflowError, NotImplementedError, struct.error) as error:
        raise corrupt(path, f"its archive is damaged: {error}") from error
    entries = {
        name: _entry(path, name, tensor, members.get(f"{prefix}data/{tensor.storage}"))
        for name, tensor in stored.items()
    }
    ordered = dict(sorted(entries.items(), key=lambda item: (item[1].start, item[1].end)))
    _check_overlap(path, ordered)
    return ordered


def _check_start(path: Path, start: bytes) -> None:
    """Tell a file that is no archive by how it starts."""
    if start.startswith(LFS):
        raise corrupt(path, "it is a Git LFS pointer and not the weights")
    if start.startswith(_OLD_PICKLE):
        found = "a pickle of before PyTorch 1.6"
        raise EngineError("unsupported_format", name=path.name, found=found)
    if not start.startswith(_ZIP):
        raise corrupt(path, "it is not a zip archive")


def _members(path: Path, file: _Bounded, archive: ZipFile) -> dict[str, tuple[int, int]]:
    """Where the content of each member starts and ends, by its name."""
    members: dict[str, tuple[int, int]] = {}
    end = 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        if info.compress_type != ZIP_STORED or info.file_size != info.compress_size:
            raise corrupt(path, f"{info.filename} is compressed")
        if info.flag_bits & 1:
            raise corrupt(path, f"{info.filename} is encrypted")
        start = _content_start(path, file, info)
        if info.header_offset < end:
            raise corrupt(path, f"{info.filename} overlaps what is before it")
        end = start + info.file_size
        if info.filename in members:
            raise corrupt(path, f"{info.filename} appears twice")
        members[info.filename] = (start, end)
    if end > archive.start_dir:
        raise corrupt(path, "its last member overlaps the directory")
    return members


def _prefix(path: Path, archive: ZipFile) -> str:
    """The folder that holds everything: "archive/", or the name that the file first had."""
    found = [name for name in archive.namelist() if name.endswith(_PICKLE) and name.count("/") == 1]
    if len(found) != 1:
        raise corrupt(path, f"it holds {len(found)} tables of tensors")
    return found[0].removesuffix(_PICKLE) + "/"


def _content_start(path: Path, file: _Bounded, info: ZipInfo) -> int:
    """Where the member's content starts: after its own header, which must agree."""
    file.seek(info.header_offset)
    name_length: int
    extra_length: int
    signature, method, name_length, extra_length = _LOCAL.unpack(file.read(_LOCAL.size))
    name = file.read(name_length).decode("utf-8" if info.flag_bits & 0x800 else "cp437")
    if (signature, method, name) != (_ZIP, ZIP_STORED, info.orig_filename):
        raise corrupt(path, f"the two headers of {info.filename} differ")
    return info.header_offset + _LOCAL.size + name_length + extra_length


def _pickle(path: Path, archive: ZipFile, prefix: str) -> bytes:
    """The pickle inside, of bounded size, after a look at the order of bytes."""
    sizes = {info.filename: info.file_size for info in archive.infolist()}
    for name in ("data.pkl", "byteorder"):
        if sizes.get(prefix + name, 0) > _LARGEST:
            raise corrupt(path, f"{name} takes {sizes[prefix + name]} bytes")
    order = archive.read(prefix + "byteorder") if prefix + "byteorder" in sizes else b"little"
    if order != b"little":
        found = f"numbers of the byte order {order[:20].decode('ascii', 'replace')}"
        raise EngineError("unsupported_format", name=path.name, found=found)
    return archive.read(prefix + "data.pkl")


def _entry(
    path: Path, name: str, tensor: StoredTensor, storage: tuple[int, int] | None
) -> TensorEntry:
    """The range of the file's bytes that the tensor is, inside the range of its storage."""
    if storage is None:
        raise corrupt(path, f"the numbers of {name} are missing")
    start, end = storage
    width = BITS[tensor.dtype] // 8
    if tensor.storage_size * width != end - start:
        expected = tensor.storage_size * width
        detail = f"the storage of {name} should take {expected} bytes and takes {end - start}"
        raise corrupt(path, detail)
    count = prod(tensor.shape)
    if tensor.offset + count > tensor.storage_size:
        raise corrupt(path, f"{name} reaches beyond its storage")
    if not _is_in_rows(tensor):
        found = f"{name} in an order other than row by row"
        raise EngineError("unsupported_format", name=path.name, found=found)
    start += tensor.offset * width
    return TensorEntry(path, tensor.dtype, tensor.shape, start, start + count * width)


def _is_in_rows(tensor: StoredTensor) -> bool:
    """Whether the numbers lie one after another, the last index running fastest."""
    step = 1
    for size, stride in zip(reversed(tensor.shape), reversed(tensor.strides), strict=True):
        if size != 1 and stride != step:  # a stride over one row is never used
            return prod(tensor.shape) == 0
        step *= size
    return True


def _check_overlap(path: Path, ordered: dict[str, TensorEntry]) -> None:
    """Tensors are the same bytes, as a tied head is, or share none."""
    start = end = 0
    for name, entry in ordered.items():
        if entry.start < end and (entry.start, entry.end) != (start, end):
            raise corrupt(path, f"{name} overlaps another tensor")
        start, end = entry.start, entry.end
