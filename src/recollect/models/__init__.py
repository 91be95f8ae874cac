"""The models that are called: embedders on this machine and behind an address. The only room with outgoing network."""
