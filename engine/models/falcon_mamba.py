"""Falcon-Mamba: Mamba-1 whose dt, B and C are normed before they are used, without weights.

Nothing among the tensors tells of these norms, only the model type (tiiuae's Falcon-Mamba-7B and
Falcon3-Mamba-7B; Zuo et al. 2024, arXiv:2410.05355)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.device import mx
from engine.models import mamba
from engine.models.mamba import precision
from engine.models.table import HasShape, epsilon

__all__ = ["Config", "Model", "precision"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Config(mamba.Config):
    """Mamba's sizes, and the epsilon of the norms of dt, B and C."""

    mixer_rms_eps: float

    @staticmethod
    def read(fields: Mapping[str, Any], tensors: Mapping[str, HasShape]) -> Config:
        """As Mamba's; the first Falcon-Mambas leave the epsilon out and mean 1e-6."""
        sizes = mamba.Config.read(fields, tensors)
        eps = epsilon(fields, "mixer_rms_eps", 1e-6)
        return Config(**asdict(sizes), mixer_rms_eps=eps)


class Mixer(mamba.Mixer):
    """Mamba's, with the three norms."""

    config: Config

    def _selective(self, u: mx.array) -> tuple[mx.array, mx.array, mx.array]:
        n, r, eps = self.config.d_state, self.config.dt_rank, self.config.mixer_rms_eps
        dt, both = mx.split(self.x_proj(u), [r], axis=-1)
        both = mx.fast.rms_norm(both.reshape(*both.shape[:-1], 2, n), None, eps)  # B and C at once
        return mx.fast.rms_norm(dt, None, eps), both[..., 0, :], both[..., 1, :]


class Model(mamba.Model):
    """Mamba's, of these layers."""

    layer = Mixer
