"""GPT-NeoX in the Hugging Face layout: the Transformer that Pythia is (Biderman et al. 2023,
arXiv:2304.01373), beside which Mambas of the same data, tokenizer and sizes are measured.

Sizes come from the tensors, as Mamba's; heads, rotation and the rest only the config can tell.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.device import mx
from engine.errors import EngineError
from engine.kv_cache import KeysValues
from engine.models.linear import Linear, Matrix
from engine.models.table import HasShape, count_layers, epsilon, shape_of
from engine.neox_layout import EMBEDDINGS, context_of

_LAYERS = "gpt_neox.layers."
_FINAL = "gpt_neox.final_layer_norm"
# Small tensors that stay float32 whatever the weights are.
_FLOAT32 = re.compile(r"norm\.(weight|bias)$")
# The names that transformers has for the two forms of GELU.
_EXACT = {"gelu", "gelu_python"}
_TANH = {"gelu_new", "gelu_fast", "gelu_pytorch_tanh", "gelu_accurate"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The sizes of a model, where it can be in Mamba's names for them."""

    vocab_size: int
    d_model: int
    n_layer: int
    n_head: int
    d_inner: int  # of the MLP
    context: int  # tokens that it was made to read at most
    rotary: int  # numbers of a head's that turn with the position
    rotary_base: float
    tied: bool
    attention_bias: bool
    parallel_residual: bool  # attention and MLP read the same
    exact_gelu: bool  # else the form with tanh
    norm_eps: float

    @staticmethod
    def read(fields: Mapping[str, Any], tensors: Mapping[str, HasShape]) -> Config:
        """The sizes that the tensors have, and the rest from the config's fields.

        Raises EngineError where a tensor is missing or a field says what cannot be."""
        first = f"{_LAYERS}0."
        d_model = shape_of(tensors, f"{_FINAL}.weight", 1)[0]
        n_head = _heads(fields, d_model)
        return Config(
            vocab_size=shape_of(tensors, EMBEDDINGS, 2)[0],
            d_model=d_model,
            n_layer=count_layers(tensors, _LAYERS, "attention.dense.weight"),
            n_head=n_head,
            d_inner=shape_of(tensors, f"{first}mlp.dense_h_to_4h.weight", 2)[0],
            context=context_of(fields),
            rotary=_rotary(fields, d_model // n_head),
            rotary_base=_base(fields),
            tied="embed_out.weight" not in tensors,
            attention_bias=f"{first}attention.dense.bias" in tensors,
            parallel_residual=fields.get("use_parallel_residual", True) is not False,
            exact_gelu=_is_exact(fields),
            norm_eps=epsilon(fields, "layer_norm_eps", 1e-5),
        )

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Every tensor that the model has, with its shape."""
        d, e = self.d_model, self.d_inner
        layer: dict[str, tuple[int, ...]] = {
            "input_layernorm.weight": (d,),
            "input_layernorm.bias": (d,),
            "post_attention_layernorm.weight": (d,),
            "post_attention_layernorm.bias": (d,),
            "attention.query_key_value.weight": (3 * d, d),
            "attention.dense.weight": (d, d),
            "mlp.dense_h_to_4h.weight": (e, d),
            "mlp.dense_h_to_4h.bias": (e,),
            "mlp.dense_4h_to_h.weight": (d, e),
            "mlp.dense_4h_to_h.bias": (d,),
        }
        if self.attention_bias:
            layer |= {"attention.query_key_value.bias": (3 * d,), "attention.dense.bias": (d,)}
        whole = {EMBEDDINGS: (self.vocab_size, d), f"{_FINAL}.weight": (d,), f"{_FINAL}.bias": (d,)}
        if not self.tied:
            whole["embed_out.weight"] = (self.vocab_size, d)
        for i in range(self.n_layer):
            whole |= {f"{_LAYERS}{i}.{name}": size for name, size in layer.items()}
        return whole


def _bad(field: str, expected: str, found: Any) -> EngineError:
    return EngineError(
        "bad_config", file="config.json", field=field, expected=expected, found=str(found)
    )


def _heads(fields: Mapping[str, Any], d_model: int) -> int:
    value = fields.get("num_attention_heads")
    if type(value) is int and value > 0 and d_model % value == 0:
        return value
    raise _bad("num_attention_heads", f"a count by which {d_model} can be divided", value)


def _turning(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """What newer configs put into a table of its own. Raises EngineError for positions that turn
    in another way than the first GPT-NeoX's."""
    table = fields.get("rope_parameters") or fields.get("rope_scaling") or {}
    kind = table.get("rope_type", table.get("type")) if isinstance(table, dict) else table
    if kind not in (None, "default"):
        raise _bad("rope_scaling", "none", kind)
    return table


def _rotary(fields: Mapping[str, Any], head_dim: int) -> int:
    """How many of a head's numbers turn: the same share of each head, an even count."""
    share = _turning(fields).get("partial_rotary_factor", fields.get("rotary_pct", 0.25))
    if isinstance(share, int | float) and 0 < share <= 1:
        turned = int(head_dim * share)
        if turned and turned % 2 == 0:
            return turned
    raise _bad("rotary_pct", f"an even part of {head_dim}", share)


def _base(fields: Mapping[str, Any]) -> float:
    older = fields.get("rotary_emb_base", fields.get("rope_theta", 10_000))
    value = _turning(fields).get("rope_theta", older)
    if isinstance(value, int | float) and math.isfinite(value) and value > 0:
        return float(value)
    raise _bad("rotary_emb_base", "a number above 0", value)


def _is_exact(fields: Mapping[str, Any]) -> bool:
    name = fields.get("hidden_act", "gelu")
    if isinstance(name, str) and name in _EXACT | _TANH:
        return name in _EXACT
    raise _bad("hidden_act", "gelu", name)


def precision(name: str, dtype: mx.Dtype) -> mx.Dtype:
    """The type in which the tensor `name` is kept when the weights are `dtype`."""
    return mx.float32 if _FLOAT32.search(name) else dtype


def gelu(x: mx.array, *, exact: bool) -> mx.array:
    """x times the share of a normal distribution below it, in float32; or an approximation."""
    wide = x.astype(mx.float32)
    if exact:
        inner = mx.erf(wide * math.sqrt(0.5))
    else:
        inner = mx.tanh(math.sqrt(2 / math.pi) * (wide + 0.044715 * wide * wide * wide))
    return (0.5 * wide * (1 + inner)).astype(x.dtype)


class Norm:
    """Mean 0 and variance 1 of a row, then a weight and a bias, in float32."""

    def __init__(self, weights: Mapping[str, mx.array], name: str, eps: float) -> None:
        self.weight, self.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        self.eps = eps

    def __call__(self, x: mx.array) -> mx.array:
        return mx.fast.layer_norm(x, self.weight, self.bias, self.eps)


class Attention:
    """x (batch, length, d_model) in and out, with what it has read."""

    def __init__(self, config: Config, weights: Mapping[str, mx.array], prefix: str) -> None:
        self.config = config
        self.query_key_value = Linear(weights, f"{prefix}query_key_value", config.d_model)
        self.dense = Linear(weights, f"{prefix}dense", config.d_model)

    def __call__(
        self, x: mx.array, read: KeysValues, counts: tuple[int, ...] | None
    ) -> tuple[mx.array, KeysValues]:
        batch, length, d = x.shape
        c = self.config
        each = self.query_key_value(x).reshape(batch, length, c.n_head, 3, d // c.n_head)
        each = each.transpose(0, 3, 2, 1, 4)  # (batch, 3, heads, length, head_dim)
        even = len(set(read.tokens)) == 1
        turned = mx.fast.rope(
            each[:, :2], c.rotary, traditional=False, base=c.rotary_base, scale=1.0,
            offset=read.tokens[0] if even else mx.array(read.tokens),
        )  # fmt: skip
        new = mx.concatenate([turned[:, 1:], each[:, 2:]], axis=1)
        after = read.extended(new, counts)
        y = after.attend(turned[:, 0], read, counts)
        return self.dense(y.swapaxes(1, 2).reshape(batch, length, d)), after


class Block:
    """One layer: attention and an MLP, each behind a norm; the residual stream is float32."""

    def __init__(self, config: Config, weights: Mapping[str, mx.array], prefix: str) -> None:
        self.config = config
        self.attention_norm = Norm(weights, f"{prefix}input_layernorm", config.norm_eps)
        self.attention = Attention(config, weights, f"{prefix}attention.")
        self.mlp_norm = Norm(weights, f"{prefix}post_attention_layernorm", config.norm_eps)
        self.wide = Linear(weights, f"{prefix}mlp.dense_h_to_4h", config.d_model)
        self.narrow = Linear(weights, f"{prefix}mlp.dense_4h_to_h", config.d_inner)

    @property
    def linears(self) -> tuple[Linear, ...]:
        """Its four matrices."""
        return self.attention.query_key_value, self.attention.dense, self.wide, self.narrow

    def __call__(
        self, hidden: mx.array, read: KeysValues, counts: tuple[int, ...] | None, dtype: mx.Dtype
    ) -> tuple[mx.array, KeysValues]:
        """hidden: (batch, length, d_model) float32; the products are of `dtype`."""
        drawn, after = self.attention(self.attention_norm(hidden).astype(dtype), read, counts)
        between = hidden + drawn
        x = self.mlp_norm(hidden if self.config.parallel_residual else between).astype(dtype)
        return between + self.narrow(gelu(self.wide(x), exact=self.config.exact_gelu)), after


class Model:
    """The whole: embeddings, layers, a last norm, the head."""

    def __init__(self, config: Config, weights: Mapping[str, mx.array], dtype: mx.Dtype) -> None:
        self.config = config
        self.dtype = dtype
        self.embed_in = Matrix(weights, EMBEDDINGS.removesuffix(".weight"), config.d_model)
        self.embed_out = (
            self.embed_in if config.tied else Matrix(weights, "embed_out", config.d_model)
        )
        self.final_layer_norm = Norm(weights, _FINAL, config.norm_eps)
        self.layers = [Block(config, weights, f"{_LAYERS}{i}.") for i in range(config.n_layer)]

    @property
    def bits(self) -> int:
        """Of a number in the packed matrices; 0 where none is packed."""
        linears = (linear.matrix.bits for linear in self.layers[0].linears)
        return max(self.embed_in.bits, *linears)

    def initial_layers(self, batch: int) -> tuple[KeysValues, ...]:
        """The state of `batch` rows that have read nothing: empty."""
        c = self.config
        empty = KeysValues.empty(batch, c.n_head, c.d_model // c.n_head, self.dtype)
        return (empty,) * c.n_layer

    def __call__(
        self,
        tokens: mx.array,
        layers: tuple[KeysValues, ...],
        lengths: mx.array | None,
        after_layer: Callable[[mx.array, KeysValues], None] | None = None,
    ) -> tuple[mx.array, tuple[KeysValues, ...]]:
        """tokens (batch, length) int32 -> hidden (batch, length, d_model), before the last norm.

        `after_layer` sees each layer's output as it is built: a place to evaluate and to stop."""
        listed: Any = None if lengths is None else lengths.tolist()
        counts = None if listed is None else tuple(listed)
        hidden = self.embed_in.rows(tokens).astype(mx.float32)
        after = []
        for block, read in zip(self.layers, layers, strict=True):
            hidden, state = block(hidden, read, counts, self.dtype)
            after.append(state)
            if after_layer:
                after_layer(hidden, state)
        return hidden, tuple(after)

    def head(self, hidden: mx.array) -> mx.array:
        """hidden (batch, length, d_model) -> logits (batch, length, vocab_size) float32."""
        normed = self.final_layer_norm(hidden).astype(self.dtype)
        return self.embed_out.products(normed).astype(mx.float32)
