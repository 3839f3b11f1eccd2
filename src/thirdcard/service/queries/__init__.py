"""Questions to the running tables and their logs: what consoles, pages and the API show, and to whom.

One module a question, each with the type that it answers with and one rule on what it does not tell;
`redaction.py` is that rule for logs.
"""
