// A quoted string in HLO text, decoded on demand.
//
//   HloString path(R"(C:\\temp)");      // the text between the quotes
//   path.has_escapes();                 // true
//   path.ToString() == R"(C:\temp)";    // true
//
//   // Without an escape nothing is copied.
//   std::string storage;
//   HloString("jit(f)/add").View(&storage);   // "jit(f)/add"
//   storage;                                  // ""
//
// A string is a view of the text. Decoding returns the same view unless the
// string has a backslash, which is rare.

#ifndef TESSERA_HLO_HLO_STRING_H_
#define TESSERA_HLO_HLO_STRING_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace tessera {

class HloString {
 public:
  // Creates an empty string.
  HloString() = default;
  // `raw` is the text between the quotes, and must outlive the string.
  explicit HloString(std::string_view raw)
      : raw_(raw), has_escapes_(raw.find('\\') != std::string_view::npos) {}

  std::string_view raw() const { return raw_; }
  bool has_escapes() const { return has_escapes_; }
  bool empty() const { return raw_.empty(); }

  // Returns the bytes that the string denotes: those of the text or, if it has
  // escapes, those written to `*storage`. Escapes are those of C, as in
  // xla/hlo/parser/hlo_lexer.cc; a string that is not well formed (see
  // BadEscape) is returned as written.
  std::string_view View(std::string* storage) const;
  std::string ToString() const;

  // Returns the offset in raw(), in bytes, of the first invalid escape, or
  // npos. Strings from the decoders have no invalid escapes.
  size_t BadEscape() const;

 private:
  std::string_view raw_;
  bool has_escapes_ = false;
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_STRING_H_
