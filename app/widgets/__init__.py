"""Widgets that know no application."""
