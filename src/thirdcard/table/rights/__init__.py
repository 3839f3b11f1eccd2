"""What people may do at a table, each right a function of what happened there (`why` tells it)."""
