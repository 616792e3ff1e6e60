// The LAYOUT of `tessera index LAYOUT ...` and similar commands: a text of any
// family, as people write it.
//
//   std::optional<MappedLayout> layout = ReadLayoutArgument(
//       "F32[3,5]{1,0:T(2,2)}", {"layout"}, OutputFormat::kText, console);

#ifndef TESSERA_CLI_LAYOUT_LAYOUT_ARGUMENT_H_
#define TESSERA_CLI_LAYOUT_LAYOUT_ARGUMENT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/layout_questions.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/command/command_line.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/parser/parse_options.h"
#include "tessera/report/text/output_format.h"
#include "tessera/service/questions/layouts/layout_source.h"

namespace tessera::cli {

// The settings for reading a layout. `field` is the field of the question that
// it belongs to.
struct LayoutReading {
  std::string_view field = "layout";
  ParseOptions shape = {};
  PositionUnits units = ELEMENTS;
};

// Adds the flag --lenient for {} after an array, and lets type names be in
// upper case.
void AddLenientFlag(ParseOptions* shape, Subcommand* command);

// Adds --target, which sets the layouts of arrays whose text does not have one.
void AddTargetOption(ParseOptions* shape, Subcommand* command);

// Adds --unit.
void AddUnitOption(PositionUnits* units, Subcommand* command);

// Reads a layout as the service does, and prints the notes about an expression;
// also adds them to `notes`, if given. Errors: those of ReadLayout, in the
// field.
absl::StatusOr<AnyLayout> ReadLayoutText(
    std::string_view text, const LayoutReading& reading,
    const TextSource& source, Console* console,
    std::vector<Diagnostic>* notes = nullptr);

// The same with its map. Errors: also those of MappedLayout::Create.
absl::StatusOr<MappedLayout> ReadMappedLayoutText(std::string_view text,
                                                  const LayoutReading& reading,
                                                  const TextSource& source,
                                                  Console* console);

// The same for an argument. Returns nullopt, after a message, if it cannot be
// read.
std::optional<MappedLayout> ReadLayoutArgument(const std::string& text,
                                               const LayoutReading& reading,
                                               OutputFormat format,
                                               Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_LAYOUT_ARGUMENT_H_
