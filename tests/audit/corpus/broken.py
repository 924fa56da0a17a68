# no Python: what imports it is told so
x = 1 +
