"""Other memories."""


class NotToBeHad(Exception):
    """A system, or what it needs, cannot be had here."""
