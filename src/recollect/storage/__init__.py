"""Where memory is kept: the only room with SQL and drivers."""
