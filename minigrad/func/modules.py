"""Modules as functions of their parameters."""


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Call a module with other parameters and buffers than its own, which it has again afterwards.

    What it puts in the place of one that was given lies in the dict then.
    `strict`: each of its own must be given, and no other.

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(1, 1)
    >>> mg.func.functional_call(layer, {"weight": mg.tensor([[2.0]]), "bias": mg.tensor([1.0])}, mg.tensor([3.0]))
    tensor([7.])
    """
    given = parameter_and_buffer_dicts
    if not isinstance(given, dict):
        if not (isinstance(given, list | tuple) and all(isinstance(one, dict) for one in given)):
            what = f"a dict, or a list/tuple of dicts, but got {type(given).__name__}"
            raise ValueError(f"Expected parameter_and_buffer_dicts to be {what}")
        names = [name for part in given for name in part]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{twice} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        given = {name: one for part in given for name, one in part.items()}
    places = {}
    for path, part in module.named_modules(remove_duplicate=False):
        for held in (part._parameters, part._buffers):
            places |= {f"{path}.{name}".lstrip("."): (held, name) for name, one in held.items() if one is not None}
    own = {name: held[key] for name, (held, key) in places.items()}
    twins = {}  # by the module's own tensor
    for name in own.keys() & given.keys() if tie_weights else ():
        if twins.setdefault(id(own[name]), given[name]) is not given[name]:
            tied = sorted(other for other in given if other in own and own[other] is own[name])
            hint = "which are tied. Consider using tie_weights=False"
            raise ValueError(f"functional_call got multiple values for keys {tied}, {hint}")
    if strict:
        complaints = {
            "Unexpected": [name for name in given if name not in own],
            "Missing": [name for name, one in own.items() if name not in given and id(one) not in twins],
        }
        lines = [f"\n\t{kind} key(s): {', '.join(map(repr, names))}." for kind, names in complaints.items() if names]
        if lines:
            raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:{''.join(lines)}")
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    replaced = {name: place for name, place in places.items() if name in given or id(own[name]) in twins}
    try:
        for name, (held, key) in replaced.items():
            held[key] = given.get(name, twins.get(id(own[name])))
        return module(*args, **(kwargs or {}))
    finally:
        given.update({name: held[key] for name, (held, key) in replaced.items() if name in given and key in held})
        for name, (held, key) in replaced.items():
            held[key] = own[name]
