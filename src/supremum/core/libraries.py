"""The facts of each library beside its rules, as the file of its rules states them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .errors import DTypeError, did_you_mean, short

Names = tuple[tuple[str, str], ...]
"""Pairs of names, one of ours and one of a library's."""


class Library(NamedTuple):
    """The facts of a library, beside its rules.

    Attributes:
        title: its name as it is written in prose, such as ``"PyTorch"``.
        modules: the roots of the modules that its objects come from.
        import_as: how programs import the module that has its dtypes: the module, and its alias.
        prefixes: other words that programs call it by.
        dtypes_in: the module that has its dtype objects, and after a colon the attribute of it that
            has them; ``"numpy"`` if they are NumPy's, ``""`` if they are not known.
        more_dtypes_in: other attributes of that module that have some.
        dtype_names: our name of a dtype with what the library calls it in there, if that differs.
        read_as: what its dtype objects call themselves with our name, if that differs.
        spellings: other names that it has for dtypes behind its prefix, with ours.
        unmodelled: names of its dtypes that its rules leave out, with what to type instead.
        dtype_classes: the module in which every class, and every object of one, is a dtype.
        dtype_attribute: the attribute of its arrays that has their dtype.
        shapeless: the classes, and the attributes that are true, of its arrays without a shape.
        index_dtypes: the dtypes of arrays of indices, if some alone are; its slices then have no
            negative steps.
        unmade: functions, or sorts of them, with the dtypes, or kinds, that they do not make.
        indices_of: functions with the dtypes, or kinds, of indices that they take, if not all.
        unfit_ints: where an int that its dtype does not hold is refused: in arrays that are
            ``made`` of it, or ``filled`` with it; and ``negative`` ones, where unsigned.
        refuses_overflow: whether integers that their dtype does not hold are an error.
        fills_real: whether a complex number fills an array of real ones.
        refuses_flat_axes: whether what has no dimensions has no axis 0.
        lacks_parameters: names of parameters that other libraries have, after that of a function
            if others of it have them.
        takes_own_alone: whether its functions refuse arrays of NumPy, and strings for dtypes.
        array_class: the class of its arrays: its module, and after a colon its name.
        cast: how an array is cast, with ``{x}`` for it and ``{dtype}`` for the dtype; or ``""``.
        last: how the largest number of a dtype, or the least, is written.
        cast_methods: our names of dtypes, with the methods of its arrays that cast to them.
        names_own_dtype: whether programs name the dtype that an array at hand has, as in
            ``y.to(x.dtype)``, since what they are given is floats of one width or another.
        casts_scalars: whether a dtype is called to cast a scalar, as in ``np.float32(x)``.
        dtypes_as_text: whether programs write its dtypes as strings.
        dtype_by_name: whether its functions take sizes by position, and a dtype by its name alone.
        weighs_means: whether a mean with weights has the dtype of the mean, joined with theirs.
        matches_rows: whether operands meet by the labels of their rows: what a shorter one lacks is
            NaN, which its dtype must hold.
        as_methods: the functions of the library of scalars that call methods of its arrays, or its
            operators; where there are any, all others have the rules of that library, and give
            its arrays, but ufuncs, which give arrays of this one.
        leaving: the methods and attributes of its arrays that give one of the library of scalars,
            each with the function that it is.
        first_made: the functions, as the library calls them, that make an array of a number that
            comes first, which operators do not.
        float64_functions: the functions that give float64, whatever floats they are given.
        wide_scalars: the functions that compute narrow floats with a scalar in float32, if that is
            the second operand, of one element and any rank, or a number.
        by_reciprocal: whether a number over narrow floats is their reciprocal times the number.
        multiplies_powers: whether a power is multiplied out if its exponent is an int, or an
            integer array without dimensions, which is read.
        divides_by_one_less: whether its variances are by default those of a sample, divided by one
            less than the number of elements.
        wrappers: the roots of modules without rules, whose arrays hold its own, and are cast alike.
        other_classes: names of classes that are not arrays, with what their values are: functions
            that it ``compiled``, what is ``traced`` for an array, an ``indexer`` of rows.
        at_hand: returns the values of an array as NumPy's, or None if they are not computed yet, or
            on a device.
        is_tracing: returns whether it takes down what is asked of its arrays now; None if it never
            does.
        devices: the devices that decide which dtypes it has, with the options of its rules there.
        rules_as_set: returns what names the rules that a module of it follows now, with options.
        rules_by_release: whether these depend on its release alone, and not on a setting.
        as_installed: the options of its rules before a program sets any; None if those are the
            usual ones, and it has no such setting.
        as_said: returns the options of its rules that the environment sets.
        takes_lists: whether its operators and functions take lists of numbers for arrays.
        updates: the attribute of its arrays with which updated copies are made, or ``""``.
        conjugates_real: whether the method `conj` is the function, and does not leave what is real.
        squares_bools: whether the operator of its arrays squares bools, where power widens them.
        clamps_indices: whether an index beyond the end is that of the last element.
        index_lists: whether a list is an index of its arrays.
        asked_by_rule: functions that make of the dtype that they are asked for what they make of
            operands of it.
        lengths: functions that give a length, or lengths, as an array, with its dtype; an attribute
            begins with a dot. Elsewhere they are ints of Python. If it is "", the backend decides.
        truths: functions that say in one bool what elsewhere has one for each element.
        conditions_choose: whether `where` is a method of the condition, and not of what is chosen.
        stores_in_place: whether a method that ends with an underscore changes its array.
        compared: whether its rules are asked if every library is compared.
        standard: whether it is a standard, which leaves undefined what its rules refuse.
    """

    title: str
    modules: tuple[str, ...]
    import_as: tuple[str, str] = ("numpy", "np")
    prefixes: tuple[str, ...] = ()
    dtypes_in: str = ""
    more_dtypes_in: tuple[str, ...] = ()
    dtype_names: Names = ()
    read_as: Names = ()
    spellings: Names = ()
    unmodelled: Names = ()
    dtype_classes: str = ""
    dtype_attribute: str = "dtype"
    shapeless: tuple[str, ...] = ()
    index_dtypes: tuple[str, ...] = ()
    unmade: Names = ()
    indices_of: Names = ()
    unfit_ints: tuple[str, ...] = ()
    refuses_overflow: bool = False
    fills_real: bool = False
    refuses_flat_axes: bool = False
    lacks_parameters: tuple[str, ...] = ()
    takes_own_alone: bool = False
    array_class: str = ""
    cast: str = ""
    last: str = "{module}.finfo({dtype}).{end}"
    cast_methods: Names = ()
    names_own_dtype: bool = False
    casts_scalars: bool = False
    dtypes_as_text: bool = False
    dtype_by_name: bool = False
    weighs_means: bool = False
    matches_rows: bool = False
    as_methods: tuple[str, ...] = ()
    leaving: tuple[tuple[str, str], ...] = ()
    first_made: tuple[str, ...] = ()
    float64_functions: tuple[str, ...] = ()
    wide_scalars: tuple[str, ...] = ()
    by_reciprocal: bool = False
    multiplies_powers: bool = False
    divides_by_one_less: bool = False
    wrappers: tuple[str, ...] = ()
    other_classes: Names = ()
    at_hand: Callable[[Any], Any] | None = None
    is_tracing: Callable[[], bool] | None = None
    devices: Names = ()
    rules_as_set: Callable[[Any], str] | None = None
    rules_by_release: bool = False
    as_installed: tuple[tuple[str, Any], ...] | None = None
    as_said: Callable[[], Mapping[str, Any]] = dict
    takes_lists: bool = False
    updates: str = ""
    conjugates_real: bool = False
    squares_bools: bool = False
    clamps_indices: bool = False
    index_lists: bool = True
    asked_by_rule: tuple[str, ...] = ()
    lengths: Names = ()
    truths: tuple[str, ...] = ()
    conditions_choose: bool = False
    stores_in_place: bool = False
    compared: bool = True
    standard: bool = False

    @property
    def reads_text(self) -> bool:
        """Whether a string does for a dtype of it, which needs no import."""
        return self.dtypes_as_text or "numpy" in (self.dtypes_in, self.import_as[0])


