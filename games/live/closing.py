"""Close codes that daphne would not send."""

import sys
from typing import Any


def let_daphne_close_with_any_code() -> None:
    """Let an application close a socket with 1009, 1012 or 1013, where daphne is the server.

    daphne closes through an interface of autobahn that takes only 1000 and 3000-4999 and raises
    for others, so that the socket stayed open. What lies under it, which daphne itself closes
    with 1011 by, takes every code.
    """
    daphne = sys.modules.get("daphne.ws_protocol")  # another server needs nothing of it
    if daphne is not None:
        daphne.WebSocketProtocol.serverClose = _close


def _close(self: Any, code: int | None = None) -> None:
    self.sendCloseFrame(code=1000 if code is None else code)
