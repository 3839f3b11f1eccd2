"""The school: questions whose answers are the engine's, made from a seed."""
