"""Convolutions, pools, norms and attention with their options, differentiated twice for all that goes into them."""

CALLS = (
    "F.conv1d(a, w1, {b}, {s}, {p}, {d}, {g})|F.conv1d(a, w1, {b}, padding='{same}', groups={g})|"
    "F.conv2d(i, w2, {b}, {s}, {p}, {d}, {g})|F.conv2d(i, w2, {b}, ({s}, 1), ({p}, 0), (1, {d}), {g})|"
    ""
    ""
    "F.adaptive_avg_pool2d(i, ({s}, 2))|F.batch_norm(i, None, None, v, u, True)|"
    "F.batch_norm(i, u.detach(), v.detach() ** 2, v, u)|"
    "F.layer_norm(i, (4,), q, None)|F.layer_norm(a, (2, 4), eps=0.1)|F.layer_norm(i, (4,), q, q * 2)|"
    "F.scaled_dot_product_attention(a, a * 2, a.sin())|F.scaled_dot_product_attention(i, i.sin(), i, is_causal={c})|"
    "F.scaled_dot_product_attention(i, i, i.cos(), attn_mask=i[:1, :1, :, :3].detach() > 0)|"
    "F.scaled_dot_product_attention(i, i, i, attn_mask=m.ones(3, 3).double().tril(), scale=0.5)|"
    "F.linear(i, q[None], None)|F.linear(a, a[0], a[0, :, 0])|F.pad(i, ({p}, {s}), value=0.5)|F.pad(i, (1, 0, 0, {p}))|"
    "F.softmax(i * a[0, 0], -1).log()|i.softmax({d}) @ q|"
    "m.einsum('bchw,w->bhc', i, q)|F.embedding(m.tensor([0, 1, 0]), a[0])|i.flatten(1) @ i.flatten(1).t()|"
    "m.bmm(a, a.transpose(1, 2))|F.log_softmax(i, {d}).exp()|F.dropout(i, 0.0)|"
    "F.one_hot(m.tensor([0, 2]), 3).double() * a[:, :1, :3].mean(1)"
).split("|")
AROUND = ("({0})", "({0}).tanh()", "({0}) ** 2", "({0}).relu()", "F.gelu({0})", "F.silu({0})", "({0}) * ({0}).detach()")


def write(sketch) -> None:
    pick, groups = sketch.pick, sketch.pick(["1", "1", "2"])
    wide = 2 // int(groups)
    for name, shape in (
        ("a", (2, 2, 4)),
        ("i", (2, 2, 3, 4)),
        ("w1", (2, wide, 2)),
        ("w2", (2, wide, 2, 2)),
        ("u", (2,)),
        ("v", (2,)),
        ("q", (4,)),
    ):
        sketch.leaf(name, shape, 0.2, 1.4, grad=name in "aiq" or sketch.chance(0.7))
    given = {
        "b": pick(["None", "u"]), "s": pick("12"), "p": pick("012"), "d": pick("12"), "g": groups,
        "same": pick(["same", "valid"]), "c": pick(["True", "False"]),
    }  # fmt: skip
    sketch.add(f"y = {pick(AROUND).format(pick(CALLS).format(**given))}")
    leaves = [name for name in ("a", "i", "w1", "w2", "u", "v", "q") if sketch[name].requires_grad]
    inputs = ", ".join(leaves)
    sketch.add(f"g = {pick(['first', 'second', 'second'])}(y, {inputs})")
