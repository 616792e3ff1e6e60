// File: hlo/model/piece_reader.h
//
// Reads HLO text on several threads.
//
//   if (!ReadInPieces(1 << 20, 4, progress, &store)) { /* on one thread */ }
//
// Computations are read apart and their entries joined, so that the store is
// the one that reading on one thread makes. Text in which something is wrong is
// for one thread: what is said of it depends on all that stands before.

#ifndef TESSERA_HLO_MODEL_PIECE_READER_H_
#define TESSERA_HLO_MODEL_PIECE_READER_H_

#include <cstdint>
#include <functional>

#include "tessera/hlo/model/hlo_store.h"

namespace tessera {
namespace hlo_internal {

// Reads `store->text` in pieces of `piece_bytes` or more, on `threads` threads
// of which the calling one is one and the one that calls `progress`
// (HloParseOptions). Returns false, and leaves the store in any state but for
// the text, if there is but one piece or something would be reported.
// Precondition: threads > 0, piece_bytes > 0.
bool ReadInPieces(int64_t piece_bytes, int threads,
                  const std::function<void(int64_t)>& progress,
                  HloStore* store);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_PIECE_READER_H_
