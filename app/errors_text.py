"""What went wrong, as one sentence in the user's language."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from engine.errors import EngineError

# One sentence for each code of engine.errors, with the same values.
SENTENCES: dict[str, object] = {
    "not_found": QT_TRANSLATE_NOOP(
        "Errors",
        "There is no model at {path}; give the name of an installed model or its folder.",
    ),
    "empty_folder": QT_TRANSLATE_NOOP(
        "Errors", "{path} holds no config.json; choose a folder with a model in it."
    ),
    "incomplete": QT_TRANSLATE_NOOP(
        "Errors", "{file} is incomplete: {found} of {expected} bytes; download it again."
    ),
    "corrupt": QT_TRANSLATE_NOOP(
        "Errors", "{file} cannot be read as {format} ({detail}); download it again."
    ),
    "no_weights": QT_TRANSLATE_NOOP(
        "Errors", "{path} holds no model.safetensors; download the model again."
    ),
    "missing_tensor": QT_TRANSLATE_NOOP(
        "Errors", "{file} lacks the tensor {name}; download the model again."
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
        "Errors", "{name} holds values that are not numbers; download the model again."
    ),
    "bad_config": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} should give {expected} for {field} and gives {found}; download the model again.",
    ),
    "bad_tokenizer": QT_TRANSLATE_NOOP(
        "Errors", "{file} is not a tokenizer that can be read ({detail}); download it again."
    ),
    "bad_template": QT_TRANSLATE_NOOP(
        "Errors", "The chat template of {name} failed ({detail}); choose another model."
    ),
    "unsupported": QT_TRANSLATE_NOOP(
        "Errors", "{name} is a {family} model. Mamba Chat runs {supported}."
    ),
    "other_model": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} was saved with another model ({found}); load the model it belongs to ({expected}).",
    ),
    "no_state": QT_TRANSLATE_NOOP(
        "Errors", "There is no saved state at {file}; the chat will be read again."
    ),
    "corrupt_state": QT_TRANSLATE_NOOP(
        "Errors",
        "{file} is not a saved state that can be read ({detail}); the chat will be read again.",
    ),
    "out_of_memory": QT_TRANSLATE_NOOP(
        "Errors", "The model ran out of memory at token {position}. What it wrote is kept."
    ),
    "no_backend": QT_TRANSLATE_NOOP(
        "Errors", "The {backend} backend was asked for and cannot be used here ({detail})."
    ),
    "bad_value": QT_TRANSLATE_NOOP("Errors", "{field} should be {expected} and is {found}."),
    "stopped": QT_TRANSLATE_NOOP("Errors", "Loading was stopped."),
}
UNEXPECTED: object = QT_TRANSLATE_NOOP(
    "Errors", "Something went wrong inside Mamba Chat. The log says what; try again."
)


def sentence(error: BaseException) -> str:
    """One sentence for `error`; of a fault of our own it says only where to read about it."""
    if not isinstance(error, EngineError):
        return QCoreApplication.translate("Errors", str(UNEXPECTED))
    text = QCoreApplication.translate("Errors", str(SENTENCES[error.code]))
    return text.format(**{name: _shown(value) for name, value in error.values.items()})


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
