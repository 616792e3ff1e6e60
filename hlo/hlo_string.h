// File: hlo/hlo_string.h
//
// What does a quoted string in HLO text say?
//
//   HloString path(R"(C:\\temp)");      // what stands between the quotes
//   path.has_escapes();                 // true
//   path.ToString() == R"(C:\temp)";    // true
//
//   // Without an escape nothing is copied.
//   std::string storage;
//   HloString("jit(f)/add").View(&storage);   // "jit(f)/add"
//   storage;                                  // ""
//
// A string is a view of the text until someone asks for the bytes it stands
// for, and, holding no backslash as almost all do, still is then.

#ifndef TESSERA_HLO_HLO_STRING_H_
#define TESSERA_HLO_HLO_STRING_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace tessera {

class HloString {
 public:
  // Empty.
  HloString() = default;
  // `raw`, which must outlive the string, is what stands between the quotes.
  explicit HloString(absl::string_view raw)
      : raw_(raw), has_escapes_(raw.find('\\') != absl::string_view::npos) {}

  absl::string_view raw() const { return raw_; }
  bool has_escapes() const { return has_escapes_; }
  bool empty() const { return raw_.empty(); }

  // The bytes that the string stands for: those of the text, or, where it has
  // escapes, those written to `*storage`. Escapes are those of C, as in
  // xla/hlo/parser/hlo_lexer.cc; a string that is not well formed (see
  // BadEscape) is returned as written.
  absl::string_view View(std::string* storage) const;
  std::string ToString() const;

  // Where the first escape that is none begins in raw(), in bytes, or npos if
  // there is no such thing. What the decoders return has none.
  size_t BadEscape() const;

 private:
  absl::string_view raw_;
  bool has_escapes_ = false;
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_STRING_H_
