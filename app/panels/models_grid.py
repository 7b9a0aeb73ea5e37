"""The one grid of the three tables of models: where its columns stand, and what gives way."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QRectF

from app.theme import theme

COLUMNS = {
    "kind": 76, "licence": 106, "precision": 84, "disk": 68, "memory": 206, "fit": 92, "action": 62,
}  # fmt: skip
GIVE_WAY = ("licence", "precision", "kind", "disk")  # to the second line, in this order
LEAST_NAME = 158
BAR_LEFT, BAR = 24, 120  # within the memory column
FIGURE_RIGHT = 2  # from a figure to the right side of the memory column
ROW, HIGH_ROW = 33, 46  # with the hairline above it
LINE_ONE, LINE_TWO = (5, 21), (24, 16)  # top and height within a high row


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns as (left, width) in pixels from the left of a row's text. `moved` are the columns
    on the second line; `bar` is False where there is only room for the figure of the memory."""

    columns: dict[str, tuple[int, int]] = field(default_factory=dict)
    moved: frozenset[str] = frozenset()
    bar: bool = True

    @classmethod
    def of(cls, width: int, button: int = 0) -> Grid:
        """The grid of rows whose text is `width` pixels wide, with a `button` of that width."""
        px = theme().px
        wide = {name: px(pixels) for name, pixels in COLUMNS.items()}
        wide["action"] = max(wide["action"], button)
        moved: set[str] = set()
        for name in GIVE_WAY:
            if width - sum(wide.values()) >= px(LEAST_NAME):
                break
            moved.add(name)
            wide[name] = 0
        bar = width - sum(wide.values()) >= px(LEAST_NAME)
        if not bar:
            wide["memory"] -= px(BAR_LEFT + BAR)
        left = max(0, width - sum(wide.values()))
        columns = {"name": (0, left)}
        for name, pixels in wide.items():
            columns[name] = (left, pixels)
            left += pixels
        return cls(columns, frozenset(moved), bar)

    @property
    def row_height(self) -> int:
        """Of every row, in pixels."""
        return theme().px(HIGH_ROW if self.moved else ROW)

    def area(self, first: str, row: QRectF, last: str = "") -> QRectF:
        """The place of a column, or from `first` to `last`, within the text of a row."""
        left = self.columns[first][0]
        end = sum(self.columns[last or first])
        return QRectF(row.x() + left, row.y(), end - left, row.height())

    def bar_area(self, row: QRectF) -> QRectF:
        """The place of the bar in the memory column."""
        px = theme().px
        area = self.area("memory", row)
        return QRectF(area.x() + px(BAR_LEFT), area.y(), px(BAR), area.height())

    def figure_area(self, row: QRectF) -> QRectF:
        """The place of the figure in the memory column; it ends at the right."""
        area = self.area("memory", row).adjusted(0, 0, -FIGURE_RIGHT, 0)
        if self.bar:
            area.setLeft(self.bar_area(row).right())
        return area

    def lines(self, row: QRectF) -> tuple[QRectF, QRectF]:
        """The first line of a row and the second; the whole row and nothing where it has one."""
        if not self.moved:
            return row, QRectF()
        px = theme().px
        one, two = (
            QRectF(row.x(), row.y() + px(top), row.width(), px(high))
            for top, high in (LINE_ONE, LINE_TWO)
        )
        return one, two
