#include "tessera/cli/layout/layout_argument.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/service/error.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {

void AddLenientFlag(ParseOptions* shape, Subcommand* command) {
  shape->upper_case_types = true;
  command->Flag("--lenient", "also accept {} after an array", &shape->lenient);
}

void AddTargetOption(ParseOptions* shape, Subcommand* command) {
  command->Value("--target", "tpu|v4|v5e|v5p|v6e|v7x",
                 "give a shape without a layout the TPU compiler's own layout, "
                 "and an order of dimensions the tiles that go with it; every "
                 "generation has the same effect",
                 [shape](const std::string& name) {
                   return std::string(SetLayoutTarget(name, shape).message());
                 });
}

void AddUnitOption(PositionUnits* units, Subcommand* command) {
  command->Choice<PositionUnits>(
      "--unit", {{"elements", ELEMENTS}, {"bytes", BYTES}, {"bits", BITS}},
      "what linear indices count (elements)",
      [units](PositionUnits unit) { *units = unit; });
}

absl::StatusOr<AnyLayout> ReadLayoutText(std::string_view text,
                                         const LayoutReading& reading,
                                         const TextSource& source,
                                         Console* console,
                                         std::vector<Diagnostic>* notes) {
  std::vector<Diagnostic> own_notes;
  if (notes == nullptr) notes = &own_notes;
  absl::StatusOr<AnyLayout> layout =
      ReadLayout(text, ServiceOptions::Unlimited(), reading.shape, notes);
  for (const Diagnostic& note : *notes) PrintNote(source, note, console);
  if (!layout.ok()) return InField(reading.field, layout.status());
  return layout;
}

absl::StatusOr<MappedLayout> ReadMappedLayoutText(std::string_view text,
                                                  const LayoutReading& reading,
                                                  const TextSource& source,
                                                  Console* console) {
  TESSERA_ASSIGN_OR_RETURN(AnyLayout layout,
                           ReadLayoutText(text, reading, source, console));
  absl::StatusOr<MappedLayout> mapped =
      MappedLayout::Create(text, std::move(layout), reading.units);
  if (!mapped.ok()) return InField(reading.field, mapped.status());
  return mapped;
}

std::optional<MappedLayout> ReadLayoutArgument(const std::string& text,
                                               const LayoutReading& reading,
                                               OutputFormat format,
                                               Console* console) {
  absl::StatusOr<MappedLayout> layout =
      ReadMappedLayoutText(text, reading, {kArgumentName}, console);
  if (!layout.ok()) {
    PrintArgumentError(text, layout.status(), format, console);
    return std::nullopt;
  }
  return *std::move(layout);
}

}  // namespace tessera::cli
