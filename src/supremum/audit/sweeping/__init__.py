"""The sweep: which functions of a package keep a dtype, and on which line the others widen it."""
