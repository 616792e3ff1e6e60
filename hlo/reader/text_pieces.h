// File: hlo/reader/text_pieces.h
//
// Cuts HLO text into pieces that can be read separately.
//
//   CutBetweenComputations("a {\n}\nb {\n}\n", 6);
//   // {"a {\n}\n", "b {\n}\n"}

#ifndef TESSERA_HLO_READER_TEXT_PIECES_H_
#define TESSERA_HLO_READER_TEXT_PIECES_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {
namespace hlo_internal {

// Returns pieces of `text`, which together are the text. All but the last have
// `piece_bytes` or more, and all but the first begin at a line that seems to
// begin a module or a computation, after a closing brace. Whether it does,
// only reading tells: such a line may stand in a string. Precondition:
// piece_bytes > 0.
std::vector<std::string_view> CutBetweenComputations(std::string_view text,
                                                     int64_t piece_bytes);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_TEXT_PIECES_H_
