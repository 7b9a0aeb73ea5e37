"""Figures as text: decimals, thousands, units, and a dash for what was not measured. No Qt."""

from __future__ import annotations

DASH = "–"


def _one_decimal(value: float | None) -> str:
    if value is None:
        return DASH
    return f"{value:.1f}" if round(value, 1) < 100 else f"{value:,.0f}"


def ms(value: float | None) -> str:
    """Milliseconds: one decimal under 100, none above."""
    return _one_decimal(value)


def rate(value: float | None) -> str:
    """Tokens per second: one decimal under 100, none above."""
    return _one_decimal(value)


def seconds(value: float | None) -> str:
    """Seconds: two decimals under 10, one under 100, none above."""
    if value is None:
        return DASH
    return f"{value:.2f}" if round(value, 2) < 10 else _one_decimal(value)


def size(n_bytes: int | None) -> tuple[str, str]:
    """A measured size as (number, unit): ("0.68", "MB"), ("39.8", "MB"), ("4.07", "GB")."""
    if n_bytes is None:
        return DASH, "MB"
    if n_bytes < 99_500:
        return f"{n_bytes / 1e3:.1f}" if n_bytes < 9_950 else f"{n_bytes / 1e3:.0f}", "kB"
    megabytes = n_bytes / 1e6
    if megabytes < 0.995:
        return f"{megabytes:.2f}", "MB"
    if megabytes < 999.5:
        return _one_decimal(megabytes), "MB"
    return f"{megabytes / 1e3:.2f}", "GB"


def short_size(n_bytes: int) -> str:
    """The size of a model with its unit: "24 MB", "0.4 GB", "4.1 GB", "16 GB"; "0 MB" for none."""
    if not n_bytes:
        return "0 MB"
    if n_bytes < 99_500_000:
        return f"{n_bytes / 1e6:.0f} MB" if n_bytes >= 9_950_000 else f"{n_bytes / 1e6:.1f} MB"
    gigabytes = n_bytes / 1e9
    return f"{gigabytes:.1f} GB".replace(".0 GB", " GB")


def count(value: int | None) -> str:
    """A whole number with thousands separated."""
    return DASH if value is None else f"{value:,}"
