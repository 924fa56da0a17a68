"""How each live library is asked; each module is a `supremum.conformance.questions.Library`."""
