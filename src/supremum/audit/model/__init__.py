"""What every part of the audit speaks of: locations, provenance and kinds of findings."""
