"""Where a row of minigrad's tables speaks for a node of PyTorch's, its rule makes of a gradient what PyTorch made."""

import numpy as np
import pytest

from minigrad.autograd import events
from minigrad.core.unbroadcast import sum_to
from widgets import record
from widgets.telling.rules import Rule

torch = pytest.importorskip("torch")
F = torch.nn.functional

UNARY = """
    -a  a.abs()  a.exp()  a.exp2()  a.expm1()  a.sin()  a.cos()  a.tan()  a.sinh()  a.cosh()  a.tanh()  a.atan()
    a.asinh()  a.sigmoid()  a.relu()  a.square()  a.reciprocal()  a.erf()  a.sinc()  a.sgn()  a.floor()  1/a  2-a  a/3
    a+1  2*a  a**2  2**a  a.abs().sqrt()  a.abs().rsqrt()  a.abs().log()  a.abs().log2()  a.abs().log10()
    a.abs().log1p()  a.abs()**1.5  a.clamp(-.5,1)  a.clamp(min=0)  a.clamp(max=.5)  a%0.7  F.leaky_relu(a,.1)
    F.elu(a)  F.silu(a)  F.gelu(a)  F.softplus(a)  F.hardtanh(a)  F.logsigmoid(a)  a.clone()  a.to(torch.float64)
    a.nan_to_num()  a.logit(eps=.1)  (a*.3).asin()
    """.split()
SHAPES = """
    a.sum()  a.sum(1)  a.sum((0,1),keepdim=True)  a.mean()  a.mean(0)  a.prod()  a.prod(1)  a.max()  a.min()
    a.amax(1)  a.amin()  a.max(1)[0]  a.min(0)[0]  a.cumsum(1)  a.logsumexp(1)  a.var()  a.std(1)  a.norm()
    a.norm(dim=1)  a.T  a.mT  a.t()  a.reshape(6)  a.view(3,2)  a.flatten()  a[0]  a[:,1]  a[:,1:]  a[:,::2]
    a[...,-1]  a[[0,1,0]]  a[a>0]  a[1,[0,2]]  a.unsqueeze(0)  a[None].squeeze(0)  a.expand(4,2,3)  a.repeat(2,1)
    a.flip(0)  a.roll(1,1)  a.permute(1,0)  a.tril()  a.triu()  a.diagonal()  a.trace()  a.unbind(0)[1]
    a.split(2,1)[1]  a.chunk(3,1)[2]  a.sort(1)[0]  a.topk(2)[0]  a.softmax(1)  a.log_softmax(0)  a.masked_fill(a>0,5)
    a.gather(1,i)  a.index_select(1,i[0])  F.pad(a,(1,2))  torch.cat([a,b,a],1)  torch.stack([a,b])
    torch.where(a>b,a,b)  a.lerp(b,c)  a.take_along_dim(i,1)  a.narrow(1,0,2)  a.movedim(0,1)  a.swapaxes(0,1)
    """.split()
PAIRS = """
    a+b  a-b  a*b  a/b  a+v  a*v  v/a  a-s  a.maximum(b)  a.minimum(v)  a.abs()**b  torch.atan2(a,b)  torch.hypot(a,b)
    torch.logaddexp(a,b)  torch.add(a,b,alpha=2)  torch.sub(a,b,alpha=2)  a@b.T  a@v  v@v  torch.outer(v,v)  a.mm(w)
    a[None]@w  torch.bmm(a[None],w[None])  torch.addmm(v,a,w)  torch.einsum('ij,kj->ik',a,b)  F.linear(a,w,v)
    F.mse_loss(a,b)  F.l1_loss(a,b)  F.mse_loss(a,b,reduction='sum')  F.smooth_l1_loss(a,b)  F.huber_loss(a,b)
    F.cross_entropy(a,y)  F.cross_entropy(a,y,reduction='sum')  F.nll_loss(a,y,weight=v.detach())
    F.cross_entropy(a,y,ignore_index=2)  F.binary_cross_entropy(a.sigmoid(),c)
    F.binary_cross_entropy_with_logits(a,c)  F.layer_norm(a,(3,),v,v)  F.layer_norm(a,(3,))
    F.batch_norm(a,None,None,v,v,training=True)  F.batch_norm(a,m0,v0,v,v)  F.conv2d(img,ker,bias)
    F.conv2d(img,ker,padding=1)  F.conv1d(img[0,:,:1],ker[:,:1,0],bias)  F.avg_pool2d(img,2)  F.embedding(i,a.T)
    F.cosine_similarity(a,b)  F.normalize(a)  F.max_pool2d(img,2)  F.max_pool2d(img,3,1,1)  F.max_pool1d(img[0],2)
    F.group_norm(img,2,bias,bias)  F.group_norm(img,1)  torch.addmm(v,a,w,beta=.5,alpha=2)  F.dropout(a,.5)
    torch.baddbmm(v,a[None],w[None])  torch.baddbmm(b[None],a[None],w[None],beta=.5,alpha=2)  F.instance_norm(img)
    F.scaled_dot_product_attention(img,img+1,img*img,is_causal=True)
    F.scaled_dot_product_attention(img,img[...,:3,:]*2,img[...,1:,:],scale=.3)
    F.scaled_dot_product_attention(img,img,img,attn_mask=torch.eye(4)>0)
    """.split()


