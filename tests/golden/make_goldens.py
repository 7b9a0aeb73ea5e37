"""Writes the tiny random checkpoints beside this file, and the logits of transformers for them
and for the starter models.

Run it from the checkout in an environment of its own (transformers is no part of the project's):

    python3.11 -m venv golden-venv
    golden-venv/bin/pip install torch==2.13.0 transformers==5.24.0 safetensors==0.8.0 numpy==2.4.6
    golden-venv/bin/python tests/golden/make_goldens.py [NAME ...]

Every golden is float32 on a CPU and names, in its metadata, the versions that made it and its
largest distance from reference.py in float64; beyond 1e-3 the script stops.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import neox
import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from reference import logits as reference_logits
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

HERE = Path(__file__).resolve().parent
STARTERS = HERE.parents[1] / "resources" / "models"
LIMIT = 1e-3
ROW, ROWS = 512, 40

BASE: dict[str, Any] = {
    "architectures": ["MambaForCausalLM"],
    "model_type": "mamba",
    "use_bias": False,
    "use_conv_bias": True,
    "hidden_act": "silu",
    "layer_norm_epsilon": 1e-5,
    "residual_in_fp32": True,
    "bos_token_id": 256,
    "eos_token_id": 256,
    "pad_token_id": 256,
    "dtype": "float32",
}
TINY: dict[str, dict[str, Any]] = {
    # d_inner odd and not 2 d_model, dt_rank 1, a short convolution, an untied head, another eps
    "narrow": {
        "vocab_size": 263, "hidden_size": 20, "intermediate_size": 37, "state_size": 8,
        "num_hidden_layers": 3, "conv_kernel": 2, "time_step_rank": 1,
        "tie_word_embeddings": False, "layer_norm_epsilon": 1e-3,
    },
    # a wide state and biases on in_proj and out_proj
    "wide-state": {
        "vocab_size": 257, "hidden_size": 24, "intermediate_size": 48, "expand": 2,
        "state_size": 64, "num_hidden_layers": 2, "conv_kernel": 3, "time_step_rank": 3,
        "use_bias": True, "tie_word_embeddings": True,
    },
    # d_inner told by expand alone, dt_rank by "auto", no bias on the convolution
    "expanded": {
        "vocab_size": 269, "hidden_size": 17, "expand": 3, "state_size": 16,
        "num_hidden_layers": 2, "conv_kernel": 4, "time_step_rank": "auto",
        "use_bias": True, "use_conv_bias": False, "tie_word_embeddings": False,
    },
    # d_inner below d_model, and what has a default left out
    "squeezed": {
        "vocab_size": 271, "hidden_size": 33, "intermediate_size": 19, "state_size": 8,
        "num_hidden_layers": 2, "conv_kernel": 3, "time_step_rank": 5,
    },
    # Falcon's norms of dt, B and C, with an epsilon that shows; expand says something else
    "falcon": {
        "model_type": "falcon_mamba", "architectures": ["FalconMambaForCausalLM"],
        "vocab_size": 261, "hidden_size": 24, "intermediate_size": 48, "expand": 16,
        "state_size": 16, "num_hidden_layers": 2, "conv_kernel": 4, "time_step_rank": 6,
        "mixer_rms_eps": 1e-2, "tie_word_embeddings": False,
    },
    # the first of them leave the epsilon out
    "falcon-first": {
        "model_type": "falcon_mamba", "architectures": ["FalconMambaForCausalLM"],
        "vocab_size": 260, "hidden_size": 20, "intermediate_size": 32, "state_size": 8,
        "num_hidden_layers": 2, "conv_kernel": 3, "time_step_rank": 2,
        "tie_word_embeddings": False,
    },
    **{name: neox.BASE | sizes for name, sizes in neox.TINY.items()},
}  # fmt: skip
# length: positions kept; 2,051 crosses the largest chunk that the engine reads at once
TINY_CASES: dict[int, list[int]] = {
    1: [0],
    2: [0, 1],
    5: list(range(5)),
    33: list(range(24, 33)),
    300: [0, 63, 64, 127, 128, 255, 256, 298, 299],
    2051: [2046, 2047, 2048, 2050],
}
STARTER_CASES: dict[int, list[int]] = {5: [0, 1, 4], 65: [31, 63, 64], 300: [127, 128, 255, 299]}
CHAT = (
    "<|endoftext|><|user|>\nWhat sound does a cow make?<|end|>\n"
    '<|assistant|>\nA cow says "moo".<|end|>\n<|user|>\nThank you!<|end|>\n<|assistant|>\n'
)


def tiny_weights(config: dict[str, Any], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Random weights with logits of order 1 to 10 and a state that remembers."""
    h, n = config["hidden_size"], config["state_size"]
    d = config.get("intermediate_size", config.get("expand", 2) * h)
    rank = config["time_step_rank"]
    rank = -(-h // 16) if rank == "auto" else rank

    def normal(*shape: int, scale: float) -> NDArray[np.float32]:
        return rng.normal(0.0, scale, shape).astype(np.float32)

    def around_one(*shape: int) -> NDArray[np.float32]:
        return 1 + normal(*shape, scale=0.1)

    weights = {"backbone.embeddings.weight": normal(config["vocab_size"], h, scale=1.0)}
    for layer in range(config["num_hidden_layers"]):
        name = f"backbone.layers.{layer}"
        dt = np.exp(rng.uniform(np.log(1e-3), np.log(1e-1), d))
        mixer = {
            "in_proj.weight": normal(2 * d, h, scale=h**-0.5),
            "conv1d.weight": normal(d, 1, config["conv_kernel"], scale=0.6),
            "x_proj.weight": normal(rank + 2 * n, d, scale=d**-0.5),
            "dt_proj.weight": normal(d, rank, scale=rank**-0.5),
            "dt_proj.bias": np.log(np.expm1(dt)).astype(np.float32),
            "A_log": np.log(rng.uniform(0.5, 16.0, (d, n))).astype(np.float32),
            "D": around_one(d),
            "out_proj.weight": normal(h, d, scale=d**-0.5),
        }
        if config["use_conv_bias"]:
            mixer["conv1d.bias"] = normal(d, scale=0.3)
        if config["use_bias"]:
            mixer["in_proj.bias"] = normal(2 * d, scale=0.3)
            mixer["out_proj.bias"] = normal(h, scale=0.3)
        weights[f"{name}.norm.weight"] = around_one(h)
        weights |= {f"{name}.mixer.{part}": value for part, value in mixer.items()}
    weights["backbone.norm_f.weight"] = around_one(h)
    if not config.get("tie_word_embeddings", True):
        weights["lm_head.weight"] = normal(config["vocab_size"], h, scale=1.0)
    return weights


def write_tokenizer(folder: Path) -> None:
    """A tokenizer of the 256 bytes and one special token, so that the folder is a whole model."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({byte: i for i, byte in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"eos_token": "<|endoftext|>", "clean_up_tokenization_spaces": False}
    write_json(folder / "tokenizer_config.json", settings)


def write_json(path: Path, value: dict[str, Any]) -> None:
    """`value` as indented JSON."""
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def write_tiny(name: str, seed: int) -> Path:
    """One tiny checkpoint as a folder."""
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    of_neox = name in neox.TINY
    config = TINY[name] if of_neox else BASE | TINY[name]
    write_json(folder / "config.json", config)
    random = np.random.default_rng(seed)
    weights = (neox.tiny_weights if of_neox else tiny_weights)(config, random)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    write_tokenizer(folder)
    return folder


def model_of(folder: Path) -> transformers.PreTrainedModel:
    """The folder's model as transformers loads it, float32; no tensor missing or left over."""
    model, info = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, output_loading_info=True
    )
    lost = {key: value for key, value in info.items() if value and key != "conversion_errors"}
    if lost:
        sys.exit(f"{folder.name}: {lost}")
    return model.eval()


