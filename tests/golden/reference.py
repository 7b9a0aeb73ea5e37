"""Mamba-1 in float64 numpy, one token at a time: what the goldens are checked against."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = dict[str, Array]


def silu(x: Array) -> Array:
    """x times its sigmoid, without overflow at either end."""
    return x * np.exp(-np.logaddexp(0.0, -x))


def rms_norm(x: Array, weight: Array, eps: float) -> Array:
    """x (l, h) over its root mean square, times weight (h,)."""
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps) * weight


def _linear(x: Array, weights: Weights, name: str) -> Array:
    y = x @ weights[f"{name}.weight"].T
    bias = weights.get(f"{name}.bias")
    return y if bias is None else y + bias


def causal_conv(x: Array, weight: Array, bias: Array | None) -> Array:
    """Depthwise convolution of x (l, d) with weight (d, 1, k) over the k inputs up to each one."""
    taps = weight.shape[-1]
    padded = np.concatenate([np.zeros((taps - 1, x.shape[1])), x])
    y = sum(padded[k : k + len(x)] * weight[:, 0, k] for k in range(taps))
    return y if bias is None else y + bias


def selective_scan(u: Array, delta: Array, A: Array, B: Array, C: Array, D: Array) -> Array:
    """h = exp(delta A) h + delta B u; y = C h + D u. u, delta (l, d); A (d, n); B, C (l, n)."""
    state = np.zeros_like(A)
    y = np.empty_like(u)
    for t in range(len(u)):
        state = np.exp(delta[t, :, None] * A) * state + (delta[t] * u[t])[:, None] * B[t]
        y[t] = state @ C[t]
    return y + D * u


def mixer(x: Array, weights: Weights, name: str, normed: float | None) -> Array:
    """One Mamba mixer on x (l, h). Every size is read off the weights. `normed` is the epsilon of
    the norms of dt, B and C, None for none."""
    A_log = weights[f"{name}.A_log"]
    d_inner, d_state = A_log.shape
    xz = _linear(x, weights, f"{name}.in_proj")
    bias = weights.get(f"{name}.conv1d.bias")
    u = silu(causal_conv(xz[:, :d_inner], weights[f"{name}.conv1d.weight"], bias))
    dt, B, C = np.split(_linear(u, weights, f"{name}.x_proj"), [-2 * d_state, -d_state], axis=-1)
    if normed is not None:
        dt, B, C = (rms_norm(part, np.ones(part.shape[-1]), normed) for part in (dt, B, C))
    delta = np.logaddexp(0.0, _linear(dt, weights, f"{name}.dt_proj"))
    y = selective_scan(u, delta, -np.exp(A_log), B, C, weights[f"{name}.D"])
    return _linear(y * silu(xz[:, d_inner:]), weights, f"{name}.out_proj")


def logits(weights: Weights, config: dict[str, Any], tokens: list[int]) -> Array:
    """Logits (l, vocab) of one sequence, from a zero state. `weights` are float64."""
    eps = config["layer_norm_epsilon"]
    falcon = config["model_type"] == "falcon_mamba"
    normed = config.get("mixer_rms_eps", 1e-6) if falcon else None
    embeddings = weights["backbone.embeddings.weight"]
    x = embeddings[tokens]
    for layer in range(config["num_hidden_layers"]):
        name = f"backbone.layers.{layer}"
        y = rms_norm(x, weights[f"{name}.norm.weight"], eps)
        x = x + mixer(y, weights, f"{name}.mixer", normed)
    x = rms_norm(x, weights["backbone.norm_f.weight"], eps)
    return x @ weights.get("lm_head.weight", embeddings).T
