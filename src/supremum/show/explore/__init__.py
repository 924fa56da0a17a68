"""The explorer: a page that answers, draws and judges, without a network."""
