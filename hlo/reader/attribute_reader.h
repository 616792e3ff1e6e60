// Finds the end of an attribute's value. For hlo/hlo_reader.h.
//
// HLO does not mark the end of an unbracketed value: `direction=LT` ends before
// any text that cannot belong to it. A value ends, outside brackets and
// strings, before a comma that another `key=` follows; before a closing brace;
// before a word such as ROOT or ENTRY; before `name =`, the next instruction;
// and before `name {` and `name (x: ...`, the next computation. Nevertheless,
// `mesh[..], device_ids=(..)` is one value, and so is `[8]T(1,0)`.

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
    // The number of brackets that were open before it.
    size_t depth = 0;
    // The possible contents of braces around values. The values of
    // backend_config and similar keys are dictionaries nevertheless.
    HloBraces braces = HloBraces::kTokens;
    // The key of the value being read; empty between attributes.
    std::string_view key;
    // The first token of that value; null before it.
    const char* value_begin = nullptr;
    // The comma at the end of a value, and the next key after it, which is then
    // not searched again. Null if it was not found.
    const char* comma = nullptr;
    std::string_view next_key;
  };

  // Returns the possible contents of braces in the value of `key`. Other values
  // have `braces`.
  static HloBraces BracesOf(std::string_view key, HloBraces braces);

  // Failures are described in `*failure`.
  AttributeReader(const HloScanner& scanner, BracketReader* brackets,
                  HloFailure* failure)
      : scanner_(scanner), brackets_(*brackets), failure_(failure) {}

  // Reads each `, key=value` at `*p`, appends it to `attributes`, and moves
  // `*p` past the last. On kComputation, `*p` is at the first instruction of a
  // computation written inline; call this again, with `*p` past its closing
  // brace.
  Result Read(const char** p, List* list,
              std::vector<HloAttribute>* attributes);

  // Like Read, but only for the next attribute. If there is none, returns
  // kClosed, and the key of `*attribute` is empty.
  Result ReadOne(const char** p, List* list, HloAttribute* attribute);

 private:
  // Precondition: `*p` is past the comma.
  Result ReadKey(const char** p, List* list);
  Result ReadValue(const char** p, List* list);
  bool ValueGoesOnAfterComma(const char* comma, List* list) const;
  // Whether the name at `p` belongs to the text after the value.
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
