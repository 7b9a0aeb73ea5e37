"""The chooser takes the path of MLX's device, or says why it cannot."""

from __future__ import annotations

import mlx.core as mx
import pytest

from engine.errors import EngineError
from engine.ops.kernels import backend


def test_the_backend_is_that_of_mlx_default_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAMBA_CHAT_BACKEND", raising=False)
    if mx.default_device().type == mx.cpu:
        assert backend() == "CPU"
    else:
        assert backend() == ("Metal" if mx.metal.is_available() else "CUDA")


def test_a_backend_may_be_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAMBA_CHAT_BACKEND", raising=False)
    here = backend()
    monkeypatch.setenv("MAMBA_CHAT_BACKEND", here)
    assert backend() == here


def test_a_backend_that_cannot_be_used_is_an_error_not_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MAMBA_CHAT_BACKEND", raising=False)
    for name in {"Metal", "CUDA", "CPU", "Vulkan"} - {backend()}:
        monkeypatch.setenv("MAMBA_CHAT_BACKEND", name)
        with pytest.raises(EngineError) as caught:
            backend()
        assert caught.value.code == "no_backend"
        assert name in str(caught.value)
        monkeypatch.delenv("MAMBA_CHAT_BACKEND")
