"""What a node keeps must be as it was: a change in place, of anything that PyTorch saves, is refused in the backward.

So is a second backward, where PyTorch has let go of what was saved.
"""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded

# c and w require grad and were computed, p does not; i, j, q are indices, k is a mask
EXPRESSIONS = """
c[i] c[i,j] c[k] c[:,i] c[i][0] c[0,i] c[1:] c[0] c[[0,2]] c.gather(0,q) c.index_select(0,i)
c.masked_select(k) c.masked_fill(k,2.) c.masked_fill(k,w[0,0]) m.where(k,c,w) m.where(k,c,0.) c.scatter(0,q,w)
c.scatter(0,q,2.) c.scatter_add(0,q,w) c.index_put((i,),w) c.index_put((k,),w[0,0])
c.index_put((i,j),w[0],accumulate=True)
F.embedding(i,c) F.cross_entropy(c,i) F.nll_loss(c,i)
F.mse_loss(c,p) F.huber_loss(c,p) F.binary_cross_entropy_with_logits(c,p) c.sort(0)[0] c.max(0)[0] c.topk(2,0)[0]
F.max_pool2d(c[None],2) F.conv1d(c[None],p[None])
F.conv2d(c[None,None],p[None,None]) c*p c/p p/c c@p p@c m.addmm(p,c,w) m.maximum(c,p) m.clamp(c,p,p+1)
m.cat([c,p]) m.einsum("ij,jk->ik",c,p) F.linear(c,p) c.exp() c.relu() c.sum() c.prod() c.softmax(0) c.abs() c**2
c.cumsum(0) F.layer_norm(c,(3,),p[0],p[1]) c.std(0) c.clone()
""".split()
CHANGES = {name: f"{name}.add_(0)" for name in "ijqpcwy"} | {
    "k": "k.fill_(False)",
    "detached": "c.detach().add_(0)",
    "unnoticed": "c.data.add_(0)",
    "again": "y.sum().backward()",
}


def refusals(expression: str):
    """Which changes between the forward and the backward are refused."""

    def refused(m, change: str) -> bool:
        def made(rows, **options):
            return m.tensor(rows, dtype=m.float64, **options)

        x = made([[1, 5, 2], [4, 3, 9], [7, 6, 8]], requires_grad=True)
        w = made([[3, 1, 2], [2.5, 4, 1.5], [3.5, 2.2, 1.1]], requires_grad=True) + 0
        p = made([[0.5, 0.25, 0.75], [0.1, 0.9, 0.3], [0.2, 0.6, 0.4]])
        k = m.tensor([[True, False, True], [False, True, True], [True, True, False]])
        i, j, q = m.tensor([2, 0, 1]), m.tensor([1, 1, 0]), m.tensor([[0, 1, 2], [2, 0, 1], [1, 2, 0]])
        names = {"m": m, "F": m.nn.functional, "x": x, "c": x + 0, "w": w, "p": p, "i": i, "j": j, "q": q, "k": k}
        names["y"] = eval(expression, names)
        exec(CHANGES[change], names)
        try:
            names["y"].sum().backward()
        except RuntimeError as error:
            return str(error)[:60]
        return False

    return lambda m: {change: refused(m, change) for change in CHANGES}


QUESTIONS = {expression: refusals(expression) for expression in EXPRESSIONS}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_same_is_refused(expression):
    assert_same(answer(QUESTIONS[expression], mg), recorded("saved_versions")[expression])
