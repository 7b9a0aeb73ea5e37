"""What went wrong, as one sentence in the user's language."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from app.format import count, short_size
from engine.errors import EngineError

# One sentence for each code of engine.errors, with the same values.
SENTENCES: dict[str, object] = {
    "not_found": QT_TRANSLATE_NOOP(
        "Errors",
        "There is no model at {path}; give the name of an installed model or its folder.",
    ),
    "not_a_folder": QT_TRANSLATE_NOOP("Errors", "{path} is a file; choose the folder of a model."),
    "unreadable": QT_TRANSLATE_NOOP(
        "Errors",
        "{path} cannot be read ({detail}); check the disk and your right to read it.",
    ),
    "unwritable": QT_TRANSLATE_NOOP(
        "Errors",
        "{path} cannot be written ({detail}); check the disk and your right to write it.",
    ),
    "exists": QT_TRANSLATE_NOOP(
        "Errors",
        "{path} is there already; give the name of a new folder.",
    ),
    "empty_folder": QT_TRANSLATE_NOOP(
        "Errors", "{path} holds no config.json; choose a folder with a model in it."
    ),
    "incomplete": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} is incomplete: {found} of {expected} bytes; download it again.",
    ),
    "corrupt": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} cannot be read as {format} ({detail}); download it again.",
    ),
    "unsafe": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} asks for {found}, which weights never need, so it was not opened; "
        "choose another model.",
    ),
    "no_weights": QT_TRANSLATE_NOOP(
        "Errors", "{path} holds no model.safetensors; download the model again."
    ),
    "missing_file": QT_TRANSLATE_NOOP(
        "Errors",
        "{path} lacks {file}; download the model again.",
    ),
    "outside": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} names {found}, which is outside its folder; choose another model.",
    ),
    "bad_dtype": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} should be stored as {expected} and is stored as {found}; choose another model.",
    ),
    "missing_tensor": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} lacks the tensor {name}; download the model again.",
    ),
    "unexpected_tensor": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} holds the tensor {name}, which a {family} model does not have; "
        "choose another model.",
    ),
    "wrong_shape": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} should have the shape {expected} and has {found}; download the model again.",
    ),
    "not_finite": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} holds values that are not numbers; download the model again.",
    ),
    "bad_config": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} should give {expected} for {field} and gives {found}; download the model again.",
    ),
    "bad_tokenizer": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} is not a tokenizer that can be read ({detail}); download it again.",
    ),
    "vocabulary": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} has {found} tokens and the model has room for {expected}; "
        "download the model again.",
    ),
    "bad_template": QT_TRANSLATE_NOOP(
        "Errors",
        "The chat template of {name} failed ({detail}); choose another model.",
    ),
    "unsupported": QT_TRANSLATE_NOOP(
        "Errors", "{name} is a {family} model. Mamba Chat runs {supported}."
    ),
    "unsupported_format": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} holds its weights as {found}; choose a model in the "
        "Hugging Face layout, with config.json and model.safetensors.",
    ),
    "other_model": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} was saved with another model ({found}); load the model it belongs to ({expected}).",
    ),
    "no_state": QT_TRANSLATE_NOOP(
        "Errors",
        "There is no saved state at {file}; the chat will be read again.",
    ),
    "corrupt_state": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} is not a saved state that can be read ({detail}); the chat will be read again.",
    ),
    "out_of_memory": QT_TRANSLATE_NOOP(
        "Errors",
        "The model ran out of memory at token {position}. What it wrote is kept.",
    ),
    "too_long": QT_TRANSLATE_NOOP(
        "Errors",
        "The text has {found} tokens and the model reads at most {expected}; begin a new chat "
        "or choose a Mamba.",
    ),
    "tight": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} needs {needed} of the {limit} for models, which is tight: load it anyway?",
    ),
    "too_big": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} needs {needed}, too near the {limit} for models; choose a smaller model.",
    ),
    "too_big_together": QT_TRANSLATE_NOOP(
        "Errors",
        "Together these models need {needed} in memory, and {limit} are for models. Run them one "
        "at a time, or choose fewer.",
    ),
    "smaller_fits": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} needs {needed} in {dtype}, too near the {limit} for models. "
        "In {smaller} it needs {smaller_needed}.",
    ),
    "no_model": QT_TRANSLATE_NOOP("Errors", "No model is loaded; choose one first."),
    "no_backend": QT_TRANSLATE_NOOP(
        "Errors",
        "The {backend} backend was asked for and cannot be used here ({detail}).",
    ),
    "bad_value": QT_TRANSLATE_NOOP(
        "Errors",
        "{field} should be {expected} and is {found}.",
    ),
    "offline": QT_TRANSLATE_NOOP(
        "Errors",
        "{host} cannot be reached ({detail}); check the network and try again.",
    ),
    "proxy": QT_TRANSLATE_NOOP(
        "Errors",
        "The proxy {proxy} cannot be used ({detail}); check it in Settings.",
    ),
    "certificate": QT_TRANSLATE_NOOP(
        "Errors",
        "The certificate of {host} is not trusted ({detail}); check the network and the clock.",
    ),
    "hub_trouble": QT_TRANSLATE_NOOP(
        "Errors",
        "{host} answered {status} instead of what was asked for; try again later.",
    ),
    "stalled": QT_TRANSLATE_NOOP(
        "Errors",
        "No data came from {host} for {seconds} s, time after time; try again later.",
    ),
    "cut": QT_TRANSLATE_NOOP(
        "Errors",
        "{host} closed the connection before the end; try again later.",
    ),
    "changed": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} changed at {host} while it came; try again.",
    ),
    "bad_redirect": QT_TRANSLATE_NOOP(
        "Errors",
        "{host} leads to {found}, where no file of a model can be; choose another mirror.",
    ),
    "bad_token": QT_TRANSLATE_NOOP(
        "Errors",
        "{host} does not accept the token; enter another one in Settings.",
    ),
    "gated": QT_TRANSLATE_NOOP(
        "Errors",
        "{owner} asks you to accept its licence first: do so at {url}, then enter your token in "
        "Settings.",
    ),
    "bad_repo": QT_TRANSLATE_NOOP(
        "Errors",
        "{found} is no name of a model; give owner/name or the address of its page.",
    ),
    "not_on_hub": QT_TRANSLATE_NOOP(
        "Errors",
        "{host} has no model {repo} that you may see; check the name.",
    ),
    "no_revision": QT_TRANSLATE_NOOP(
        "Errors",
        "{repo} has no revision {found}; leave it out to get the newest.",
    ),
    "bad_name": QT_TRANSLATE_NOOP(
        "Errors",
        "{repo} names the file {found}, which would lie outside its folder; choose another model.",
    ),
    "too_many_files": QT_TRANSLATE_NOOP(
        "Errors",
        "{repo} needs {found} files and at most {expected} are got; choose another model.",
    ),
    "wrong_size": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} should have {expected} bytes and {host} sends {found}; try again later.",
    ),
    "check_failed": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} failed its check twice and was set aside; try again later.",
    ),
    "disk_full": QT_TRANSLATE_NOOP(
        "Errors",
        "Needs {needed} more disk space in {path}. What is here is kept.",
    ),
    "folder_gone": QT_TRANSLATE_NOOP(
        "Errors",
        "The models folder {path} is on a disk that is not connected; connect it or choose "
        "another folder.",
    ),
    "busy": QT_TRANSLATE_NOOP(
        "Errors",
        "{repo} is being downloaded by another Mamba Chat; wait until that is done.",
    ),
    "inside_models": QT_TRANSLATE_NOOP(
        "Errors",
        "{path} is in the models folder itself; choose a folder elsewhere.",
    ),
    "several_models": QT_TRANSLATE_NOOP(
        "Errors",
        "{path} holds {found} models; choose the folder of one.",
    ),
    "no_trash": QT_TRANSLATE_NOOP(
        "Errors",
        "{path} cannot be moved to the Trash ({detail}); move it there yourself.",
    ),
    "bundled": QT_TRANSLATE_NOOP("Errors", "{name} came with the app and stays with it."),
    "shared": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} is in the Hugging Face cache, which other programs use; remove it with their "
        "tools.",
    ),
    "no_keychain": QT_TRANSLATE_NOOP(
        "Errors",
        "The token cannot be kept ({detail}); it is used until you quit.",
    ),
    "stopped": QT_TRANSLATE_NOOP("Errors", "Loading was stopped."),
}
# In place of these where the model needs more than there is, not nearly all of it.
OVER_LIMIT: dict[str, object] = {
    "too_big": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} needs {needed}, more than the {limit} for models; choose a smaller model.",
    ),
    "smaller_fits": QT_TRANSLATE_NOOP(
        "Errors",
        "{name} needs {needed} in {dtype}, more than the {limit} for models. "
        "In {smaller} it needs {smaller_needed}.",
    ),
}
UNEXPECTED: object = QT_TRANSLATE_NOOP(
    "Errors", "Something went wrong inside Mamba Chat. The log says what; try again."
)


def sentence(error: BaseException) -> str:
    """One sentence for `error`; of a fault of our own it says only where to read about it."""
    if not isinstance(error, EngineError):
        return QCoreApplication.translate("Errors", str(UNEXPECTED))
    source = SENTENCES[error.code]
    if error.code in OVER_LIMIT and error.values["needed"] > error.values["limit"]:
        source = OVER_LIMIT[error.code]
    text = QCoreApplication.translate("Errors", str(source))
    return text.format(**{name: _shown(name, value) for name, value in error.values.items()})


def _shown(name: str, value: object) -> str:
    if not isinstance(value, int):
        return str(value)
    if name not in ("needed", "limit", "smaller_needed"):
        return count(value)
    return short_size(value).replace(" ", "\u00a0")  # a line must not end between the two
