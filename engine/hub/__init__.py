"""The Hugging Face Hub: what it offers, and bringing a model down whole. No MLX."""
