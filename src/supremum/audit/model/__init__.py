"""What every part of the audit speaks of: locations, the source there, rows, and provenance."""