def forward(model: transformers.PreTrainedModel, tokens: list[int]) -> NDArray[np.float32]:
    """Logits (l, vocab) in one pass."""
    with torch.no_grad():
        return model(torch.tensor([tokens]), use_cache=False).logits[0].numpy()


def steps(model: transformers.PreTrainedModel, tokens: list[int]) -> NDArray[np.float32]:
    """Logits (l, vocab) with half read at once and the rest token by token through the cache."""
    half = len(tokens) // 2
    rows = []
    with torch.no_grad():
        out = model(torch.tensor([tokens[:half]]), use_cache=True)
        rows.append(out.logits[0].numpy())
        for token in tokens[half:]:
            out = model(torch.tensor([[token]]), cache=out.cache, use_cache=True)
            rows.append(out.logits[0].numpy())
    return np.concatenate(rows)


def golden(
    folder: Path, sequences: dict[int, list[int]], cases: dict[int, list[int]]
) -> tuple[dict[str, np.ndarray], dict[str, str], transformers.PreTrainedModel]:
    """The arrays and the metadata of one model's golden file, checked against the reference."""
    model = model_of(folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    weights = {
        name: value.astype(np.float64)
        for name, value in load_file(folder / "model.safetensors").items()
    }
    of_neox = config["model_type"] == "gpt_neox"
    config, reference = (config, neox.logits) if of_neox else (BASE | config, reference_logits)
    arrays: dict[str, np.ndarray] = {}
    far = 0.0
    for length, positions in cases.items():
        tokens = sequences[length]
        full = forward(model, tokens)
        far = max(far, float(np.abs(full - reference(weights, config, tokens)).max()))
        if 1 < length <= 300:
            apart = float(np.abs(full - steps(model, tokens)).max())
            print(f"{folder.name}: {length} tokens, cached steps differ by {apart:.1e}")
        print(f"{folder.name}: {length} tokens, logits of {full.std():.1f} standard deviation")
        arrays[f"tokens.{length}"] = np.array(tokens, np.int32)
        arrays[f"positions.{length}"] = np.array(positions, np.int32)
        arrays[f"logits.{length}"] = np.ascontiguousarray(full[positions])
    print(f"{folder.name}: {far:.1e} from float64")
    if far > LIMIT:
        sys.exit("transformers and the reference disagree")
    made_by = {
        "transformers": transformers.__version__,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "from_float64": f"{far:.1e}",
    }
    return arrays, made_by, model


def row_nats(model: transformers.PreTrainedModel, tokens: list[int]) -> NDArray[np.float64]:
    """Nats per token (rows,) of the next token within each row of the held-out text."""
    rows = torch.tensor(tokens[: ROW * ROWS]).reshape(ROWS, ROW)
    nats = []
    for part in rows.split(4):
        with torch.no_grad():
            logits = model(part, use_cache=False).logits[:, :-1].double()
        chosen = logits.gather(-1, part[:, 1:, None])[..., 0]
        nats.append((torch.logsumexp(logits, -1) - chosen).mean(-1))
    return torch.cat(nats).numpy()


def make_starter(name: str) -> None:
    """The golden file of one starter model."""
    folder = STARTERS / name
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    text = (HERE.parents[1] / "resources" / "texts" / "heldout.txt").read_text(encoding="utf-8")
    heldout = tokenizer.encode(text, add_special_tokens=False).ids
    chat = tokenizer.encode(CHAT, add_special_tokens=False).ids
    print(f"{name}: {len(heldout):,} held-out tokens, {len(chat)} in the chat")
    sequences = {5: chat[:5], 65: (chat + heldout)[:65], 300: heldout[1000:1300]}
    arrays, made_by, model = golden(folder, sequences, STARTER_CASES)
    arrays["heldout.nats"] = row_nats(model, heldout)
    print(f"{name}: {arrays['heldout.nats'].mean():.5f} nats per token")
    save_file(arrays, HERE / f"{name}.safetensors", metadata=made_by)


def main(wanted: list[str]) -> None:
    """Writes everything again, or what is `wanted`."""
    torch.manual_seed(0)
    for seed, name in enumerate(TINY):
        if wanted and name not in wanted:
            continue
        folder = write_tiny(name, seed)
        rng = np.random.default_rng(100 + seed)
        vocab = TINY[name]["vocab_size"]
        sequences = {n: rng.integers(0, vocab, n).tolist() for n in TINY_CASES}
        arrays, made_by, _ = golden(folder, sequences, TINY_CASES)
        save_file(arrays, folder / "golden.safetensors", metadata=made_by)
    for name in ("starter-3m", "starter-12m"):
        if not wanted or name in wanted:
            make_starter(name)


if __name__ == "__main__":
    main(sys.argv[1:])
