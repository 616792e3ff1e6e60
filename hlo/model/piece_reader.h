// Reads HLO text on several threads.
//
// Computations are read separately and their entries joined, so the store is
// the same as with one thread. Text with mistakes is read on one thread,
// because diagnostics depend on all earlier text.

#ifndef TESSERA_HLO_MODEL_PIECE_READER_H_
#define TESSERA_HLO_MODEL_PIECE_READER_H_

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "tessera/hlo/model/hlo_store.h"

namespace tessera {
namespace hlo_internal {

// Splits `text` into pieces. All but the last have `piece_bytes` or more. All
// but the first begin, after a closing brace, at a line that seems to begin a
// module or a computation. Only reading can confirm this, because the line may
// be inside a string. Precondition: piece_bytes > 0.
std::vector<std::string_view> CutBetweenComputations(std::string_view text,
                                                     int64_t piece_bytes);

// Reads `store->text` in pieces of `piece_bytes` or more, on `threads` threads.
// The calling thread is one of them, and the only one that calls `progress`
// (HloParseOptions). Returns false if there is only one piece or something
// would be reported; the store is then unspecified, except for the text.
// Precondition: threads > 0, piece_bytes > 0.
bool ReadInPieces(int64_t piece_bytes, int threads,
                  const std::function<void(int64_t)>& progress,
                  HloStore* store);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_PIECE_READER_H_
