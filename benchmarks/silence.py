"""minigrad with its events cut out of the text of the engine: what it would cost if it could not be listened to."""

import ast
from importlib.machinery import SourceFileLoader


class WithoutEvents(ast.NodeTransformer):
    """Answer each question whether somebody listens with `False`; the compiler then drops what cannot happen."""

    questions = {"listeners", "speaking", "started"}
    answered = 0

    def visit_Name(self, node):
        self.generic_visit(node)
        asks = {getattr(node, "id", None), getattr(node, "attr", None)} & self.questions
        if not asks or not isinstance(node.ctx, ast.Load):
            return node
        self.answered += 1
        return ast.Constant(False)

    visit_Attribute = visit_Name


def minigrad_without_events():
    """Import minigrad, its engine rewritten on the way."""
    original, silence = SourceFileLoader.get_code, WithoutEvents()

    def get_code(loader, module):
        if module not in ("minigrad.autograd.engine", "minigrad.autograd.reverse"):
            return original(loader, module)
        tree = silence.visit(ast.parse(loader.get_data(loader.path)))
        return compile(ast.fix_missing_locations(tree), loader.path, "exec")

    SourceFileLoader.get_code = get_code
    try:
        import minigrad
    finally:
        SourceFileLoader.get_code = original
    assert silence.answered, "the engine asks in other words now whether somebody listens"
    return minigrad
