"""minigrad with its events cut out of the text of the engine: what it would cost if it could not be listened to."""

import ast
from importlib.machinery import SourceFileLoader

NO, NOTHING = ast.Constant(False), ast.Tuple([], ast.Load())


class WithoutEvents(ast.NodeTransformer):
    """Answer each question whether somebody listens with `False`; the compiler then drops what cannot happen."""

    def visit_Name(self, node):  # `if say_sent:`
        asks = node.id in ("started", "listeners", "forward_listeners") or node.id.startswith("say_")
        return NO if asks and isinstance(node.ctx, ast.Load) else node

    def visit_Compare(self, node):  # `if Sent in kinds:`
        return NO if ast.unparse(node.comparators[0]) == "kinds" else self.generic_visit(node)

    def visit_Call(self, node):  # `events.kinds_heard()`
        function = ast.unparse(node.func)
        if function.startswith("say_"):
            return node
        return NOTHING if function.endswith("kinds_heard") else self.generic_visit(node)


def minigrad_without_events():
    """Import minigrad, its engine rewritten on the way."""
    original = SourceFileLoader.get_code

    def get_code(loader, module):
        if module not in ("minigrad.core.forward", "minigrad.core.backward"):
            return original(loader, module)
        tree = WithoutEvents().visit(ast.parse(loader.get_data(loader.path)))
        return compile(ast.fix_missing_locations(tree), loader.path, "exec")

    SourceFileLoader.get_code = get_code
    try:
        import minigrad
    finally:
        SourceFileLoader.get_code = original
    said: list = []
    with minigrad.autograd.events.listen(said.append):
        (minigrad.ones(1, requires_grad=True) * 2).backward()
    assert not said, f"the engine asks in other words now whether somebody listens, and says {said[0]}"
    return minigrad
