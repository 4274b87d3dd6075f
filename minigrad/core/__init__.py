"""The engine: what happens forward, and what flows backward. It knows no operation by name.

Read `tensor`, `graph`, `row`, `op_node`, `forward`, `backward` and `unbroadcast`; and, as you meet them, `events`,
`modes`, `hooks` and `views`.
"""
