#include "tessera/cli/commands.h"

namespace tessera::cli {
namespace {

constexpr char kTtFooter[] =
    R"(TEXT is a tensor with its layout attribute, as tt-mlir prints it;
definitions of aliases may come first. The attribute is the #tt.metal_layout of
tt-mlir's tensor-layout document, the #ttcore.metal_layout of 2025 or
#ttnn.ttnn_layout. 'tessera tt TEXT' means 'tessera tt describe TEXT'. Sizes,
offsets and tiles are those of the document. 'tessera tt SUBCOMMAND --help'
shows options and more examples.

Examples:
  tessera tt check 'tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1),
      undef, <1x2>, memref<8x150xf32, #tt.memory_space<l1>>>>'
  tessera tt derive --shape 53x63 --grid 3x2 --element 'tile<32x32,bf16>')";

}  // namespace

void AddTtCommand(CommandLine* command_line) {
  SubcommandGroup tt = command_line->AddGroup(
      "tt", "describe", "Check and compute with Tenstorrent's tensor layouts",
      kTtFooter);
  AddTtDescribeCommand(&tt);
  AddTtCheckCommand(&tt);
  AddTtReportCommand(&tt);
  AddTtIndexCommand(&tt);
  AddTtCoordsCommand(&tt);
  AddTtDeriveCommand(&tt);
  AddTtTtnnCommand(&tt);
}

}  // namespace tessera::cli
