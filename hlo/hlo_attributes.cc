#include "tessera/hlo/hlo_attributes.h"

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/attribute_reader.h"
#include "tessera/hlo/bracket_reader.h"
#include "tessera/hlo/hlo_scanner.h"

namespace tessera {
namespace {

// Calls `visit` with each attribute until it returns false.
template <typename Visit>
void VisitAttributes(absl::string_view list, Visit visit) {
  const HloScanner scanner(list);
  HloFailure failure;
  BracketReader brackets(scanner, &failure);
  AttributeReader reader(scanner, &brackets, &failure);
  AttributeReader::List state;
  state.braces = HloBraces::kClosed;
  const char* p = scanner.begin();
  HloAttribute attribute;
  while (reader.ReadOne(&p, &state, &attribute) ==
             AttributeReader::Result::kClosed &&
         !attribute.key.empty()) {
    if (!visit(attribute)) return;
  }
}

}  // namespace

HloAttributes ReadHloAttributes(absl::string_view list) {
  HloAttributes attributes;
  VisitAttributes(list, [&attributes](const HloAttribute& attribute) {
    attributes.push_back(attribute);
    return true;
  });
  return attributes;
}

absl::optional<absl::string_view> FindHloAttribute(absl::string_view list,
                                                   absl::string_view key) {
  absl::optional<absl::string_view> value;
  VisitAttributes(list, [&](const HloAttribute& attribute) {
    if (attribute.key == key) value = attribute.value;
    return !value.has_value();
  });
  return value;
}

}  // namespace tessera