def given():
    torch.manual_seed(0)

    def leaf(*shape):
        return torch.randn(shape).requires_grad_()

    return {
        "torch": torch, "F": F, "a": leaf(2, 3), "b": leaf(2, 3), "v": leaf(3), "s": leaf(), "w": leaf(3, 3),
        "img": leaf(1, 2, 4, 4), "ker": leaf(2, 2, 3, 3), "bias": leaf(2),
        "i": torch.tensor([[0, 2, 1], [2, 2, 0]]), "y": torch.tensor([2, 0]),
        "c": torch.rand(2, 3), "m0": torch.randn(3), "v0": torch.rand(3) + 1,
    }  # fmt: skip


def parts_by_rule(run):
    """What was sent, and what the row's rule makes of it; None where no row is known."""
    known = {}
    moments = list(run._recorder.moments)
    gradient = None
    for event, copies, _ in moments:
        if isinstance(event, events.Made) and event.node is not None:
            values, _, outputs, _ = copies
            op = event.op
            known[event.node] = dict(zip(getattr(op, "parameters", ()), values)) | dict(
                zip(getattr(op, "outputs", None) or ("out",), outputs)
            )
            if getattr(op, "many", False):
                known[event.node]["i"] = 0
        elif isinstance(event, events.Visited):
            gradient = copies[0]
        elif isinstance(event, events.Sent):
            op, whole = event.node.op, copies[0]
            if not hasattr(op, "rules"):
                yield event.node.name(), whole, None
                continue
            rule = Rule(op, op.input_of(event.slot), known[event.node] | {"i": event.slot}, gradient[0], {}, False)
            if op.outputs:
                shapes = [np.zeros_like(known[event.node].get(name, whole)) for name in op.outputs]
                filled = [zero if one is None else one for one, zero in zip([*gradient, *[None] * 9], shapes)]
                rule.gradient = filled if op.takes_all_gradients else gradient[0]
                if op.takes_all_gradients:
                    continue  # the parts of a split; what they add up to is seen below
            yield event.node.name(), whole, rule.part()


@pytest.mark.parametrize("expression", UNARY + SHAPES + PAIRS)
def test_the_rule_of_the_row_makes_what_pytorch_made(expression):
    space = given()
    with record() as run:
        out = eval(expression, space)
        (out * torch.linspace(0.5, 2, out.numel()).reshape(out.shape).to(out.dtype)).sum().backward()
    grads = {name: one.grad for name, one in space.items() if isinstance(one, torch.Tensor) and one.grad is not None}
    again = given()
    out = eval(expression, again)
    (out * torch.linspace(0.5, 2, out.numel()).reshape(out.shape).to(out.dtype)).sum().backward()
    for name, one in grads.items():
        assert torch.equal(one, again[name].grad), name
    found = list(parts_by_rule(run))
    assert found
    for name, whole, part in found:
        assert part is not None, f"no row speaks for {name}"
        part = sum_to(np.asarray(part), np.shape(whole)) if np.size(part) > np.size(whole) else part
        np.testing.assert_allclose(np.broadcast_to(part, np.shape(whole)), whole, rtol=2e-4, atol=1e-5, err_msg=name)
    assert not any(frame.get("wrong") for frame in run.trace["frames"])
