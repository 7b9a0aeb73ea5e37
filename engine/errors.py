"""What can go wrong, as a code and its values: the app translates it, the command line prints it.

Each sentence says what was expected, what was found and what to do. An `EngineError` is trouble
in the environment (a file, a folder, memory); any other exception is a bug of ours.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

_LONGEST = 300

ENGLISH: dict[str, str] = {
    "not_found": "There is no model at {path}; give the name of an installed model or its folder.",
    "not_a_folder": "{path} is a file; choose the folder of a model.",
    "unreadable": "{path} cannot be read ({detail}); check the disk and your right to read it.",
    "unwritable": "{path} cannot be written ({detail}); check the disk and your right to write it.",
    "exists": "{path} is there already; give the name of a new folder.",
    "empty_folder": "{path} holds no config.json; choose a folder with a model in it.",
    "incomplete": "{file} is incomplete: {found} of {expected} bytes; download it again.",
    "corrupt": "{file} cannot be read as {format} ({detail}); download it again.",
    "unsafe": "{file} asks for {found}, which weights never need, so it was not opened; "
    "choose another model.",
    "no_weights": "{path} holds no model.safetensors; download the model again.",
    "missing_file": "{path} lacks {file}; download the model again.",
    "outside": "{file} names {found}, which is outside its folder; choose another model.",
    "bad_dtype": "{name} should be stored as {expected} and is stored as {found}; "
    "choose another model.",
    "missing_tensor": "{file} lacks the tensor {name}; download the model again.",
    "unexpected_tensor": "{file} holds the tensor {name}, which a {family} model does not have; "
    "choose another model.",
    "wrong_shape": "{name} should have the shape {expected} and has {found}; "
    "download the model again.",
    "not_finite": "{name} holds values that are not numbers; download the model again.",
    "bad_config": "{file} should give {expected} for {field} and gives {found}; "
    "download the model again.",
    "bad_tokenizer": "{file} is not a tokenizer that can be read ({detail}); download it again.",
    "vocabulary": "{file} has {found} tokens and the model has room for {expected}; "
    "download the model again.",
    "bad_template": "The chat template of {name} failed ({detail}); choose another model.",
    "unsupported": "{name} is a {family} model. Mamba Chat runs {supported}.",
    "unsupported_format": "{name} holds its weights as {found}; choose a model in the "
    "Hugging Face layout, with config.json and model.safetensors.",
    "other_model": "{file} was saved with another model ({found}); "
    "load the model it belongs to ({expected}).",
    "no_state": "There is no saved state at {file}; the chat will be read again.",
    "corrupt_state": "{file} is not a saved state that can be read ({detail}); "
    "the chat will be read again.",
    "out_of_memory": "The model ran out of memory at token {position}; "
    "close other apps or choose a smaller model.",
    "too_long": "The text has {found:,} tokens and the model reads at most {expected:,}; begin a "
    "new chat or choose a Mamba.",
    "tight": "{name} needs {needed:,} bytes of the {limit:,} that models may use, which is tight; "
    "choose a smaller model.",
    "too_big": "{name} needs {needed:,} bytes of memory and models may use {limit:,}; "
    "choose a smaller model.",
    "too_big_together": "Together these models need {needed:,} bytes of memory and models may use "
    "{limit:,}; run them one at a time, or choose fewer.",
    "smaller_fits": "{name} needs {needed:,} bytes of memory in {dtype} and models may use "
    "{limit:,}; in {smaller} it needs {smaller_needed:,}.",
    "no_model": "No model is loaded; choose one first.",
    "no_backend": "The {backend} backend was asked for and cannot be used here ({detail}).",
    "bad_value": "{field} should be {expected} and is {found}.",
    "offline": "{host} cannot be reached ({detail}); check the network and try again.",
    "proxy": "The proxy {proxy} cannot be used ({detail}); check it in Settings.",
    "certificate": "The certificate of {host} is not trusted ({detail}); check the network "
    "and the clock.",
    "hub_trouble": "{host} answered {status} instead of what was asked for; try again later.",
    "stalled": "No data came from {host} for {seconds} s, time after time; try again later.",
    "cut": "{host} closed the connection before the end; try again later.",
    "changed": "{file} changed at {host} while it came; try again.",
    "bad_redirect": "{host} leads to {found}, where no file of a model can be; choose "
    "another mirror.",
    "bad_token": "{host} does not accept the token; enter another one in Settings.",
    "gated": "{owner} asks you to accept its licence first; do so at {url}, then enter your "
    "token in Settings.",
    "bad_repo": "{found} is no name of a model; give owner/name or the address of its page.",
    "not_on_hub": "{host} has no model {repo} that you may see; check the name.",
    "no_revision": "{repo} has no revision {found}; leave it out to get the newest.",
    "bad_name": "{repo} names the file {found}, which would lie outside its folder; choose "
    "another model.",
    "too_many_files": "{repo} needs {found} files and at most {expected} are got; choose "
    "another model.",
    "wrong_size": "{file} should have {expected} bytes and {host} sends {found}; try again later.",
    "check_failed": "{file} failed its check twice and was set aside; try again later.",
    "disk_full": "{needed} bytes more are needed on the disk of {path}; make room and try again.",
    "folder_gone": "The models folder {path} is on a disk that is not connected; connect it "
    "or choose another folder.",
    "busy": "{repo} is being downloaded by another Mamba Chat; wait until that is done.",
    "inside_models": "{path} is in the models folder itself; choose a folder elsewhere.",
    "several_models": "{path} holds {found} models; choose the folder of one.",
    "no_trash": "{path} cannot be moved to the Trash ({detail}); move it there yourself.",
    "bundled": "{name} came with the app and stays with it.",
    "shared": "{name} is in the Hugging Face cache, which other programs use; remove it "
    "with their tools.",
    "no_keychain": "The token cannot be kept ({detail}); it is used until you quit.",
    "stopped": "Loading was stopped.",
}


def _shown(value: Any) -> Any:
    """A name or a path on one line of bounded length: files and folders may hold anything."""
    if not isinstance(value, str | Path):
        return value
    unseen = {"Cc", "Cs", "Zl", "Zp"}
    text = "".join("\ufffd" if unicodedata.category(c) in unseen else c for c in str(value))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class EngineError(Exception):
    """Trouble that a user can understand: `code` names a sentence, `values` fill it."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code = code
        self.values = {name: _shown(value) for name, value in values.items()}
        super().__init__(ENGLISH[code].format(**self.values))


class Stopped(EngineError):  # noqa: N818  (it is not an error)
    """The user stopped it before it was done."""

    def __init__(self) -> None:
        super().__init__("stopped")
