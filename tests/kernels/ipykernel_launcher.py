"""Kernels that are forked from one process, which has imported what each of them would import for a second or two.

The tests start a hundred kernels: in JupyterLab, for nbval, for what is exported. Each is started by `python -m
ipykernel_launcher`, and with this folder in PYTHONPATH that finds this file before ipykernel's own. It hands what it
was given (arguments, environment, folder, streams) to the process that forks, and then stands for the kernel: each ends
with the other. A kernel of another environment starts as it always does.
"""

import importlib
import json
import os
import select
import signal
import socket
import sys
import threading

FORKED = "MINIGRAD_FORKED_KERNELS"  # the environment whose kernels are forked, a colon, and the address of who forks


def stand_for_a_kernel(address: str) -> None:
    """Have one forked, and wait for its end."""
    with socket.socket(socket.AF_UNIX) as kernel:
        kernel.connect(f"\0{address}")  # a name and no file: nothing is left behind
        socket.send_fds(kernel, [b" "], [0, 1, 2])
        given = {"arguments": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd()}
        kernel.sendall(json.dumps(given).encode() + b"\n")
        pid = int(kernel.recv(20))
        signal.signal(signal.SIGINT, lambda *_: os.kill(pid, signal.SIGINT))
        kernel.recv(1)


def become_a_kernel(address: str) -> None:
    """Fork for each that asks, as long as the standard input is open; what returns is such a fork."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{address}")
        listener.listen(99)
        print("listens", flush=True)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            asking, _ = listener.accept()
            import_much()
            if not os.fork():
                return take_over(asking)
            asking.close()
    sys.exit()


def import_much() -> None:
    """What a kernel and a lesson begin with; but not pyplot and ipywidgets, which ask for their kernel on import."""
    # Both are read on import. ipykernel sets the one itself; by the other a kernel ends with the process it comes from.
    os.environ.update(MPLBACKEND="module://matplotlib_inline.backend_inline", JPY_PARENT_PID=str(os.getpid()))
    for name in ("ipykernel.kernelapp", "ipykernel.ipkernel", "matplotlib.backends.backend_agg", "minigrad"):
        importlib.import_module(name)


def take_over(asking: socket.socket) -> None:
    """Have the arguments, environment, folder and streams of whoever asks, and end with it."""
    _, streams, *_ = socket.recv_fds(asking, 1, 3)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    given = json.loads(asking.makefile("rb").readline())
    sys.argv[1:] = given["arguments"]
    os.environ.clear()
    os.environ.update(given["environment"])
    os.chdir(given["folder"])
    asking.sendall(b"%d" % os.getpid())
    threading.Thread(target=lambda: (asking.recv(1), os._exit(1)), daemon=True).start()


if __name__ == "__main__":
    del sys.path[0]  # this folder, or where one stands: ipykernel puts that back
    environment, _, address = os.environ.get(FORKED, "").rpartition(":")
    if sys.argv[1:2] == ["--fork"]:
        become_a_kernel(sys.argv[2])
    elif environment == sys.prefix:
        stand_for_a_kernel(address)
        sys.exit()
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
