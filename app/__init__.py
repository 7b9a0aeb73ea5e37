"""The Mamba Chat window."""
