"""Questions about whole systems: laws, criteria, and how systems differ."""
