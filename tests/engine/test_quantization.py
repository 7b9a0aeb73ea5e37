"""Models in a few bits a number: made at load, made once and kept, and as MLX's tools make them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_contract import check_model, logits_of, some_tokens

from engine import LanguageModel, library, load_model, paths
from engine.device import mx
from engine.errors import EngineError
from engine.inspection import inspect
from engine.quantize_folder import quantize_folder

# Rows of whole groups, and one matrix (x_proj of "narrow") whose rows are none.
SIZES: dict[str, Any] = {"hidden_size": 64, "intermediate_size": 128, "time_step_rank": 4}
CONFIG = {"group_size": 64, "bits": 4}


@pytest.fixture
def folder(tiny_folder: Callable[..., Path]) -> Path:
    return tiny_folder(**SIZES, tie_word_embeddings=False)


def tensors_of(folder: Path) -> dict[str, mx.array]:
    return dict(mx.load(str(folder / "model.safetensors")))


def written(folder: Path, tensors: dict[str, mx.array], **config: Any) -> Path:
    """A copy of the folder with these tensors and more in its config."""
    copy = folder.with_name("written")
    shutil.copytree(folder, copy)
    mx.save_safetensors(str(copy / "model.safetensors"), tensors)
    fields = json.loads((copy / "config.json").read_text()) | config
    (copy / "config.json").write_text(json.dumps(fields))
    return copy


def packed_all(folder: Path, bits: int, which: str, group: int = 64) -> dict[str, mx.array]:
    """The folder's tensors with every matrix whose name has one of `which` packed."""
    made: dict[str, mx.array] = {}
    for name, array in tensors_of(folder).items():
        if array.ndim == 2 and any(part in name for part in which.split()):
            base = name.removesuffix(".weight")
            parts = mx.quantize(array, group_size=group, bits=bits)
            made |= dict(zip((name, f"{base}.scales", f"{base}.biases"), parts, strict=True))
        else:
            made[name] = array
    return made


def unpacked_all(tensors: dict[str, mx.array], bits: int, group: int = 64) -> dict[str, mx.array]:
    """The same tensors with the packed ones unpacked: what the packed model must be equal to."""
    made: dict[str, mx.array] = {}
    for name, array in tensors.items():
        scales = tensors.get(name.removesuffix(".weight") + ".scales")
        if name.endswith(".weight") and scales is not None:
            biases = tensors[name.removesuffix(".weight") + ".biases"]
            made[name] = mx.dequantize(array, scales, biases, group_size=group, bits=bits)
        elif not name.endswith((".scales", ".biases")):
            made[name] = array
    return made


def far(found: LanguageModel, expected: LanguageModel) -> float:
    """The relative distance of two models' logits, token by token and at once."""
    tokens = some_tokens(expected, 24)
    exact = logits_of(expected, tokens, [])[0]
    apart = [logits_of(found, tokens, cuts)[0] - exact for cuts in ([], list(range(1, 24)))]
    return max(float(np.linalg.norm(each) / np.linalg.norm(exact)) for each in apart)


MATRICES = "in_proj x_proj out_proj embeddings lm_head"


@pytest.mark.parametrize("bits", [4, 8])
def test_a_model_packed_at_load_is_the_model_of_the_unpacked_numbers(
    folder: Path, bits: int
) -> None:
    model = load_model(folder, dtype="float32", bits=bits)
    same = written(folder, unpacked_all(packed_all(folder, bits, MATRICES), bits))
    assert far(model, load_model(same, dtype="float32")) < 1e-5
    assert 0 < far(model, load_model(folder, dtype="float32")) < (0.3 if bits == 4 else 0.03)
    mixer = model._model.layers[0]
    assert mixer.in_proj.matrix.weight.dtype == mx.uint32
    assert {mixer.dt_proj.dtype, mixer.conv.dtype, mixer.A.dtype} == {mx.float32}


@pytest.mark.parametrize("bits", [4, 8])
def test_a_packed_model_keeps_the_contract(folder: Path, tmp_path: Path, bits: int) -> None:
    check_model(load_model(folder, dtype="float32", bits=bits), tmp_path)


@pytest.mark.parametrize(("bits", "group"), [(2, 32), (3, 64), (4, 64), (6, 32), (8, 64)])
def test_a_conversion_by_mlxs_tools_is_loaded_as_it_is(
    tiny_folder: Callable[..., Path], bits: int, group: int
) -> None:
    """They pack dt_proj too where its rows allow, and store the convolution channels last."""
    folder = tiny_folder(**SIZES | {"time_step_rank": 64})
    packed = packed_all(folder, bits, "in_proj x_proj out_proj embeddings dt_proj", group)
    same = load_model(written(folder, unpacked_all(packed, bits, group)), dtype="float32")
    shutil.rmtree(folder.with_name("written"))
    for name, array in packed.items():
        if name.endswith("conv1d.weight"):
            packed[name] = mx.contiguous(array.moveaxis(2, 1))
    table = {"group_size": group, "bits": bits}
    model = load_model(
        written(folder, packed, quantization=table, quantization_config=table), dtype="float32"
    )
    assert far(model, same) < 1e-5
    assert model.config.dt_rank == 64


def test_rows_that_are_no_whole_groups_stay_as_they_are(tiny_folder: Callable[..., Path]) -> None:
    folder = tiny_folder(hidden_size=64, intermediate_size=96)
    model = load_model(folder, dtype="float32", bits=4)
    mixer = model._model.layers[0]
    assert mixer.in_proj.matrix.bits == 4
    assert mixer.x_proj.matrix.bits == mixer.out_proj.matrix.bits == 0


