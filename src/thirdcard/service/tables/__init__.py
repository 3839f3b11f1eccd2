"""The running tables: each the fold of its log; what is asked of it, who deals, what goes out to people."""
