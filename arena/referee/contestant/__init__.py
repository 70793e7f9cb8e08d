"""One entry in one unit of work: its process, requests, replies and faults."""
