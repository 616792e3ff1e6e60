#include "tessera/hlo/hlo_attributes.h"

#include <optional>
#include <string_view>

#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/hlo/reader/part_reader.h"

namespace tessera {
namespace {

using hlo_internal::HloScanner;
using hlo_internal::PartReader;

template <typename Visit>
void VisitAttributes(std::string_view list, const HloInlineEnds& ends,
                     Visit visit) {
  using Result = PartReader::Result;
  const HloScanner scanner(list);
  PartReader reader(scanner);
  PartReader::List state;
  auto end = ends.begin();
  state.braces.are_closed = true;
  state.braces.may_be_computation = end != ends.end();
  const char* p = scanner.begin();
  HloAttribute attribute;
  while (true) {
    const Result result = reader.ReadAttribute(&p, &state, &attribute);
    if (result == Result::kComputation) {
      reader.CloseComputation();
      p = *end++;
      state.braces.may_be_computation = end != ends.end();
    } else if (result == Result::kFailed || attribute.key.empty() ||
               !visit(attribute)) {
      return;
    }
  }
}

}  // namespace

HloAttributes ReadHloAttributes(std::string_view list,
                                const HloInlineEnds& ends) {
  HloAttributes attributes;
  VisitAttributes(list, ends, [&attributes](const HloAttribute& attribute) {
    attributes.push_back(attribute);
    return true;
  });
  return attributes;
}

std::optional<std::string_view> FindHloAttribute(std::string_view list,
                                                 std::string_view key,
                                                 const HloInlineEnds& ends) {
  std::optional<std::string_view> value;
  VisitAttributes(list, ends, [&](const HloAttribute& attribute) {
    if (attribute.key == key) value = attribute.value;
    return !value.has_value();
  });
  return value;
}

}  // namespace tessera
