"""Ctrl-C in a cell of a notebook: the kernel has control back at once, and lives on."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel
from quiet import MOMENTS, at_most
from test_interrupt import LONG

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

#: Says when it begins, and when it has control again; the interrupt then ends the cell as in any notebook.
CELL = """
print("begun", flush=True)
try:
    sameas.dedupe(people, rules, progress=True)
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    raise
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=120)
    try:
        said(client, LONG)
        yield manager, client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def said(client: BlockingKernelClient, code: str) -> str:
    """What a cell prints; it must not fail."""
    texts: list[str] = []
    reply = client.execute_interactive(code, timeout=120, output_hook=lambda message: texts.append(message["content"].get("text", "")))
    assert reply["content"]["status"] == "ok", reply["content"]
    return "".join(texts)


def printed(client: BlockingKernelClient, cell: str) -> str:
    """The next text that a running cell prints."""
    while True:
        message = client.get_iopub_msg(timeout=60)
        is_its_own = message["parent_header"].get("msg_id") == cell
        if is_its_own and message["msg_type"] == "stream" and message["content"]["name"] == "stdout":
            return str(message["content"]["text"])


def interrupted(manager: KernelManager, client: BlockingKernelClient, after: float) -> tuple[float, float]:
    """When the long job was interrupted, and when the cell had control again."""
    # What is asked next is no part of what was interrupted.
    cell = client.execute(CELL, stop_on_error=False)
    assert printed(client, cell) == "begun\n"
    time.sleep(after)
    sent = time.monotonic()
    manager.interrupt_kernel()
    back = float(printed(client, cell))
    reply = client.get_shell_msg(timeout=60)["content"]
    assert (reply["status"], reply["ename"]) == ("error", "KeyboardInterrupt")
    # The clock is that of the whole machine.
    assert back > sent
    return sent, back


def test_interrupts_come_back_within_half_a_second(kernel: tuple[KernelManager, BlockingKernelClient]) -> None:
    manager, client = kernel
    dice = random.Random(4)
    late: list[float] = []
    for _ in range(MOMENTS):
        sent, back = interrupted(manager, client, dice.uniform(0.02, 2.0))
        late.append(back - sent)
        # The kernel is usable, and so is the package.
        assert said(client, "print(len(sameas.dedupe({'id': [1, 2], 'a': [1, 1]}, 'l.a = r.a').pairs))") == "1\n"
    assert max(late) < at_most(0.5), late
