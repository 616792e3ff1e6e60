"""tessera.tt: files with layouts of Tenstorrent's tensors."""

import gzip

import numpy
import pytest

import tessera

TEXT = """#l1 = #ttnn.buffer_type<l1>
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
func.func @f(%arg0: tensor<32x30xbf16, #a>) -> tensor<32x30xbf16, #a> {
  %0 = "ttnn.relu"(%arg0) : (tensor<32x30xbf16, #a>) -> tensor<32x30xbf16, #a>
  return %0 : tensor<32x30xbf16, #a>
}
"""


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress])
def test_files(tmp_path, pack):
    path = tmp_path / "model.mlir"
    path.write_bytes(pack(TEXT.encode()))
    file = tessera.tt.load(path)
    assert file.name == str(path)
    assert repr(file) == f"<tessera.tt.File {str(path)!r}: 1 tensors, 1 layouts, 0 memrefs>"
    (tensor,) = file.tensors
    assert (tensor.line, tensor.column, tensor.uses) == (3, 21, 5)
    assert tensor.sizes.taken_per_bank == 2048
    assert file.layout(tensor).bounds == (32, 30)
    assert file.functions[0].l1.bytes_per_bank == 4096
    assert [live.name for live in file.functions[0].l1.live] == ["%arg0", "%0"]


def test_card_and_sizes():
    file = tessera.tt.load(TEXT, arch="blackhole", l1_banks=100, bytes=2048)
    assert file.answer.card.source == "blackhole"
    assert file.answer.card.l1_banks == 100
    assert [match.item.line for match in file.answer.matches] == [3]


def test_names_and_none_of_ttnn():
    class Layout:
        def __str__(self):
            return "Layout.TILE"

    expected = tessera.ttnn(shape=(64, 32), dtype="bfloat16", layout="tile").buffer
    for layout in (Layout(), "ttnn.TILE_LAYOUT", "Layout::TILE"):
        answer = tessera.ttnn(shape=(64, 32), dtype="ttnn.bfloat16", layout=layout, memory_config=None)
        assert answer.buffer == expected
    text = "shape=Shape([64, 32]), dtype=DataType::BFLOAT16, layout=Layout::TILE"
    assert tessera.ttnn(text, dtype=None, layout=None).buffer == expected
    with pytest.raises(tessera.Error, match="'tiles' is not tile or row_major"):
        tessera.ttnn(shape=(64, 32), dtype="bfloat16", layout="tiles")


def test_errors(tmp_path):
    with pytest.raises(tessera.FileError):
        tessera.tt.load(tmp_path / "missing.mlir")
    with pytest.raises(tessera.Error) as caught:
        tessera.tt.load(TEXT, arch="grayskull")
    assert caught.value.field == "arch"
    packed = gzip.compress(TEXT.encode())
    cut = packed[:60]
    (tmp_path / "cut.gz").write_bytes(cut)
    for source in (cut, tmp_path / "cut.gz"):
        with pytest.raises(tessera.Error, match="the gzip data ends too early"):
            tessera.tt.load(source)
    for corrupt in (packed[:20] + bytes(12) + packed[32:], packed[:-8] + bytes(8)):
        with pytest.raises(tessera.Error, match="the gzip data is corrupt"):
            tessera.tt.load(corrupt)


def test_indices_of_ttnn():
    parts = {"shape": (2, 3, 4), "dtype": "bfloat16", "layout": "tile"}
    text = "shape=Shape([2, 3, 4]), dtype=DataType::BFLOAT16, layout=Layout::TILE"
    for ask in (lambda **more: tessera.ttnn(**parts, **more), lambda **more: tessera.ttnn(text, **more)):
        assert len(ask(indices=numpy.array([[1, 2, 3], [0, 0, 0]])).locations) == 2
        # Their entries together are those of two indices.
        for wrong in ([(1, 2), (1, 1, 1, 1)], [(1, 2)] * 3):
            with pytest.raises(tessera.Error, match="expected 3 entries in each index, found 2"):
                ask(indices=wrong)


def test_to_pandas():
    pandas = pytest.importorskip("pandas")
    frame = tessera.tt.load(TEXT).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["kind"]) == ["tensor"]
    assert list(frame["taken_per_bank"]) == [2048]
