// The cause of most of the padding of an array, in a few words.
//
//   HumanBlame(array.most_padded(), "->");
//       // "dim 3: 64->128", "tail: 8->1024", "element: 8->32 bits"

#ifndef TESSERA_REPORT_TEXT_PADDING_TEXT_H_
#define TESSERA_REPORT_TEXT_PADDING_TEXT_H_

#include <string>
#include <string_view>

#include "proto/hlo_questions.pb.h"

namespace tessera {

// Returns "" if nothing is padded.
std::string HumanBlame(const MostPadded& blame, std::string_view arrow);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_PADDING_TEXT_H_
