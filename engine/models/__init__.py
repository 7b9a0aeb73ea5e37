"""One file for each model_type: its config first, its `Model` last."""
