"""Mamba-1 in the Hugging Face layout (Gu and Dao 2023, arXiv:2312.00752).

Sizes come from the tensors, since config fields are often wrong; the config is asked only for
what tensors cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.device import mx
from engine.errors import EngineError
from engine.models.linear import Linear, Matrix, laid_out
from engine.models.table import HasShape, count_layers, epsilon, shape_of
from engine.ops.add_norm import add_norm
from engine.ops.causal_conv import causal_conv1d
from engine.ops.selective_scan import selective_scan
from engine.ops.ssm_step import ssm_step
from engine.state import LayerState

# Small tensors that stay float32 whatever the weights are.
_FLOAT32 = re.compile(r"(A_log|\.D|norm\.weight|norm_f\.weight|dt_proj\.bias)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The sizes of a model, in the field's own names."""

    vocab_size: int
    d_model: int
    n_layer: int
    d_inner: int
    d_state: int
    d_conv: int
    dt_rank: int
    tied: bool
    bias: bool  # on in_proj and out_proj
    conv_bias: bool
    conv_last: bool  # the convolution is stored (d_inner, d_conv, 1), as MLX's own has it
    norm_eps: float
    residual_in_fp32: bool

    @staticmethod
    def read(fields: Mapping[str, Any], tensors: Mapping[str, HasShape]) -> Config:
        """The sizes that the tensors have. Raises EngineError when one that tells is missing."""

        def shape(name: str, ndim: int) -> tuple[int, ...]:
            return shape_of(tensors, name, ndim)

        first = "backbone.layers.0.mixer."
        d_inner, d_state = shape(first + "A_log", 2)
        _, near, far = shape(first + "conv1d.weight", 3)
        selected = shape(first + "x_proj.weight", 2)[0]  # dt, B and C
        if selected <= 2 * d_state:
            raise EngineError(
                "wrong_shape", name=first + "x_proj.weight", expected=f"over {2 * d_state} rows",
                found=selected,
            )  # fmt: skip
        return Config(
            vocab_size=shape("backbone.embeddings.weight", 2)[0],
            d_model=shape("backbone.norm_f.weight", 1)[0],
            n_layer=count_layers(tensors, "backbone.layers.", "mixer.A_log"),
            d_inner=d_inner,
            d_state=d_state,
            d_conv=near * far,
            dt_rank=selected - 2 * d_state,
            tied="lm_head.weight" not in tensors,
            bias=first + "in_proj.bias" in tensors,
            conv_bias=first + "conv1d.bias" in tensors,
            conv_last=far == 1,
            norm_eps=epsilon(fields, "layer_norm_epsilon", 1e-5),
            residual_in_fp32=fields.get("residual_in_fp32", True) is not False,
        )

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Every tensor that the model has, with its shape."""
        d, e, n, r = self.d_model, self.d_inner, self.d_state, self.dt_rank
        layer: dict[str, tuple[int, ...]] = {
            "norm.weight": (d,),
            "mixer.in_proj.weight": (2 * e, d),
            "mixer.conv1d.weight": (e, self.d_conv, 1) if self.conv_last else (e, 1, self.d_conv),
            "mixer.x_proj.weight": (r + 2 * n, e),
            "mixer.dt_proj.weight": (e, r),
            "mixer.dt_proj.bias": (e,),
            "mixer.A_log": (e, n),
            "mixer.D": (e,),
            "mixer.out_proj.weight": (d, e),
        }
        if self.bias:
            layer |= {"mixer.in_proj.bias": (2 * e,), "mixer.out_proj.bias": (d,)}
        if self.conv_bias:
            layer["mixer.conv1d.bias"] = (e,)
        whole = {"backbone.embeddings.weight": (self.vocab_size, d), "backbone.norm_f.weight": (d,)}
        if not self.tied:
            whole["lm_head.weight"] = (self.vocab_size, d)
        for i in range(self.n_layer):
            whole |= {f"backbone.layers.{i}.{name}": size for name, size in layer.items()}
        return whole

    @property
    def state_bytes(self) -> int:
        """The bytes of one conversation's state when everything is float32."""
        return 4 * self.n_layer * self.d_inner * (self.d_state + self.d_conv - 1)


def precision(name: str, dtype: mx.Dtype) -> mx.Dtype:
    """The type in which the tensor `name` is kept when the weights are `dtype`."""
    return mx.float32 if _FLOAT32.search(name) else dtype


