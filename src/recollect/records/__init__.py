"""What every part shares: writing, reading, undoing, forgetting and moving records."""
