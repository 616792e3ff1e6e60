#include "tests/report/sample_page.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

struct Kind {
  const char* opcode;
  int weight;
  const char* shape;
  int64_t unpadded;
  int64_t padded;
  // The dimension that is padded most, before and after; -1 for none.
  int dimension;
  int64_t bound;
  int64_t bound_after;
  // The bytes in the order {0,1,...}; 0 where that is no better.
  int64_t better;
};

constexpr Kind kKinds[] = {
    {"fusion", 34, "bf16[8,2048,4096]{2,1,0:T(8,128)(2,1)}", 134217728,
     134217728, -1, 0, 0, 0},
    {"fusion", 12, "bf16[8,32,2048,64]{3,2,1,0:T(8,128)(2,1)}", 67108864,
     134217728, 3, 64, 128, 67108864},
    {"convolution", 9, "bf16[8,2048,14336]{2,1,0:T(8,128)(2,1)}", 469762048,
     469762048, -1, 0, 0, 0},
    {"copy", 6, "bf16[8,2048,32,64]{3,1,2,0:T(8,128)(2,1)}", 67108864,
     134217728, 3, 64, 128, 67108864},
    {"all-gather", 3, "bf16[4096,14336]{1,0:T(8,128)(2,1)}", 117440512,
     117440512, -1, 0, 0, 0},
    {"all-reduce", 3, "f32[4096,1000]{1,0:T(8,128)}", 16384000, 16777216, 1,
     1000, 1024, 16384000},
    {"reduce", 8, "f32[8,2048,1]{2,1,0:T(8,128)}", 65536, 8388608, 2, 1, 128,
     65536},
    {"dynamic-slice", 7, "bf16[1,4096,1000]{2,1,0:T(8,128)(2,1)}", 8192000,
     8388608, 2, 1000, 1024, 8192000},
    {"transpose", 4, "f32[2048,8,30]{2,1,0:T(8,128)}", 1966080, 8388608, 2, 30,
     128, 2097152},
    {"bitcast", 6, "bf16[16384,4096]{1,0:T(8,128)(2,1)}", 134217728, 134217728,
     -1, 0, 0, 0},
    {"custom-call", 3, "f32[8,32,2048]{2,1,0:T(8,128)}", 2097152, 2097152, -1,
     0, 0, 0},
    {"slice", 5, "s32[8,2047]{1,0:T(8,128)}", 65504, 65536, 1, 2047, 2048, 0},
};

constexpr const char* kSources[] = {"/src/maxtext/layers/attentions.py",
                                    "/src/maxtext/layers/linears.py",
                                    "/src/maxtext/layers/normalizations.py",
                                    "/src/maxtext/layers/llama2.py",
                                    "/src/maxtext/train.py",
                                    "/src/optax/_src/transform.py"};

}  // namespace

