#include "tessera/convert/shard_cute.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "tessera/cute/layout.h"
#include "tessera/math/status_macros.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/face.h"

namespace tessera {
namespace {

using tenstorrent::Geometry;
using tenstorrent::TileShape;

// ((a,b),c), less what has one value.
void AppendNested(std::initializer_list<cute::Layout::Leaf> leaves,
                  cute::Layout::Builder* builder) {
  cute::Layout::Leaves kept;
  for (const cute::Layout::Leaf& leaf : leaves) {
    if (leaf.size > 1) kept.push_back(leaf);
  }
  if (kept.empty()) kept.push_back({1, 0, cute::Basis()});
  for (size_t i = 1; i < kept.size(); ++i) builder->Tuple(2);
  for (const cute::Layout::Leaf& leaf : kept) builder->Append(leaf);
}

}  // namespace

absl::StatusOr<CuteLayoutOfShape> ToCuteLayout(const Geometry& geometry,
                                               TileOrder order) {
  const int64_t rank = geometry.rank();
  const TileShape tile = geometry.element.tile_or_unit();
  const TileShape face = order == TileOrder::kFaces ? FaceShape(tile) : tile;
  const int64_t scalars_of_face = face.height * face.width;
  const int64_t faces_in_a_row = tile.width / face.width;

  // How many scalars the memory behind one step in each dimension holds.
  tenstorrent::Dimensions strides(rank);
  int64_t stride = tile.height * tile.width;
  for (int64_t i = rank; i-- > 0;) {
    strides[i] = stride;
    stride *= geometry.memref[i];
  }

  CuteLayoutOfShape result;
  cute::Layout::Builder builder;
  builder.Tuple(rank);
  for (int64_t i = 0; i < rank; ++i) {
    result.bounds.push_back(geometry.shard[i]);
    cute::Layout::Leaf in_face, faces;
    if (i == rank - 1) {
      in_face = {face.width, 1, cute::Basis()};
      faces = {faces_in_a_row, scalars_of_face, cute::Basis()};
    } else if (i == rank - 2) {
      in_face = {face.height, face.width, cute::Basis()};
      faces = {tile.height / face.height, faces_in_a_row * scalars_of_face,
               cute::Basis()};
    }
    AppendNested(
        {in_face, faces, {geometry.memref[i], strides[i], cute::Basis()}},
        &builder);
  }
  TESSERA_ASSIGN_OR_RETURN(result.layout, std::move(builder).Build());
  return result;
}

}  // namespace tessera
