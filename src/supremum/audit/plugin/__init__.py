"""The pytest plugin, beyond its entry point."""
