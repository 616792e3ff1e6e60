"""Files that `save` and `save_html` write: the whole of them, or nothing."""

import os
import resource

import pytest
import tessera
from tessera._files import write_text


def test_saves_a_picture_and_nothing_else(tmp_path):
    out = tmp_path / "out.svg"
    out.write_text("old")
    out.chmod(0o640)
    picture = tessera.layout("f32[3,5]{1,0:T(2,2)}").draw()
    picture.save(out)
    assert out.read_text() == picture.to_svg()
    assert out.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["out.svg"]


def test_a_limit_on_the_size_of_files_leaves_the_old_one(tmp_path):
    out = tmp_path / "out"
    out.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError):
            write_text(out, "x" * 5000)
        with pytest.raises(OSError):
            write_text(tmp_path / "new", "x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert out.read_text() == "old"
    assert os.listdir(tmp_path) == ["out"]


def test_links_stay(tmp_path):
    (tmp_path / "link").symlink_to("file")
    write_text(tmp_path / "link", "one")
    write_text(tmp_path / "link", "two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "two"


def test_pipes_are_written_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_folder_that_is_not_there(tmp_path):
    for path in (tmp_path / "no" / "file", os.fsencode(tmp_path / "no" / "file")):
        with pytest.raises(FileNotFoundError) as raised:
            write_text(path, "text")
        assert raised.value.filename == os.fspath(path)
