"""Files that are written completely or not at all."""

import os
import secrets
import stat
from typing import Any


def write_text(path: Any, text: str) -> None:
    """Writes a file, as the command line does: the text goes to a new file in
    the same folder, which replaces the old one once it is complete. A full disk
    or an exception leaves the old file. A file that is not regular, such as a
    pipe, or that cannot be replaced is written directly."""
    name = os.path.realpath(os.fspath(path))
    content = text.encode("utf-8")
    mode = None
    if os.path.exists(name):
        # Fails for a file that could be replaced but may not be written.
        with open(name, "ab") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                file.write(content)
                return
            mode = stat.S_IMODE(status.st_mode)
    folder, base = os.path.split(name)
    temporary = os.path.join(folder, f".{base[:200]}.tessera-{secrets.token_hex(3)}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except PermissionError:
        if mode is None:
            raise
        with open(name, "wb") as file:
            file.write(content)
        return
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if mode is not None:
                os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        os.replace(temporary, name)
    except BaseException:
        os.unlink(temporary)
        raise
