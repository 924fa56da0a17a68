"""Values computed again in a wider dtype, and what that says of those that came out."""
