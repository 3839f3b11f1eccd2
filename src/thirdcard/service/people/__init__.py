"""People: accounts and their roles, passwords, sessions."""
