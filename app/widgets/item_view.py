"""What the delegates of item views share: typed access to what Qt hands to them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

Index = QModelIndex | QPersistentModelIndex


def place_of(option: QStyleOptionViewItem) -> QRect:
    """Where an item is painted."""
    rect: QRect = option.rect  # type: ignore[attr-defined]
    return rect


def state_of(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    """Whether an item is chosen, under the pointer, focused."""
    state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
    return state