@pytest.mark.parametrize("bits", [4, 8])
def test_what_the_command_keeps_is_what_loading_would_make(
    folder: Path, tmp_path: Path, bits: int
) -> None:
    out = tmp_path / "kept"
    command = [
        sys.executable,
        "-m",
        "engine",
        "quantize",
        folder,
        "--bits",
        str(bits),
        "--out",
        out,
    ]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    expected = load_model(folder, dtype="float32", bits=bits)
    assert far(load_model(out, dtype="float32"), expected) < 1e-6
    assert load_model(out).dtype == library.describe(out).dtype == f"{bits}-bit"
    assert library.describe(out).parameters == library.describe(folder).parameters
    fields = json.loads((out / "config.json").read_text())
    assert fields["quantization"]["bits"] == bits
    assert (out / "tokenizer.json").read_bytes() == (folder / "tokenizer.json").read_bytes()
    whole, smaller = (
        sum(f.stat().st_size for f in at.glob("*.safetensors")) for at in (folder, out)
    )
    assert smaller < whole * (bits + 4) / 32


def test_inspect_tells_a_packed_models_own_sizes(folder: Path, tmp_path: Path) -> None:
    quantize_folder(folder, tmp_path / "kept", 4)
    told, dense = (inspect(at) for at in (tmp_path / "kept", folder))
    assert told["dtype"] == "4-bit"
    for name in ("layers", "d_model", "d_inner", "d_state", "dt_rank", "parameters", "template"):
        assert told[name] == dense[name]
    assert told["needed_bytes"] < dense["needed_bytes"]


def test_a_large_model_is_kept_in_several_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.quantize_folder._SHARD", 30_000)
    quantize_folder(folder, tmp_path / "kept", 8)
    files = sorted(file.name for file in (tmp_path / "kept").glob("*.safetensors"))
    assert files[0] == f"model-00001-of-{len(files):05}.safetensors"
    assert len(files) > 2
    expected = load_model(folder, dtype="float32", bits=8)
    assert far(load_model(tmp_path / "kept", dtype="float32"), expected) < 1e-6


def test_nothing_is_left_of_a_model_that_could_not_be_written(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(EngineError, match="there already"):
        quantize_folder(folder, tmp_path / "there", 4)
    with pytest.raises(EngineError, match="4 or 8"):
        quantize_folder(folder, tmp_path / "new", 5)
    packed = written(folder, packed_all(folder, 4, MATRICES), quantization=CONFIG)
    with pytest.raises(EngineError, match="as it is stored, 4-bit and is 8-bit"):
        quantize_folder(packed, tmp_path / "new", 8)
    (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-4])
    with pytest.raises(EngineError, match="incomplete"):
        quantize_folder(folder, tmp_path / "new", 4)
    assert {path.name for path in tmp_path.iterdir()} == {"there", "tiny", "written"}


@pytest.mark.parametrize(
    "damage",
    [
        {"scales": lambda x: x[:, :0]},
        {"weight": lambda x: x[:, :-1]},
        {"biases": None},
        {"weight": lambda x: x.astype(mx.float32)},
        {"scales": lambda x: x * mx.nan},
    ],
    ids=["no groups", "words missing", "no biases", "words as numbers", "not a number"],
)
def test_a_damaged_packing_is_refused_in_a_sentence(folder: Path, damage: dict[str, Any]) -> None:
    tensors = packed_all(folder, 4, MATRICES)
    for part, change in damage.items():
        name = f"backbone.layers.1.mixer.in_proj.{part}"
        if change is None:
            del tensors[name]
        else:
            tensors[name] = change(tensors[name])
    with pytest.raises(EngineError, match="in_proj"):
        load_model(written(folder, tensors, quantization=CONFIG))


def test_a_packed_model_has_no_precision_but_its_own(folder: Path) -> None:
    """It would be told as what it is not."""
    stored = written(folder, packed_all(folder, 4, MATRICES), quantization=CONFIG)
    with pytest.raises(EngineError, match="as it is stored, 4-bit and is 8-bit"):
        load_model(stored, bits=8)
    for precision in ("bfloat16", "8-bit", "4-bit"):
        with pytest.raises(EngineError, match="as it is stored, 4-bit"):
            library.describe(stored, precision=precision)


# The system's own limit on the size of a file stands for a full disk.
FULL = """
import resource, signal, sys
from pathlib import Path
from engine.errors import EngineError
from engine.quantize_folder import quantize_folder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    quantize_folder(Path(sys.argv[1]), Path(sys.argv[2]), 8)
except EngineError as error:
    print(error.code, error)
"""


def test_a_full_disk_is_one_sentence_and_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "models" / "kept"
    run = subprocess.run(
        [sys.executable, "-c", FULL, folder, out], capture_output=True, text=True, timeout=60
    )
    assert run.stdout.startswith("unwritable "), run.stderr
    assert str(out) in run.stdout
    assert not list(out.parent.iterdir())


def test_other_bits_are_refused(folder: Path) -> None:
    with pytest.raises(EngineError, match="bits should be 4 or 8 and is 3"):
        load_model(folder, bits=3)


def test_precisions_are_different_models(folder: Path) -> None:
    """A state of one does not continue in another."""
    models = [load_model(folder, dtype="float32", bits=bits) for bits in (None, 4, 8)]
    assert len({model.identity for model in models}) == 3


def test_a_starter_in_eight_bits_says_nearly_what_it_says_in_float32() -> None:
    starter = paths.resources() / "models" / "starter-3m"
    exact = load_model(starter, dtype="float32")
    assert far(load_model(starter, dtype="float32", bits=8), exact) < 0.03
