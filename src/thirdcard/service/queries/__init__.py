"""Questions to the running tables and their logs: what consoles, pages and the API show, and to whom."""
