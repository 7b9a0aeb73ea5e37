"""Products with a stored matrix and rows of one, dense or quantized."""

from __future__ import annotations

from collections.abc import Mapping

from engine.device import mx
from engine.ops.kernels import backend
from engine.ops.shapes import expect
from engine.quantization import unpacked

# Rows of x from which on, but on Metal, it is faster to unpack a matrix and multiply by that.
_FEW = 4


def laid_out(matrix: mx.array) -> mx.array:
    """A matrix (out, in) so that memory is read in order by `x @ matrix.T`: on a CPU a product with
    a vector takes half the time then; a GPU does not mind."""
    return mx.contiguous(matrix.T).T if backend() == "CPU" else matrix


class Matrix:
    """A matrix (rows, columns) as `weights` holds it: `name`.weight, or packed with its scales and
    biases, one each for a group of numbers of a row."""

    def __init__(self, weights: Mapping[str, mx.array], name: str, columns: int) -> None:
        self.weight = weights[f"{name}.weight"]
        self.scales = weights.get(f"{name}.scales")
        self.biases = weights.get(f"{name}.biases")  # there if the scales are
        self.columns, self.group_size, self.bits = columns, 0, 0
        if self.scales is None:
            expect(name, self.weight.shape, ("rows", columns))
        else:
            self.group_size = columns // self.scales.shape[1]
            self.bits = 32 * self.weight.shape[1] // columns
        self._columns = self.weight.T
        mx.eval(self._columns)

    def rows(self, indices: mx.array) -> mx.array:
        """The rows (..., columns) at indices (...)."""
        if self.scales is None or self.biases is None:
            return self.weight[indices]
        parts = (self.weight[indices], self.scales[indices], self.biases[indices])
        return unpacked(*parts, self.columns)

    def products(self, x: mx.array) -> mx.array:
        """x (..., columns) with every row: (..., rows)."""
        if self.scales is None:
            return x @ self._columns
        if backend() != "Metal" and x.size > _FEW * x.shape[-1]:
            return x @ unpacked(self.weight, self.scales, self.biases, self.columns).T
        return mx.quantized_matmul(
            x, self.weight, self.scales, self.biases,
            transpose=True, group_size=self.group_size, bits=self.bits,
        )  # fmt: skip


class Linear:
    """x (..., columns) -> (..., rows), with a bias where `weights` has one."""

    def __init__(self, weights: Mapping[str, mx.array], name: str, columns: int) -> None:
        self.matrix = Matrix(weights, name, columns)
        self.bias = weights.get(f"{name}.bias")

    def __call__(self, x: mx.array) -> mx.array:
        y = self.matrix.products(x)
        return y if self.bias is None else y + self.bias
