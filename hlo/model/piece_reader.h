// Reads HLO text on several threads.
//
// Computations are read apart and their entries joined, so that the store is
// the one that reading on one thread makes. Text in which something is wrong is
// for one thread: what is said of it depends on all that stands before.

#ifndef TESSERA_HLO_MODEL_PIECE_READER_H_
#define TESSERA_HLO_MODEL_PIECE_READER_H_

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "tessera/hlo/model/hlo_store.h"

namespace tessera {
namespace hlo_internal {

// Returns pieces of `text`, which together are the text. All but the last have
// `piece_bytes` or more, and all but the first begin at a line that seems to
// begin a module or a computation, after a closing brace. Whether it does,
// only reading tells: such a line may stand in a string. Precondition:
// piece_bytes > 0.
std::vector<std::string_view> CutBetweenComputations(std::string_view text,
                                                     int64_t piece_bytes);

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
