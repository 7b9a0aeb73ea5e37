"""Figures as text."""

from __future__ import annotations

import pytest

from app import format as text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (29.6, "29.6"),
        (4.0, "4.0"),
        (0.04, "0.0"),
        (99.94, "99.9"),
        (99.96, "100"),
        (248.4, "248"),
        (12345.0, "12,345"),
    ],
)
def test_milliseconds_and_rates_have_one_decimal_under_100_and_none_above(
    value: float | None, shown: str
) -> None:
    assert text.ms(value) == shown
    assert text.rate(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0.03, "0.03"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (17.4, "17.4"),
        (123.4, "123"),
    ],
)
def test_seconds_have_two_decimals_under_10(value: float | None, shown: str) -> None:
    assert text.seconds(value) == shown


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [
        (None, ("–", "MB")),
        (2_048, ("2.0", "kB")),
        (42_000, ("42", "kB")),
        (680_000, ("0.68", "MB")),
        (999_000, ("1.0", "MB")),
        (39_800_000, ("39.8", "MB")),
        (640_000_000, ("640", "MB")),
        (4_074_000_000, ("4.07", "GB")),
    ],
)
def test_a_measured_size_has_a_number_and_a_unit(
    n_bytes: int | None, shown: tuple[str, str]
) -> None:
    assert text.size(n_bytes) == shown


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [
        (0, "0 MB"),
        (5_200_000, "5.2 MB"),
        (24_100_000, "24 MB"),
        (60_000_000, "60 MB"),
        (400_000_000, "0.4 GB"),
        (4_100_000_000, "4.1 GB"),
        (16_000_000_000, "16 GB"),
    ],
)
def test_the_size_of_a_model_is_short(n_bytes: int, shown: str) -> None:
    assert text.short_size(n_bytes) == shown


def test_thousands_are_separated_and_nothing_counted_is_a_dash() -> None:
    assert text.count(212_480) == "212,480"
    assert text.count(0) == "0"
    assert text.count(None) == text.DASH == "–"
