"""A process that has imported what the observer needs, and makes a copy of itself for each job.

A copy is as fresh as a new Python, since no line of a learner's runs in here; but it is there at once: imports take
half a second. Each line of the input names a folder that `process.py` has filled. The answers are two numbers: who the
copy is, and how it ended.
"""

import gc
import importlib
import json
import os
import socket
import sys
import traceback

import numpy as np

import minigrad as mg

from ..words import VARIABLE, language
from . import observer

NUMBER = 8  # bytes of an answer
STREAMS = [("job", os.O_RDONLY), ("lines", os.O_WRONLY | os.O_APPEND), ("printed", os.O_WRONLY | os.O_APPEND)]


def main() -> None:
    channel = socket.socket(fileno=0)
    gc.freeze()  # the copies read this memory, and need not look through it
    for line in channel.makefile(encoding="utf-8"):
        copy = os.fork()
        if not copy:
            become(json.loads(line))
        channel.sendall(copy.to_bytes(NUMBER, "big"))
        _, status = os.waitpid(copy, 0)
        channel.sendall(os.waitstatus_to_exitcode(status).to_bytes(NUMBER, "big", signed=True))


def become(folder: str) -> None:
    """What a Python is that was started for the job in a folder; it ends with it."""
    try:
        os.setsid()
        for stream, (name, how) in enumerate(STREAMS):
            file = os.open(os.path.join(folder, name), how)
            os.dup2(file, stream)  # the first takes the place of the channel
            os.close(file)
        with open(os.path.join(folder, "settings"), encoding="utf-8") as settings:
            sys.path[1:], environment = json.load(settings)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(os.path.join(folder, "here"))
        language(os.environ.get(VARIABLE))
        importlib.invalidate_caches()
        np.random.seed()  # each copy draws numbers of its own
        mg.seed()
        observer.main()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)
