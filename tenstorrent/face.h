// Faces, the boxes in which the scalars of a tile are stored.
//
//   FaceShape({32, 32}).height;              // 16: two rows of two faces
//   FaceShape({32, 32}).width;               // 16
//   FaceShape({8, 32}).height;               // 8: one row of two
//   FaceShape({20, 32}).width;               // 32: no faces
//   InFaceOf({32, 32}, {17, 3}).position;    // 531: 19 in the third face
//
// A tile is stored in faces of 16x16, or of its own height or width if that is
// smaller: the faces in row-major order, and each face in row-major order
// (tt-metal#25813). A tile that is not a multiple of its face does not have
// faces: it is row-major, a single face of its own size.

#ifndef TESSERA_TENSTORRENT_FACE_H_
#define TESSERA_TENSTORRENT_FACE_H_

#include <cstdint>

#include "tessera/tenstorrent/element_type.h"

namespace tessera::tenstorrent {

// A position in scalars, counted from the first scalar of a tile.
struct InTile {
  int64_t row = 0;
  int64_t column = 0;

  friend bool operator==(const InTile& a, const InTile& b) {
    return a.row == b.row && a.column == b.column;
  }
};

struct InFace {
  int64_t face = 0;  // its number in the tile
  int64_t row = 0;   // in the face
  int64_t column = 0;
  int64_t position = 0;  // in the tile, in scalars in the order of storage

  friend bool operator==(const InFace& a, const InFace& b) {
    return a.face == b.face && a.row == b.row && a.column == b.column &&
           a.position == b.position;
  }
};

// Returns the shape of a face of `tile`. It divides the sizes of the tile.
// Precondition: sizes are at least 1.
TileShape FaceShape(const TileShape& tile);

// Returns the face of a scalar of `tile`. Precondition: it is in the tile.
InFace InFaceOf(const TileShape& tile, const InTile& scalar);

// Returns the scalar of `tile` at a position in the order of storage.
// Precondition: there is such a position.
InTile ScalarAt(const TileShape& tile, int64_t position);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_FACE_H_
