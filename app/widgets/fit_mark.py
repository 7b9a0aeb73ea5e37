"""How well a model fits into memory, as a shape: disc, half disc, struck ring."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.theme import theme
from engine.api import Fit


def fit_word(fit: Fit) -> str:
    """The word beside the shape."""
    if fit == "fits":
        return QCoreApplication.translate("Fit", "fits")
    if fit == "tight":
        return QCoreApplication.translate("Fit", "tight")
    return QCoreApplication.translate("Fit", "does not fit")


def paint_fit(painter: QPainter, centre: QPointF, fit: Fit) -> None:
    """The shape, 9 pixels wide at most, around `centre`."""
    look = theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if fit == "fits":
        painter.setPen(QPen(look.color("accent"), 0.01))
        painter.setBrush(look.color("accent"))
        painter.drawEllipse(centre, 3.5, 3.5)
    elif fit == "tight":
        painter.setPen(QPen(look.color("warnMark"), 1.3))
        painter.drawEllipse(centre, 3.8, 3.8)
        painter.setBrush(look.color("warnMark"))
        box = QRectF(centre.x() - 3.8, centre.y() - 3.8, 7.6, 7.6)
        painter.drawPie(box, 90 * 16, 180 * 16)
    else:
        painter.setPen(QPen(look.color("errorMark"), 1.4))
        painter.drawEllipse(centre, 3.9, 3.9)
        painter.drawLine(centre + QPointF(-2.6, 2.6), centre + QPointF(2.6, -2.6))
    painter.restore()
