"""What the tests of the window share."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import paths


@pytest.fixture(scope="session")
def starter_3m() -> Path:
    """The folder of the smallest bundled model, quick enough for a test of the whole window."""
    return paths.resources() / "models" / "starter-3m"