ASTYPE = "{x}.astype({dtype})"
"""How most libraries cast an array."""

Listing = Callable[[], Mapping[str, Callable[[], Library | None]]]
"""Returns what loads the facts of each library, by the names of the files that state them."""

_listing: Listing = dict
_of_modules: dict[str, Library | None] = {}
_by_rules: dict[str, Library] = {}


def find_libraries(listing: Listing) -> None:
    """Set where the facts of libraries are found; there are none before.

    Args:
        listing: returns what loads them. It is not called before a library is asked for.
    """
    global _listing  # noqa: PLW0603  # the one registry of the core, which `systems` fills
    _listing = listing
    _of_modules.clear()
    _by_rules.clear()


def library_of_module(root: str) -> Library | None:
    """Return the library whose objects come from modules of this root, or None if it has no rules.

    The name of its file begins the root, as ``jax`` begins ``jaxlib``.
    """
    if root not in _of_modules:
        known = _listing()
        loaded = (known[file]() for file in [*known][::-1] if root.startswith(file))
        _of_modules[root] = next((x for x in loaded if x and root in x.modules), None)
    return _of_modules[root]


def libraries() -> Mapping[str, Library]:
    """Return every library by the name of its rules."""
    if not _by_rules:
        loaded = {file.replace("_", "-"): load() for file, load in _listing().items()}
        _by_rules.update({name: library for name, library in loaded.items() if library})
    return _by_rules


def library_called(title: str) -> Library | None:
    """Return the library of a title, or None if no rules are of it."""
    return next((x for x in libraries().values() if x.title == title), None) if title else None


def library_prefixed(word: str) -> Library | None:
    """Return the library that programs call by a word, such as ``np``, or None.

    A standard is called by the names of its modules alone.
    """
    for library in libraries().values():
        module, alias = library.import_as
        is_own = module.partition(".")[0] in library.modules and not library.standard
        if word in library.modules or word in library.prefixes or (is_own and word == alias):
            return library
    return None


def library_titled(title: str) -> Library:
    """Return the library of a title, or what holds one; for any other, one of which no facts hold.

    >>> from supremum.core.libraries import library_titled
    >>> library_titled("PyTorch").cast, library_titled("frobnicate").cast
    ('{x}.to({dtype})', '')
    """
    # whose arrays were met is known without the facts of all others
    met = (x for x in _of_modules.values() if x is not None and x.title == title)
    found = (x for x in libraries().values() if x.title == title or title in x.wrappers)
    return next(met, None) or next(found, _UNKNOWN)


_UNKNOWN = Library("", ())


def library_of_system(name: str) -> Library:
    """Return the library whose rules have this name.

    Raises:
        DTypeError: if there is none.
    """
    words = name.split("-") if isinstance(name, str) else []
    for count in range(len(words), 0, -1):  # several rules of one file begin with its name
        if load := _listing().get("_".join(words[:count])):
            library = load()
            if library is not None:
                return library
    known = [rules for rules, facts in libraries().items() if facts.dtypes_in]
    hint, close = did_you_mean(short(name), known)
    raise DTypeError(f"{short(name)} is not one of {', '.join(known)}{hint}", name, close)
