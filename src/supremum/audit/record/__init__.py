"""Recording a run: what hooks report, where values come from, and what is suppressed."""
