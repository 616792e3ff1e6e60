#include "tests/viz/sample_page.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

struct Kind {
  const char* opcode;
  int weight;
  const char* shape;
  int64_t unpadded;
  int64_t padded;
  const char* padded_dimension;
  const char* better_order;
  int64_t better;
};

constexpr Kind kKinds[] = {
    {"fusion", 34, "bf16[8,2048,4096]{2,1,0:T(8,128)(2,1)}", 134217728,
     134217728, "", "", 0},
    {"fusion", 12, "bf16[8,32,2048,64]{3,2,1,0:T(8,128)(2,1)}", 67108864,
     134217728, "3: 64 -> 128", "{2,3,1,0}", 67108864},
    {"convolution", 9, "bf16[8,2048,14336]{2,1,0:T(8,128)(2,1)}", 469762048,
     469762048, "", "", 0},
    {"copy", 6, "bf16[8,2048,32,64]{3,1,2,0:T(8,128)(2,1)}", 67108864,
     134217728, "3: 64 -> 128", "{1,3,2,0}", 67108864},
    {"all-gather", 3, "bf16[4096,14336]{1,0:T(8,128)(2,1)}", 117440512,
     117440512, "", "", 0},
    {"all-reduce", 3, "f32[4096,1000]{1,0:T(8,128)}", 16384000, 16777216,
     "1: 1000 -> 1024", "{0,1}", 16384000},
    {"reduce", 8, "f32[8,2048,1]{2,1,0:T(8,128)}", 65536, 8388608,
     "2: 1 -> 128", "{1,0,2}", 65536},
    {"dynamic-slice", 7, "bf16[1,4096,1000]{2,1,0:T(8,128)(2,1)}", 8192000,
     8388608, "2: 1000 -> 1024", "{1,2,0}", 8192000},
    {"transpose", 4, "f32[2048,8,30]{2,1,0:T(8,128)}", 1966080, 8388608,
     "2: 30 -> 128", "{0,2,1}", 2097152},
    {"bitcast", 6, "bf16[16384,4096]{1,0:T(8,128)(2,1)}", 134217728, 134217728,
     "", "", 0},
    {"custom-call", 3, "f32[8,32,2048]{2,1,0:T(8,128)}", 2097152, 2097152, "",
     "", 0},
    {"slice", 5, "s32[8,2047]{1,0:T(8,128)}", 65504, 65536, "1: 2047 -> 2048",
     "", 0},
};

constexpr const char* kSources[] = {"/src/maxtext/layers/attentions.py",
                                    "/src/maxtext/layers/linears.py",
                                    "/src/maxtext/layers/normalizations.py",
                                    "/src/maxtext/layers/llama2.py",
                                    "/src/maxtext/train.py",
                                    "/src/optax/_src/transform.py"};

}  // namespace

