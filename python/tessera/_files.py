"""Files that are written completely or not at all, and files that are compressed."""

import gzip
import os
import secrets
import stat
import zlib
from typing import Any

from tessera._errors import Error


def unpacked(data: bytes, name: str) -> bytes:
    """Returns the bytes of a file, decompressed if they are compressed by gzip."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except EOFError:
        message = "the gzip data ends too early"
    except (OSError, zlib.error) as error:
        message = f"the gzip data is corrupt: {error}"
    raise Error(message, code="DATA_LOSS", source=name)


def write_text(path: Any, text: str) -> None:
    """Writes a file, as the command line does: the text goes to a new file in
    the same folder, which replaces the old one once it is complete. A full disk
    or an exception leaves the old file. A file that is not regular, such as a
    pipe, or that cannot be replaced is written directly."""
    name = os.path.realpath(os.fsdecode(path))
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
    except OSError as error:
        if mode is None or not isinstance(error, PermissionError):
            error.filename = os.fspath(path)
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
