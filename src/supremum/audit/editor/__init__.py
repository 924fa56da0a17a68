"""The last report in an editor: a language server, and what it makes of reports and documents."""
