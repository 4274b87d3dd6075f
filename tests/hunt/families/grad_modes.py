"""Grad modes inside one another: blocks, decorators, generators, calls, errors; a log of what was recorded."""

MODES = (
    "m.no_grad() m.enable_grad() m.set_grad_enabled(True) m.set_grad_enabled(False) m.inference_mode() "
    "m.inference_mode(False)"
).split()
STATE = "log.append((m.is_grad_enabled(), m.is_inference_mode_enabled(), (x * 2).requires_grad))"


def write(sketch) -> None:
    sketch.add("x, log = m.ones(2, requires_grad=True), []")
    for number in range(sketch.random.randint(1, 4)):
        block = body(sketch, 2)
        kind = sketch.pick(["with", "function", "generator", "call", "error"])
        mode = sketch.pick(MODES)
        if kind == "with":
            text = f"with {mode}:\n{indented(block)}"
        elif kind == "function":
            text = f"@{mode}\ndef f{number}():\n{indented(block)}\nf{number}()"
        elif kind == "generator":
            text = f"@{mode}\ndef g{number}():\n{indented(block)}\n    yield 1\n{indented(block)}\n    yield 2\n"
            text += f"for value in g{number}():\n    log.append(value)\n    {STATE}"
        elif kind == "call":
            text = f"m.set_grad_enabled({sketch.pick(['True', 'False'])})"
        else:
            text = f"with {mode}:\n{indented(block)}\n    raise KeyError"
            text = f"try:\n{indented(text)}\nexcept KeyError:\n    {STATE}"
        sketch.add(f"{text}\n{STATE}")
    sketch.add("m.set_grad_enabled(True)")


def body(sketch, depth: int) -> str:
    lines = [STATE]
    for _ in range(sketch.random.randint(0, 2)):
        if depth and sketch.chance(0.5):
            lines.append(f"with {sketch.pick(MODES)}:\n{indented(body(sketch, depth - 1))}")
        else:
            lines.append(
                sketch.pick(
                    [STATE, "y = x * 2\nlog.append((y.is_leaf, y.is_inference()))", "m.set_grad_enabled(False)"]
                )
            )
        lines.append(STATE)
    return "\n".join(lines)


def indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())
