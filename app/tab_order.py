"""The order in which Tab goes through the window; what is not shown is passed over."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.main_window import MainWindow


def order_tabs(window: MainWindow) -> None:
    """The bars' buttons, the sidebar, the toolbar, what is asked, the view. What is made later,
    such as the rows of the Models view, follows all these: the window's first stop stays first."""
    stops = [*_sidebars(window), *_toolbar(window), *_views(window)]
    policies = [stop.focusPolicy() for stop in stops]
    for stop in stops:  # Qt leaves out what Tab does not reach at this moment
        stop.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for stop, following in pairwise(stops):
        QWidget.setTabOrder(stop, following)
    for stop, policy in zip(stops, policies, strict=True):
        stop.setFocusPolicy(policy)


def _sidebars(window: MainWindow) -> list[QWidget]:
    chats, models, bar = window.sidebar, window.models_sidebar, window.toolbar
    return [
        *(bar.show_sidebar, bar.new_button),
        *(chats.hide_button, chats.new_button, models.bar.hide_button, models.bar.new_button),
        *(chats.search, chats.view, chats.downloads),
        *(models.filter, *models.sections, *models.shown),
    ]


def _toolbar(window: MainWindow) -> list[QWidget]:
    bar, question = window.toolbar, window.question.banner
    return [
        *bar.switch.segments(),
        *(bar.picker, bar.picker.cancel, bar.export, bar.models.search, bar.models.open_folder),
        *(question.dismiss, question.button),
    ]


def _views(window: MainWindow) -> list[QWidget]:
    page, composer, notice = window.page, window.page.composer, window.models_view.banner
    return [
        *(page.banner.dismiss, page.banner.button, page.transcript.column, page.transcript.jump),
        *(composer.editor, composer.options, composer.send, composer.stop),
        *(notice.dismiss, notice.button),
    ]
