// Finds the end of an attribute's value. For hlo/hlo_reader.h.
//
// HLO puts no mark after an unbracketed value: `direction=LT` ends where
// something begins that cannot belong to it. A value ends, outside brackets and
// strings, before a comma that another `key=` follows; before a closing brace;
// before a word such as ROOT or ENTRY; before `name =`, the next instruction;
// and before `name {` and `name (x: ...`, the next computation. The value
// `mesh[..], device_ids=(..)` is one all the same, and so is `[8]T(1,0)`.

#ifndef TESSERA_HLO_READER_ATTRIBUTE_READER_H_
#define TESSERA_HLO_READER_ATTRIBUTE_READER_H_

#include <string_view>
#include <vector>

#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {

class AttributeReader {
 public:
  using Result = BracketReader::Result;

  // A list of attributes that is being read.
  struct List {
    // How many brackets were open before it.
    size_t depth = 0;
    // What braces round values may hold; backend_config and its like are
    // dictionaries all the same.
    HloBraces braces = HloBraces::kTokens;
    // Of the value being read; empty between attributes.
    std::string_view key;
    // Of that value's first token; null before it.
    const char* value_begin = nullptr;
    // What was found after the comma at the end of a value: the next key,
    // which then need not be looked for again. Null where there is none.
    const char* comma = nullptr;
    std::string_view next_key;
  };

  // What braces in the value of `key` may hold where others may hold `braces`.
  static HloBraces BracesOf(std::string_view key, HloBraces braces);

  // What fails is described in `*failure`.
  AttributeReader(const HloScanner& scanner, BracketReader* brackets,
                  HloFailure* failure)
      : scanner_(scanner), brackets_(*brackets), failure_(failure) {}

  // Reads `, key=value` as often as it stands at `*p`, appends each to
  // `attributes` and moves `*p` past the last. On kComputation, `*p` is at the
  // first instruction of a computation written inline; call again, with `*p`
  // past its closing brace.
  Result Read(const char** p, List* list,
              std::vector<HloAttribute>* attributes);

  // The same for the next attribute alone; on kClosed without one, the key of
  // `*attribute` is empty.
  Result ReadOne(const char** p, List* list, HloAttribute* attribute);

 private:
  // `*p` is past the comma.
  Result ReadKey(const char** p, List* list);
  Result ReadValue(const char** p, List* list);
  bool ValueGoesOnAfterComma(const char* comma, List* list) const;
  // Whether the name at `p` belongs to what follows the value.
  bool NameEndsValue(const char* p, const char* past_name,
                     const List& list) const;
  Result Fail(HloFailure failure);

  const HloScanner& scanner_;
  BracketReader& brackets_;
  HloFailure* failure_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_ATTRIBUTE_READER_H_
