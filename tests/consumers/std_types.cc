// A program of somebody who holds std's types alone, as .ci/check_headers
// compiles it. No cast between views stands here.

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tessera/cute/parse.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/padded_arrays.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/index_util/padding.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/relayout/shape_relayout.h"

#if __cplusplus >= 202002L
#include <span>
#endif
// clang before 16 does not read the views of gcc 12's library.
#if __cplusplus >= 202002L && !(defined(__clang__) && __clang_major__ < 16)
#define HAS_RANGES 1
#include <algorithm>
#include <ranges>
#endif

namespace {

bool IsCopy(const tessera::HloInstruction& instruction) {
  constexpr std::string_view kCopy = "copy";
  const std::string_view name = instruction.name();
  return instruction.opcode() == kCopy && !name.empty();
}

int PrintDump(std::string_view text) {
  const auto dump = tessera::ParseHloView(text);
  if (!dump.ok()) return 1;
#if HAS_RANGES
  const auto copies = std::ranges::count_if(dump->instructions(), IsCopy);
  std::cout << copies << " copies\n";
  for (const tessera::HloInstruction instruction :
       dump->instructions() | std::views::filter(IsCopy)) {
    std::cout << instruction.line() << ": " << instruction.name() << "\n";
  }
#else
  for (const tessera::HloInstruction instruction : dump->instructions()) {
    if (IsCopy(instruction)) std::cout << instruction.line() << "\n";
  }
#endif
  for (const tessera::PaddedArray& array : tessera::FindPaddedArrays(*dump)) {
    std::cout << array.line << ": " << 100 * array.sizes.padding_fraction()
              << " % of " << *array.shape << "\n";
  }
  for (const tessera::HloModule module : dump->modules()) {
    const std::optional<tessera::HloComputation> entry =
        module.entry_computation();
    if (entry.has_value()) std::cout << entry->name() << "\n";
  }
  return 0;
}

int PrintShape(std::string_view text) {
  const auto shape = tessera::ParseShape(text);
  if (!shape.ok()) {
    const std::string message(shape.status().message());
    std::cerr << message << "\n";
    return 1;
  }
  const std::optional<tessera::Layout>& layout = shape->optional_layout();
  if (layout.has_value()) std::cout << *layout << "\n";
  std::unordered_map<tessera::Shape, std::int64_t> uses;
  ++uses[*shape];
  std::unordered_set<tessera::Layout> layouts = {shape->layout()};
  const auto map = tessera::ToIndexMap(*shape);
  if (!map.ok()) return 1;
  const std::vector<std::int64_t> index(static_cast<std::size_t>(shape->rank()),
                                        0);
  const auto place = map->LinearIndex(index);
  std::cout << *shape << " " << *map << " " << place.ok() << "\n";
  return uses.size() == 1 && layouts.size() == 1 ? 0 : 1;
}

int MoveFloats(const tessera::Shape& from, const tessera::Shape& to) {
  const auto plan = tessera::PlanRelayout(from, to);
  if (!plan.ok()) return 1;
  const std::vector<float> rows(1024);
  std::vector<float> tiles(1024);
#if __cplusplus >= 202002L
  const std::span<const float> all(rows);
  std::span<float> places(tiles);
  if (!plan->Execute<float>(all, absl::MakeSpan(places)).ok()) return 1;
#endif
  return plan->Execute<float>(rows, absl::MakeSpan(tiles)).ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string_view text = argv[1];
  const auto shape = tessera::ParseShape(text);
  if (!shape.ok()) return PrintDump(text);
  const auto layout = tessera::cute::ParseLayout(text);
  // It is a shape of XLA's.
  if (layout.ok()) return 1;
  return PrintShape(text) + MoveFloats(*shape, *shape);
}
