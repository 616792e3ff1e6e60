// Reads XML strictly, as far as SVG needs it: elements, attributes, text, and
// the five entities. Anything else is an error.
//
//   const absl::StatusOr<XmlElement> root = ReadXml("<a b=\"1\">x<c/></a>");
//   root->name;               // "a"
//   root->Attribute("b");     // "1"
//   root->text;               // "x"
//   root->children[0].name;   // "c"

#ifndef TESSERA_TESTS_VIZ_XML_READER_H_
#define TESSERA_TESTS_VIZ_XML_READER_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace tessera {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // of its own, not of its children
  std::vector<XmlElement> children;

  // "" if there is none.
  std::string Attribute(const std::string& key) const;
  // All below it that `name` is the name of, in the order of the text.
  std::vector<const XmlElement*> All(std::string_view name) const;
};

// Errors: kInvalidArgument, with the place, if `text` is not one well-formed
// element and a line end.
absl::StatusOr<XmlElement> ReadXml(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_VIZ_XML_READER_H_