SummarizeResult SamplePage(int instructions) {
  std::mt19937 random(7);
  auto below = [&](int bound) { return static_cast<int>(random() % bound); };
  SummarizeResult page;
  page.set_file("/dumps/module_0123.jit_train_step.after_optimizations.txt");
  page.set_counted("buffers");
  page.set_skipped_arrays(2);
  page.mutable_total();
  ModuleSummary& module = *page.add_modules();
  module.set_name("jit_train_step");
  module.set_instructions(instructions);
  module.set_computations(1 + instructions / 12);
  ModulePeak& peak = *module.mutable_peak();
  peak.set_steps(instructions);

  int weights = 0;
  for (const Kind& kind : kKinds) weights += kind.weight;
  auto& spaces = *peak.mutable_by_memory_space()->mutable_spaces();
  spaces[0].set_name("HBM");
  spaces[1].set_name("VMEM");
  std::vector<int64_t> use[2];
  std::vector<int64_t> padding[2];
  for (const int64_t number : {0, 1}) {
    use[number].resize(instructions);
    padding[number].resize(instructions);
    MemorySum& sum = *page.add_by_memory_space();
    sum.set_name(spaces[number].name());
    sum.set_memory_space(number);
  }
  std::map<std::pair<std::string, std::string>, OriginSum> origins;
  std::map<std::string, ArrayUse> arrays;

  const int parameters = std::max(1, instructions / 20);
  for (int i = 0; i < instructions; ++i) {
    int pick = below(weights);
    const Kind* kind = kKinds;
    while (pick >= kind->weight) pick -= (kind++)->weight;
    const bool is_parameter = i < parameters;
    const std::string opcode = is_parameter ? "parameter" : kind->opcode;
    const std::string name =
        is_parameter ? absl::StrCat("param.", i) : absl::StrCat(opcode, ".", i);
    peak.add_step_instructions(name);
    peak.add_step_opcodes(opcode);

    PeakBuffer buffer;
    buffer.set_instruction(name);
    buffer.set_opcode(opcode);
    std::string shape =
        is_parameter ? "bf16[4096,4096]{1,0:T(8,128)(2,1)}" : kind->shape;
    buffer.set_unpadded_bytes(is_parameter ? 33554432 : kind->unpadded);
    buffer.set_padded_bytes(is_parameter ? 33554432 : kind->padded);
    if (!is_parameter && below(8) > 0) {
      buffer.set_source_line(absl::StrCat(kSources[below(6) * below(6) / 5],
                                          ":", 40 + below(12) * below(12) * 3));
    }
    if (!is_parameter) {
      buffer.set_op_name(
          absl::StrCat("jit(train_step)/layers_", i % 12, "/norm/", opcode));
    }
    // What the forward half makes is used by the backward half.
    int last = is_parameter ? instructions - 1 : i + 1 + below(12);
    const bool kept = i < instructions / 2 && below(6) == 0;
    if (!is_parameter && kept) last = instructions - i;
    buffer.set_first(i);
    buffer.set_last(std::min(last, instructions - 1));

    OriginSum& origin = origins[{opcode, buffer.source_line()}];
    origin.set_opcode(opcode);
    origin.set_source_line(buffer.source_line());
    origin.set_instructions(origin.instructions() + 1);
    const int space = !is_parameter && !kept && below(7) == 0 ? 1 : 0;
    if (space == 1) shape.insert(shape.size() - 1, "S(1)");
    buffer.set_shape(shape);
    ArrayUse& array = arrays[shape];
    array.set_shape(shape);
    array.set_count(array.count() + 1);
    array.set_unpadded_bytes(buffer.unpadded_bytes());
    array.set_padded_bytes(buffer.padded_bytes());
    array.set_total_padding_bytes(array.total_padding_bytes() +
                                  buffer.padded_bytes() -
                                  buffer.unpadded_bytes());
    MostPadded& most_padded = *array.mutable_most_padded();
    if (!is_parameter && kind->dimension >= 0) {
      most_padded.set_cause("dimension");
      most_padded.mutable_dimensions()->Clear();
      most_padded.add_dimensions(kind->dimension);
      most_padded.set_bound(kind->bound);
      most_padded.set_padded(kind->bound_after);
    }
    if (!is_parameter && kind->better > 0) {
      array.mutable_hint()->set_padded_bytes(kind->better);
      array.mutable_hint()->mutable_minor_to_major()->Clear();
      array.mutable_hint()->add_minor_to_major(0);
      array.mutable_hint()->add_minor_to_major(1);
    }
    MemorySum& sum = *page.mutable_by_memory_space(space);
    sum.set_arrays(sum.arrays() + 1);
    auto add = [&](auto* to) {
      to->set_unpadded_bytes(to->unpadded_bytes() + buffer.unpadded_bytes());
      to->set_padded_bytes(to->padded_bytes() + buffer.padded_bytes());
    };
    add(&sum);
    add(module.mutable_total());
    add(&origin);
    if (opcode == "copy" || opcode == "bitcast") {
      ArrayMove& move = *page.add_moves();
      move.set_instruction(name);
      move.set_opcode(opcode);
      move.set_from_shape("bf16[8,32,2048,64]{3,2,1,0:T(8,128)(2,1)}");
      move.set_to_shape(shape);
      move.set_bytes(buffer.padded_bytes());
      move.set_is_free(opcode == "bitcast");
    }
    for (int64_t at = buffer.first(); at <= buffer.last(); ++at) {
      use[space][at] += buffer.padded_bytes();
      padding[space][at] += buffer.padded_bytes() - buffer.unpadded_bytes();
    }
    *spaces[space].add_arrays() = std::move(buffer);
  }

  for (const int64_t number : {0, 1}) {
    const auto most = std::max_element(use[number].begin(), use[number].end());
    spaces[number].set_peak_bytes(*most);
    spaces[number].set_peak_position(most - use[number].begin());
    for (const int64_t bytes : use[number]) spaces[number].add_bytes(bytes);
    for (const int64_t bytes : padding[number]) {
      spaces[number].add_padding_bytes(bytes);
    }
  }
  module.set_distinct_shapes(arrays.size());
  for (const auto& [key, origin] : origins) *page.add_by_origin() = origin;
  for (const auto& [key, array] : arrays) {
    *page.add_largest() = array;
    if (array.total_padding_bytes() > 0) *page.add_most_wasteful() = array;
  }
  return page;
}

}  // namespace tessera
