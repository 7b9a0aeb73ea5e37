"""Tiny GPT-NeoX checkpoints, and in float64 numpy what their goldens are checked against."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from reference import Array, Weights

BASE: dict[str, Any] = {
    "architectures": ["GPTNeoXForCausalLM"],
    "model_type": "gpt_neox",
    "bos_token_id": 256,
    "eos_token_id": 256,
    "max_position_embeddings": 2304,
    "tie_word_embeddings": False,
    "dtype": "float32",
}
TINY: dict[str, dict[str, Any]] = {
    # as Pythia's: a quarter of each head turns; what has a default is left out
    "neox": {
        "vocab_size": 259, "hidden_size": 48, "intermediate_size": 192, "num_hidden_layers": 3,
        "num_attention_heads": 6, "rotary_pct": 0.25,
    },
    # MLP after attention, whole heads turn, the form of GELU with tanh, no biases in attention
    "neox-serial": {
        "vocab_size": 262, "hidden_size": 40, "intermediate_size": 72, "num_hidden_layers": 2,
        "num_attention_heads": 4, "rotary_pct": 1.0, "rotary_emb_base": 500.0,
        "use_parallel_residual": False, "hidden_act": "gelu_new", "attention_bias": False,
        "layer_norm_eps": 1e-3,
    },
}  # fmt: skip


def tiny_weights(config: dict[str, Any], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Random weights with logits of order 1 to 10 and attention that chooses."""
    d, e, rows = (config[name] for name in ("hidden_size", "intermediate_size", "vocab_size"))

    def normal(*shape: int, scale: float) -> NDArray[np.float32]:
        return rng.normal(0.0, scale, shape).astype(np.float32)

    def norm(name: str) -> dict[str, np.ndarray]:
        return {f"{name}.weight": 1 + normal(d, scale=0.1), f"{name}.bias": normal(d, scale=0.1)}

    weights = {"gpt_neox.embed_in.weight": normal(rows, d, scale=1.0)}
    for layer in range(config["num_hidden_layers"]):
        name = f"gpt_neox.layers.{layer}"
        weights |= norm(f"{name}.input_layernorm") | norm(f"{name}.post_attention_layernorm")
        parts = {
            "attention.query_key_value": (3 * d, d), "attention.dense": (d, d),
            "mlp.dense_h_to_4h": (e, d), "mlp.dense_4h_to_h": (d, e),
        }  # fmt: skip
        for part, shape in parts.items():
            weights[f"{name}.{part}.weight"] = normal(*shape, scale=1.2 * shape[1] ** -0.5)
            if "mlp" in part or config.get("attention_bias", True):
                weights[f"{name}.{part}.bias"] = normal(shape[0], scale=0.3)
    weights |= norm("gpt_neox.final_layer_norm")
    weights["embed_out.weight"] = normal(rows, d, scale=1.0)
    return weights


def _norm(x: Array, weights: Weights, name: str, eps: float) -> Array:
    apart = x - x.mean(-1, keepdims=True)
    scaled = apart / np.sqrt(np.mean(apart * apart, -1, keepdims=True) + eps)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _linear(x: Array, weights: Weights, name: str) -> Array:
    return x @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0.0)


def _gelu(x: Array, kind: str) -> Array:
    if kind == "gelu":
        return x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2
    return x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2


def _turn(x: Array, dims: int, base: float) -> Array:
    """The first `dims` numbers of x (l, head_dim) turned, each with the one half of `dims` on."""
    half = dims // 2
    angle = np.arange(len(x))[:, None] * base ** (-np.arange(half) / half)
    first, second, rest = np.split(x, [half, dims], axis=-1)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin, rest], axis=-1)


def _attention(x: Array, weights: Weights, name: str, config: dict[str, Any]) -> Array:
    qkv = _linear(x, weights, f"{name}.query_key_value")
    size = x.shape[1] // config["num_attention_heads"]
    dims, base = int(size * config["rotary_pct"]), config.get("rotary_emb_base", 10_000.0)
    unseen = np.triu(np.full((len(x), len(x)), -np.inf), 1)
    drawn = []
    for head in range(config["num_attention_heads"]):
        q, k, v = np.split(qkv[:, 3 * size * head : 3 * size * (head + 1)], 3, axis=-1)
        scores = _turn(q, dims, base) @ _turn(k, dims, base).T / math.sqrt(size) + unseen
        weight = np.exp(scores - scores.max(-1, keepdims=True))
        drawn.append(weight / weight.sum(-1, keepdims=True) @ v)
    return _linear(np.concatenate(drawn, axis=-1), weights, f"{name}.dense")


def logits(weights: Weights, config: dict[str, Any], tokens: list[int]) -> Array:
    """Logits (l, vocab) of one sequence. `weights` are float64."""
    eps, kind = config.get("layer_norm_eps", 1e-5), config.get("hidden_act", "gelu")
    x = weights["gpt_neox.embed_in.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        name = f"gpt_neox.layers.{layer}"
        drawn = _attention(
            _norm(x, weights, f"{name}.input_layernorm", eps), weights, f"{name}.attention", config
        )
        read = x if config.get("use_parallel_residual", True) else x + drawn
        y = _norm(read, weights, f"{name}.post_attention_layernorm", eps)
        y = _gelu(_linear(y, weights, f"{name}.mlp.dense_h_to_4h"), kind)
        x = x + drawn + _linear(y, weights, f"{name}.mlp.dense_4h_to_h")
    return _norm(x, weights, "gpt_neox.final_layer_norm", eps) @ weights["embed_out.weight"].T