class Mixer:
    """One layer's Mamba block: (batch, length, d_model) in and out, with its state."""

    def __init__(self, config: Config, weights: Mapping[str, mx.array], prefix: str) -> None:
        def take(name: str) -> mx.array:
            return weights[prefix + name]

        def linear(name: str, columns: int) -> Linear:
            return Linear(weights, f"{prefix}mixer.{name}", columns)

        self.config = config
        self.norm = take("norm.weight")
        self.in_proj = linear("in_proj", config.d_model)
        self.conv = take("mixer.conv1d.weight").reshape(config.d_inner, config.d_conv)
        self.conv_bias = weights.get(prefix + "mixer.conv1d.bias")
        self.x_proj = linear("x_proj", config.d_inner)
        self.dt_proj = take("mixer.dt_proj.weight")
        self.dt_bias = take("mixer.dt_proj.bias")
        self.A = laid_out(-mx.exp(take("mixer.A_log")))
        self.D = take("mixer.D")
        self.out_proj = linear("out_proj", config.d_inner)
        mx.eval(self.conv, self.A)

    def __call__(
        self, x: mx.array, state: LayerState, lengths: mx.array | None
    ) -> tuple[mx.array, LayerState]:
        """x: (batch, length, d_model) in the weights' type."""
        u, z = mx.split(self.in_proj(x), 2, axis=-1)
        u, conv = causal_conv1d(u, self.conv, self.conv_bias, tail=state.conv, lengths=lengths)
        dt, B, C = self._selective(u)
        y, ssm = selective_scan(
            u, dt @ self.dt_proj.T, self.A, B, C, self.D, z, self.dt_bias,
            delta_softplus=True, initial_state=state.ssm, lengths=lengths,
        )  # fmt: skip
        return self.out_proj(y), LayerState(conv, ssm)

    def step(self, x: mx.array, state: LayerState) -> tuple[mx.array, LayerState]:
        """The same for one token of each row: x (batch, d_model)."""
        u, z = mx.split(self.in_proj(x), 2, axis=-1)
        u, conv = causal_conv1d(u[:, None], self.conv, self.conv_bias, tail=state.conv)
        u = u.squeeze(1)
        dt, B, C = self._selective(u)
        y, ssm = ssm_step(
            u, dt, self.A, B, C, self.D, z, self.dt_bias,
            dt_proj=self.dt_proj, delta_softplus=True, state=state.ssm,
        )  # fmt: skip
        return self.out_proj(y), LayerState(conv, ssm)

    def _selective(self, u: mx.array) -> tuple[mx.array, mx.array, mx.array]:
        """What u chooses for itself: dt (..., dt_rank), B and C (..., d_state)."""
        n, r = self.config.d_state, self.config.dt_rank
        dt, B, C = mx.split(self.x_proj(u), [r, r + n], axis=-1)
        return dt, B, C


class Model:
    """The whole: embeddings, residual blocks, a last norm, the head."""

    layer = Mixer

    def __init__(self, config: Config, weights: Mapping[str, mx.array], dtype: mx.Dtype) -> None:
        self.config = config
        self.dtype = dtype
        self.embeddings = Matrix(weights, "backbone.embeddings", config.d_model)
        self.lm_head = (
            self.embeddings if config.tied else Matrix(weights, "lm_head", config.d_model)
        )
        self.norm_f = weights["backbone.norm_f.weight"]
        self.layers = [
            self.layer(config, weights, f"backbone.layers.{i}.") for i in range(config.n_layer)
        ]

    @property
    def bits(self) -> int:
        """Of a number in the packed matrices; 0 where none is packed."""
        first = self.layers[0]
        linears = (first.in_proj, first.x_proj, first.out_proj)
        return max(self.embeddings.bits, *(linear.matrix.bits for linear in linears))

    def initial_layers(self, batch: int) -> tuple[LayerState, ...]:
        """The state of `batch` rows that have read nothing: zeros."""
        c = self.config
        conv = mx.zeros((batch, c.d_conv - 1, c.d_inner), self.dtype)
        ssm = mx.zeros((batch, c.d_inner, c.d_state), mx.float32)
        return tuple(LayerState(conv, ssm) for _ in range(c.n_layer))

    def __call__(
        self,
        tokens: mx.array,
        layers: tuple[LayerState, ...],
        lengths: mx.array | None,
        after_layer: Callable[[mx.array, LayerState], None] | None = None,
    ) -> tuple[mx.array, tuple[LayerState, ...]]:
        """tokens (batch, length) int32 -> hidden (batch, length, d_model), before the last norm.

        `after_layer` sees each layer's output as it is built: a place to evaluate and to stop."""
        single = tokens.shape[1] == 1 and lengths is None
        # Without the axis of time a step is fewer operations, of which a small model is made.
        hidden = self.embeddings.rows(tokens.squeeze(1) if single else tokens)
        if self.config.residual_in_fp32:
            hidden = hidden.astype(mx.float32)
        eps, after = self.config.norm_eps, []
        y: mx.array | None = None  # what the layer before adds to hidden
        for mixer, state in zip(self.layers, layers, strict=True):
            if y is None:
                normed = mx.fast.rms_norm(hidden, mixer.norm, eps).astype(self.dtype)
            else:
                hidden, normed = add_norm(hidden, y, mixer.norm, eps=eps)
            y, state = mixer.step(normed, state) if single else mixer(normed, state, lengths)
            after.append(state)
            if after_layer:
                after_layer(y, state)
        hidden = hidden if y is None else hidden + y
        return hidden[:, None] if single else hidden, tuple(after)

    def head(self, hidden: mx.array) -> mx.array:
        """hidden (batch, length, d_model) -> logits (batch, length, vocab_size) float32."""
        normed = mx.fast.rms_norm(hidden, self.norm_f, self.config.norm_eps)
        return self.lm_head.products(normed.astype(self.dtype)).astype(mx.float32)