MemoryPage SamplePage(int instructions) {
  std::mt19937 random(7);
  auto below = [&](int bound) { return static_cast<int>(random() % bound); };
  MemoryPage page;
  page.title = "/dumps/module_0123.jit_train_step.after_optimizations.txt";
  page.notes = {"Left out: 2 arrays with an unbounded dimension."};
  page.modules.resize(1);
  MemoryPage::Module& module = page.modules[0];
  module.name = "jit_train_step";
  module.instructions = instructions;
  module.computations = 1 + instructions / 12;

  int weights = 0;
  for (const Kind& kind : kKinds) weights += kind.weight;
  std::vector<MemoryPage::Timeline> timelines(2);
  timelines[0].memory_space = "HBM S(0)";
  timelines[1].memory_space = "VMEM S(1)";
  std::map<std::pair<std::string, std::string>, MemoryPage::Group> groups;
  std::map<std::string, MemoryPage::OpcodeTotals> by_opcode;
  std::map<std::string, MemoryPage::Array> arrays;
  for (MemoryPage::Timeline& timeline : timelines) {
    timeline.live_bytes.resize(instructions);
    MemoryPage::MemorySpace space;
    space.name = timeline.memory_space;
    page.by_memory_space.push_back(space);
  }

  const int parameters = std::max(1, instructions / 20);
  for (int i = 0; i < instructions; ++i) {
    int pick = below(weights);
    const Kind* kind = kKinds;
    while (pick >= kind->weight) pick -= (kind++)->weight;
    const bool is_parameter = i < parameters;
    const std::string opcode = is_parameter ? "parameter" : kind->opcode;
    const std::string name =
        is_parameter ? absl::StrCat("param.", i) : absl::StrCat(opcode, ".", i);
    module.schedule.push_back({name, opcode});

    MemoryPage::Buffer buffer;
    buffer.name = name;
    buffer.opcode = opcode;
    buffer.shape =
        is_parameter ? "bf16[4096,4096]{1,0:T(8,128)(2,1)}" : kind->shape;
    buffer.unpadded_bytes = is_parameter ? 33554432 : kind->unpadded;
    buffer.padded_bytes = is_parameter ? 33554432 : kind->padded;
    if (!is_parameter && below(8) > 0) {
      buffer.source = absl::StrCat(kSources[below(6) * below(6) / 5], ":",
                                   40 + below(12) * below(12) * 3);
    }
    if (!is_parameter) {
      buffer.op_name =
          absl::StrCat("jit(train_step)/layers_", i % 12, "/",
                       opcode == "dot" ? "mlp" : "norm", "/", opcode);
    }
    // What the forward half makes is used by the backward half.
    buffer.first = i;
    buffer.last = is_parameter ? instructions - 1 : i + 1 + below(12);
    const bool kept = i < instructions / 2 && below(6) == 0;
    if (!is_parameter && kept) buffer.last = instructions - i;
    buffer.last = std::min<int64_t>(buffer.last, instructions - 1);

    MemoryPage::Group& entry = groups[{opcode, buffer.source}];
    entry.opcode = opcode;
    entry.source = buffer.source;
    MemoryPage::OpcodeTotals& totals = by_opcode[opcode];
    totals.opcode = opcode;
    const int space = !is_parameter && !kept && below(7) == 0 ? 1 : 0;
    if (space == 1) buffer.shape.insert(buffer.shape.size() - 1, "S(1)");
    MemoryPage::Array& array = arrays[buffer.shape];
    array.shape = buffer.shape;
    array.unpadded_bytes = buffer.unpadded_bytes;
    array.padded_bytes = buffer.padded_bytes;
    array.total_padding_bytes += buffer.padded_bytes - buffer.unpadded_bytes;
    ++array.uses;
    if (!is_parameter) {
      array.padded_dimension = kind->padded_dimension;
      array.better_order = kind->better_order;
      array.better_bytes = kind->better;
    }
    ++page.by_memory_space[space].arrays;
    ++entry.instructions;
    ++totals.instructions;
    auto add = [&](auto& sum) {
      sum.unpadded_bytes += buffer.unpadded_bytes;
      sum.padded_bytes += buffer.padded_bytes;
    };
    add(page.by_memory_space[space]);
    add(module);
    add(entry);
    add(totals);
    if (opcode == "copy" || opcode == "bitcast") {
      MemoryPage::Relayout relayout;
      relayout.instruction = name;
      relayout.opcode = opcode;
      relayout.from = "bf16[8,32,2048,64]{3,2,1,0:T(8,128)(2,1)}";
      relayout.to = buffer.shape;
      relayout.bytes = buffer.padded_bytes;
      relayout.is_free = opcode == "bitcast";
      page.relayouts.push_back(relayout);
    }
    for (int64_t at = buffer.first; at <= buffer.last; ++at) {
      timelines[space].live_bytes[at] += buffer.padded_bytes;
    }
    timelines[space].buffers.push_back(std::move(buffer));
  }

  for (MemoryPage::Timeline& timeline : timelines) {
    const std::vector<int64_t>& live = timeline.live_bytes;
    timeline.peak = std::max_element(live.begin(), live.end()) - live.begin();
  }
  module.timelines = std::move(timelines);
  module.distinct_shapes = arrays.size();
  for (const auto& [key, group] : groups) page.groups.push_back(group);
  for (const auto& [key, totals] : by_opcode) page.by_opcode.push_back(totals);
  for (const auto& [key, array] : arrays) {
    page.largest.push_back(array);
    if (array.total_padding_bytes > 0) page.most_wasteful.push_back(array);
  }
  return page;
}

}  // namespace tessera
