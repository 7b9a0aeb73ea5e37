"""QtGui, without the plugins that the app does not take."""

from qt_parts import collected

hiddenimports, binaries, datas = collected(__file__)
