"""The values that cross between the engine and whoever drives it. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from engine.registry import FOR_COMPARISON

Role = Literal["system", "user", "assistant"]
StopReason = Literal["end", "stop", "length", "stopped"]
Fit = Literal["fits", "tight", "too_big"]
# Where an installed model is: it came with the app; in the models folder, or seen there through a
# link; in a folder of the user's own; in the cache that other programs use too.
Place = Literal["bundled", "own", "linked", "imported", "shared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the engine runs on. `limit_bytes` is the memory that models may use."""

    backend: str  # "Metal", "CUDA" or "CPU"
    device: str  # "Apple M2 Pro", "2 cores, OpenBLAS"
    memory_bytes: int
    limit_bytes: int
    recommended_bytes: int = 0  # what the machine would let them use, where the user set another


class Need(NamedTuple):
    """The memory that a model takes in one precision, at its peak."""

    precision: str  # "float32", "bfloat16", "8-bit", "4-bit"
    needed_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """A model as the picker shows it, known without loading it."""

    name: str
    folder: Path
    family: str  # model_type: "mamba"
    chat: bool  # it has a chat template, or is known to be made for one
    parameters: int
    dtype: str  # on disk: "float16", or "4-bit" where the matrices are packed
    disk_bytes: int
    needed_bytes: int  # weights in memory + the longest state + the peak of reading a prompt
    state_bytes: int  # of a chat that has read nothing
    state_bytes_per_token: int = 0  # by which each token adds to it; a Mamba's is constant
    fit: Fit = "fits"
    smaller: Need | None = None  # where it does not fit as it is, the largest that does
    needs: tuple[Need, ...] = ()  # in each precision that it can be loaded in, its own first
    licence: str = ""  # as its card names it: "apache-2.0"
    place: Place = "own"
    precision: str = ""  # that was asked for: "bfloat16", "4-bit"; empty for its own
    problem: str = ""  # an English sentence when it cannot be loaded

    @property
    def for_comparison(self) -> bool:
        """It is a Transformer, beside which Mambas are measured."""
        return self.family in FOR_COMPARISON

    @property
    def owned(self) -> bool:
        """It is the app's to move to the Trash."""
        return self.place == "own"

    @property
    def bundled(self) -> bool:
        """It came with the app."""
        return self.place == "bundled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How the next token is chosen. The defaults of a penalty or a filter switch it off."""

    temperature: float = 0.7  # 0: always the most likely
    top_k: int = 0
    top_p: float = 0.9
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a chat. `ids` are the tokens that were fed for it: they, not the text,
    are what the model has read; `tokenizer` is the fingerprint of the tokenizer they belong to."""

    role: Role
    text: str
    ids: tuple[int, ...] | None = None
    tokenizer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRequest:
    """Answer `messages`, the path that ends with the user's last message."""

    id: str
    chat: str
    messages: tuple[Message, ...]
    sampling: Sampling = field(default_factory=Sampling)
    write_on: bool = False  # past the end of an answer up to the limit, for measuring


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The figures of one answer. A value that was not measured is None, never 0."""

    prompt_tokens: int  # read for this answer, not counting what the state already held
    new_tokens: int
    load_s: float | None
    ttft_ms: float | None
    prefill_tokens_per_s: float | None
    ms_per_token: float | None  # (t_last - t_first) / (n - 1); None below 2 tokens
    tokens_per_s: float | None
    state_bytes: int
    peak_memory_bytes: int
    stop_reason: StopReason
    backend: str
    position: int = 0  # tokens in the state when the answer ended


@dataclass(frozen=True, slots=True)
class Loading:
    """A model is being loaded; `fraction` of its bytes are in."""

    fraction: float


@dataclass(frozen=True, slots=True)
class Reading:
    """The prompt is being read: `done` of `total` new tokens, after `start` in the state."""

    done: int
    total: int
    start: int
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of the answer. `ms` is the time of each of its `tokens` (None for the first)."""

    text: str
    tokens: int
    position: int
    ms: float | None
    ms_per_token: float | None  # of the answer so far
    ttft_ms: float


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer ended. `ids` are the tokens fed, one tuple for each message of the path and a
    last one for the answer; None where a template does not let them be told apart."""

    text: str
    stats: Stats
    ids: tuple[tuple[int, ...], ...] | None
    tokenizer: str


Event = Loading | Reading | Piece | Finished


Phase = Literal[
    "waiting", "starting", "moving", "checking", "retrying", "offline", "paused", "failed", "done"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """How the Hub is reached."""

    endpoint: str = "https://huggingface.co"  # or that of a mirror
    proxy: str = ""  # "http://user:word@host:port"; empty for the system's
    token: str = ""  # sent to the endpoint's host alone
    bytes_per_s: int = 0  # downloads are held to it; 0 does not


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteFile:
    """A file of a repository. The SHA-256 or, of a small file, git's id of its content tells
    whether it arrived whole."""

    name: str
    size: int
    sha256: str = ""
    git_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """What a model of the Hub consists of, at one commit: the files that loading it needs."""

    repo: str  # "state-spaces/mamba-130m-hf"
    revision: str  # the commit
    files: tuple[RemoteFile, ...]
    licence: str = ""  # "apache-2.0"
    gated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A model that can be got: of the catalogue, or found on the Hub."""

    repo: str
    revision: str = "main"  # a commit where it is pinned
    family: str  # "mamba"
    chat: bool
    licence: str = ""
    parameters: int = 0  # 0: not known
    dtype: str = ""  # as it is stored: "float32", "4-bit"
    disk_bytes: int = 0  # 0: not known
    needs: tuple[Need, ...] = ()  # its own precision first; none: not known
    gated: bool = False
    about: str = ""  # one English sentence
    problem: str = ""  # an English sentence when it cannot be loaded

    @property
    def for_comparison(self) -> bool:
        """It is a Transformer, beside which Mambas are measured."""
        return self.family in FOR_COMPARISON


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A model that is coming down, as it stands now."""

    repo: str
    phase: Phase
    done_bytes: int = 0  # on this disk
    checked_bytes: int = 0  # of those, while they are checked
    total_bytes: int = 0  # 0 until it is known
    bytes_per_s: float | None = None  # of the last seconds; None: not known yet
    seconds_left: float | None = None
    after: str = ""  # while it waits: the repository before it
    idle_s: int = 0  # for so long nothing came
    retry_in_s: int = 0
    attempt: int = 0  # the next one, of `attempts` in a row without data
    attempts: int = 0
    error: Exception | None = None  # an EngineError, or a fault of ours: why it failed
