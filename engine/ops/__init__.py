"""The ops of a Mamba layer: each a reference, the fast twins and one chooser."""
