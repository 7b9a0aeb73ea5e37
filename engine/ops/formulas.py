"""What the scan and the step on MLX's ops share, each in the form that a CPU does fastest.

There an exp takes 20 ns for each value and a log1p 13, a multiplication 0.3, but an op of any kind
some microseconds of its own. So many values go through polynomials of cheap ops, few through
`power`, which is MLX's fastest exponential. The two agree to float32 rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.device import mx

LOG2_E = math.log2(math.e)
# The highest power first. 2^f = 1 + f * (c0 + c1 f + ...) on [-1/2, 1/2], to 9e-8, exact at 0.
_EXP2 = (0.00132647, 0.00967151, 0.05550734, 0.24022242, 0.69314698, 1.0)
# log(1 + w) = s * (c0 + c1 s^2 + ...) with s = w / (2 + w), w in [0, 1], to 4e-9.
_LOG1P = (0.28178335, 0.27960603, 0.4002491, 0.66666315, 2.0)
_ROUND = 1.5 * 2.0**23  # added to a float32, it leaves the nearest integer in the low bits
_LOWEST, _HIGHEST = -126.0, 126.0  # 2 to these are normal numbers


def softplus(x: mx.array) -> mx.array:
    """log(1 + exp(x)) of few values, float32: accurate for very negative x; above 20 x itself."""
    return mx.where(x > 20.0, x, mx.log1p(mx.power(math.e, x)))


def softplus_of_many(x: mx.array) -> mx.array:
    """The same of many values: max(x, 0) + log(1 + exp(-|x|)), which above 20 rounds to x."""
    w = exp2(mx.abs(x) * -LOG2_E)
    s = w / (w + 2.0)
    return mx.maximum(x, 0.0) + s * _polynomial(s * s, _LOG1P)


def silu(x: mx.array) -> mx.array:
    """x / (1 + exp(-x)) of few values."""
    return x / (1.0 + mx.power(1.0 / math.e, x))


def silu_of_many(x: mx.array) -> mx.array:
    """The same of many values."""
    return x / (1.0 + exp2(mx.minimum(x * -LOG2_E, _HIGHEST)))


def exp2(y: mx.array) -> mx.array:
    """2 to the y of many values, float32, for y up to 126.

    The integer part goes into the exponent bits, the rest through a polynomial.
    """
    y = mx.maximum(y, _LOWEST)
    whole = y + _ROUND
    power = _polynomial(y - (whole - _ROUND), _EXP2)
    exponent = mx.left_shift(mx.view(whole, mx.int32), 23)
    return mx.view(mx.view(power, mx.int32) + exponent, mx.float32)


def _polynomial(x: mx.array, coefficients: Sequence[float]) -> mx.array:
    p = x * coefficients[0] + coefficients[1]
    for coefficient in coefficients[2:]:
        p = p * x + coefficient
    return p


def over_channels(M: mx.array, groups: int, lead: tuple[int, ...], channels: int) -> mx.array:
    """B or C in float32 of the tokens in `lead`: (*lead, n, d); with one group (*lead, n, 1)."""
    M = M.astype(mx.float32)
    if groups == 0:
        return mx.broadcast_to(M.T, (*lead, M.shape[1], channels))
    M = M.reshape(*lead, groups, -1).swapaxes(-1, -2)
    return M if groups == 1 else mx.repeat(M, channels // groups, axis=-1)


def advance(h: mx.array, decay: mx.array, driven: mx.array, B: mx.array) -> mx.array:
    """decay h + B driven: h, decay (..., n, d), driven = delta u (..., 1, d), B over channels."""
    if B.shape[-1] == 1:
        return mx.addmm(decay * h, B, driven)
    return decay * h + B * driven


def read(h: mx.array, C: mx.array) -> mx.array:
    """The sum of C h over the states: h (..., n, d), C of over_channels, the result (..., d)."""
    if C.shape[-1] == 1:
        return (C.swapaxes(-1, -2) @ h).squeeze(-2)
    return (h * C).sum(axis=-2)
