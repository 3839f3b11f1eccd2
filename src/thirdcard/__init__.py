"""Five approved baccarat rulebooks made to run."""
