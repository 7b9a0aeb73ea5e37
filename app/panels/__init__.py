"""The window's panels: values in through slots, intentions out through signals."""
