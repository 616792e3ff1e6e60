#include "tessera/tenstorrent/buffer/runtime_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/mlir_reader.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera::tenstorrent {
namespace {

// A word, a number or brackets: TensorMemoryLayout::INTERLEAVED, 32, {32, 64},
// ShardSpec(...).
struct RuntimeNode {
  const char* at = nullptr;
  std::string_view key;   // in front of '=' or ':'
  std::string_view word;  // of a call, in front of its bracket
  char bracket = 0;       // the opening one
  std::optional<int64_t> number;
  std::optional<int64_t> padded;  // 1[32], 77 + 19
  std::vector<int> children;
};

// Returns the last part: "L1" of "ttnn.BufferType.L1".
std::string_view LastName(std::string_view word) {
  const size_t end = word.find_last_of(".:");
  return end == std::string_view::npos ? word : word.substr(end + 1);
}

// Returns the part before it: "BufferType".
std::string_view Qualifier(std::string_view word) {
  const std::string_view last = LastName(word);
  std::string_view rest = word.substr(0, word.size() - last.size());
  while (!rest.empty() && (rest.back() == '.' || rest.back() == ':')) {
    rest.remove_suffix(1);
  }
  return LastName(rest);
}

// Reads text into a tree of nodes. The first node is the root.
class RuntimeReader : public MlirReader {
 public:
  using MlirReader::MlirReader;

  bool ReadTree(std::vector<RuntimeNode>* nodes);

 private:
  static constexpr size_t kMaxDepth = 64;
  static constexpr size_t kMaxNodes = size_t{1} << 16;

  char Next() {
    const char* const at = position();
    return at == text().data() + text().size() ? '\0' : *at;
  }
  bool At(const char* at, std::string_view word) const {
    const std::string_view rest(at, text().data() + text().size() - at);
    return StartsWith(rest, word);
  }
  // Takes words joined by "." or "::"; returns "" if none comes next.
  std::string_view TakeWord();
  // Takes text in quotes of either kind, without escapes; returns "" if none
  // comes next.
  std::string_view TakeQuoted();
  bool ReadNumberNode(RuntimeNode* node);
  // Reads a key, if there is one, and a value up to its opening bracket.
  bool ReadItem(RuntimeNode* node);
  // Leaves the brackets that the next character closes.
  bool Close(const std::vector<RuntimeNode>& nodes, std::vector<int>* open);
};

std::string_view RuntimeReader::TakeWord() {
  const char* const begin = position();
  const char* end = begin;
  while (!cursor().TakeIdentifier().empty()) {
    end = cursor().position();
    if (!At(end, "::")) break;
    cursor().Take(':');
    cursor().Take(':');
  }
  return std::string_view(begin, end - begin);
}

std::string_view RuntimeReader::TakeQuoted() {
  const char quote = Next();
  if (quote != '"' && quote != '\'') return {};
  const char* const begin = position() + 1;
  const char* const end_of_text = text().data() + text().size();
  const char* const end = std::find(begin, end_of_text, quote);
  if (end == end_of_text) return {};
  cursor() = MlirCursor(text(), end + 1 - text().data());
  return std::string_view(begin, end - begin);
}

bool RuntimeReader::ReadNumberNode(RuntimeNode* node) {
  int64_t number;
  if (!ReadInteger("a number", &number)) return false;
  node->number = number;
  // Elements of a tensor are not read, so digits after a point do not matter.
  const bool is_touching = position() == cursor().position();
  if (is_touching && cursor().Take('[')) {
    int64_t padded;
    if (!ReadNumber("a padded size", &padded) || !Expect(']')) return false;
    node->padded = padded;
  } else if (cursor().Take('+')) {
    int64_t padding;
    if (!ReadNumber("the padding of a size", &padding)) return false;
    node->padded = CheckedAdd(number, padding);
    if (!node->padded.has_value()) {
      return Fail(node->at, "the padded size exceeds 2^63-1",
                  absl::StatusCode::kOutOfRange);
    }
  }
  return true;
}

bool RuntimeReader::ReadItem(RuntimeNode* node) {
  node->at = position();
  // "input_tensor : shape = ..." has two keys. The last one counts.
  while (true) {
    std::string_view word = TakeQuoted();
    if (word.empty()) word = TakeWord();
    if (word.empty()) break;
    if (Next() != '=' && Next() != ':') {
      node->word = word;
      break;
    }
    cursor().Take(Next());
    node->key = word;
    node->at = position();
  }
  const char next = Next();
  if (next != '\0' && StrContains("([{<", next)) {
    cursor().Take(next);
    node->bracket = next;
    return true;
  }
  if (!node->word.empty()) return true;
  if (next == '-' || cursor().AtDigit()) return ReadNumberNode(node);
  return FailExpected("a name, a number or a bracket");
}

bool RuntimeReader::Close(const std::vector<RuntimeNode>& nodes,
                          std::vector<int>* open) {
  constexpr std::string_view kOpening = "([{<", kClosing = ")]}>";
  const char closing = Next();
  const char wanted = kOpening[kClosing.find(closing)];
  // The runtime leaves out the '}' of core ranges in a list.
  size_t depth = open->size();
  if (wanted == '[') {
    while (depth > 1 && nodes[(*open)[depth - 1]].bracket == '{') --depth;
  }
  if (nodes[(*open)[depth - 1]].bracket != wanted) {
    return Fail(position(), absl::StrCat("'", std::string(1, closing),
                                         "' does not close a bracket"));
  }
  cursor().Take(closing);
  open->resize(depth - 1);
  return true;
}

bool RuntimeReader::ReadTree(std::vector<RuntimeNode>* nodes) {
  nodes->clear();
  nodes->emplace_back();
  nodes->front().at = position();
  std::vector<int> open = {0};
  bool needs_separator = false;
  while (Next() != '\0') {
    const char next = Next();
    if (open.size() > 1 && StrContains(")]}>", next)) {
      if (!Close(*nodes, &open)) return false;
      needs_separator = true;
      continue;
    }
    if (needs_separator) {
      // The separator of two cores, or of two parts.
      if (!cursor().Take(',') && !cursor().Take(';') && !cursor().Take('-') &&
          open.size() > 1) {
        return FailExpected("',' or a closing bracket");
      }
      needs_separator = false;
      continue;
    }
    if (nodes->size() == kMaxNodes) {
      return FailTooMany("a text has at most 65536 values");
    }
    RuntimeNode node;
    if (!ReadItem(&node)) return false;
    const int number = nodes->size();
    (*nodes)[open.back()].children.push_back(number);
    nodes->push_back(std::move(node));
    needs_separator = nodes->back().bracket == 0;
    if (needs_separator) continue;
    if (open.size() == kMaxDepth) {
      return FailTooMany("brackets are nested at most 64 deep");
    }
    open.push_back(number);
  }
  return open.size() == 1 || FailExpected("a closing bracket");
}

// Interprets the nodes of a tree.
class RuntimeMeaning {
 public:
  RuntimeMeaning(std::string_view text, std::vector<RuntimeNode> nodes)
      : reader_(text), nodes_(std::move(nodes)) {}

  const absl::Status& status() const { return reader_.status(); }
  const RuntimeNode& root() const { return nodes_[0]; }
  const RuntimeNode& ChildOf(const RuntimeNode& node, size_t i) const {
    return Unwrapped(nodes_[node.children[i]]);
  }

  bool ToMemoryConfig(const RuntimeNode& node, MemoryConfig* config);
  bool ToTensor(RuntimeTensor* tensor);
  bool Fail(const RuntimeNode& node, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    return reader_.Fail(node.at, message, code);
  }

 private:
  // Returns the content of std::optional{...}, and the name of <Layout.TILE:
  // 1>, which is how Python prints it.
  const RuntimeNode& Unwrapped(const RuntimeNode& node) const {
    const bool is_optional = LastName(node.word) == "optional";
    return is_optional && node.children.size() == 1 ? nodes_[node.children[0]]
                                                    : node;
  }
  std::string_view NameOf(const RuntimeNode& node) const {
    if (node.bracket == '<' && node.children.size() == 1) {
      return nodes_[node.children[0]].key;
    }
    return node.word;
  }
  static bool IsNothing(const RuntimeNode& node) {
    const std::string_view name = LastName(node.word);
    return node.bracket == 0 &&
           (name == "nullopt" || name == "None" || name == "null");
  }
  bool IsNumbers(const RuntimeNode& node) const;
  const RuntimeNode& ListOf(const RuntimeNode& node) const;
  bool ToNumbers(const RuntimeNode& node, Dimensions* numbers,
                 std::optional<Dimensions>* padded = nullptr);
  bool ToCore(const RuntimeNode& node, CoreCoordinate* core) const;
  bool ToRanges(const RuntimeNode& node, CoreRanges* ranges);
  template <typename Enum, size_t n>
  bool ToEnum(const RuntimeNode& node, std::string_view what,
              const std::pair<std::string_view, Enum> (&names)[n], Enum* value);
  bool ToFlag(const RuntimeNode& node, bool* flag);
  bool ToMemoryLayout(const RuntimeNode& node, MemoryConfig* config);
  bool ToBufferType(const RuntimeNode& node, MemoryConfig* config);
  bool ToOrientation(const RuntimeNode& node, ShardOrientation* orientation);
  bool ToShardSpec(const RuntimeNode& node, ShardSpec* spec);
  bool ToNdShardSpec(const RuntimeNode& node, NdShardSpec* spec);
  bool ToTensorPart(const RuntimeNode& node, RuntimeTensor* tensor,
                    bool* is_part);
  bool CheckAlignment(const RuntimeTensor& tensor);

  MlirReader reader_;
  std::vector<RuntimeNode> nodes_;
  std::optional<Dimensions> alignment_;
  const RuntimeNode* alignment_node_ = nullptr;
};

constexpr std::pair<std::string_view, TensorMemoryLayout> kLayoutNames[] = {
    {"INTERLEAVED", TensorMemoryLayout::kInterleaved},
    {"SINGLE_BANK", TensorMemoryLayout::kSingleBank},
    {"HEIGHT_SHARDED", TensorMemoryLayout::kHeightSharded},
    {"WIDTH_SHARDED", TensorMemoryLayout::kWidthSharded},
    {"BLOCK_SHARDED", TensorMemoryLayout::kBlockSharded},
    {"ND_SHARDED", TensorMemoryLayout::kNdSharded}};
// In the order of their numbers in JSON.
constexpr std::pair<std::string_view, BufferType> kBufferNames[] = {
    {"DRAM", BufferType::kDram},
    {"L1", BufferType::kL1},
    {"SYSTEM_MEMORY", BufferType::kSystemMemory},
    {"L1_SMALL", BufferType::kL1Small},
    {"TRACE", BufferType::kTrace}};
constexpr std::pair<std::string_view, ShardOrientation> kOrientationNames[] = {
    {"ROW_MAJOR", ShardOrientation::kRowMajor},
    {"COL_MAJOR", ShardOrientation::kColMajor}};
constexpr std::pair<std::string_view, ShardDistribution> kStrategyNames[] = {
    {"ROUND_ROBIN_1D", ShardDistribution::kRoundRobin1d},
    {"GRID_2D", ShardDistribution::kGrid2d}};
constexpr std::pair<std::string_view, ShardMode> kModeNames[] = {
    {"PHYSICAL", ShardMode::kPhysical}, {"LOGICAL", ShardMode::kLogical}};
constexpr std::pair<std::string_view, DataType> kDataTypeNames[] = {
    {"BFLOAT16", DataType::kBF16},    {"FLOAT32", DataType::kF32},
    {"BFLOAT8_B", DataType::kBfpBf8}, {"BFLOAT4_B", DataType::kBfpBf4},
    {"UINT8", DataType::kU8},         {"UINT16", DataType::kU16},
    {"UINT32", DataType::kU32},       {"INT32", DataType::kSI32},
    {"INT8", DataType::kSI8}};

constexpr std::pair<std::string_view, bool> kPageLayoutNames[] = {
    {"TILE", true},
    {"TILE_LAYOUT", true},
    {"ROW_MAJOR", false},
    {"ROW_MAJOR_LAYOUT", false}};
// The configurations that ttnn names and that lack a shard.
constexpr std::pair<std::string_view, TensorMemoryLayout> kShardedConfigs[] = {
    {"L1_HEIGHT_SHARDED_MEMORY_CONFIG", TensorMemoryLayout::kHeightSharded},
    {"L1_WIDTH_SHARDED_MEMORY_CONFIG", TensorMemoryLayout::kWidthSharded},
    {"L1_BLOCK_SHARDED_MEMORY_CONFIG", TensorMemoryLayout::kBlockSharded}};

template <typename Value, size_t n>
const Value* FindName(std::string_view name,
                      const std::pair<std::string_view, Value> (&names)[n]) {
  for (const auto& [word, value] : names) {
    if (EqualsIgnoreCase(name, word)) return &value;
  }
  return nullptr;
}

template <typename Enum, size_t n>
bool RuntimeMeaning::ToEnum(const RuntimeNode& node, std::string_view what,
                            const std::pair<std::string_view, Enum> (&names)[n],
                            Enum* value) {
  const Enum* found = FindName(LastName(NameOf(node)), names);
  if (found == nullptr && node.number.has_value() && *node.number >= 0 &&
      *node.number < static_cast<int64_t>(n)) {
    found = &names[*node.number].second;
  }
  if (found == nullptr) {
    return Fail(node, StrCat("expected ", what, ", such as ", names[0].first));
  }
  *value = *found;
  return true;
}

bool RuntimeMeaning::ToFlag(const RuntimeNode& node, bool* flag) {
  if (node.number.has_value() && (*node.number == 0 || *node.number == 1)) {
    *flag = *node.number == 1;
    return true;
  }
  *flag = EqualsIgnoreCase(node.word, "true");
  return *flag || EqualsIgnoreCase(node.word, "false") ||
         Fail(node, "expected true or false");
}

// Returns the brackets of Shape([1, 2]), or those of the list itself.
const RuntimeNode& RuntimeMeaning::ListOf(const RuntimeNode& node) const {
  if (node.bracket == '(' && !node.word.empty() && node.children.size() == 1) {
    const RuntimeNode& child = nodes_[node.children[0]];
    if (child.bracket != 0) return child;
  }
  return node;
}

bool RuntimeMeaning::IsNumbers(const RuntimeNode& node) const {
  const RuntimeNode& list = ListOf(node);
  if (list.bracket == 0) return false;
  return std::all_of(list.children.begin(), list.children.end(), [this](int i) {
    return nodes_[i].number.has_value() && nodes_[i].key.empty();
  });
}

bool RuntimeMeaning::ToNumbers(const RuntimeNode& node, Dimensions* numbers,
                               std::optional<Dimensions>* padded) {
  if (!IsNumbers(node)) return Fail(node, "expected a list of sizes");
  const RuntimeNode& list = ListOf(node);
  if (list.children.size() > static_cast<size_t>(AffineExpression::kMaxDims)) {
    return Fail(list, "a shape has at most 1024 sizes",
                absl::StatusCode::kResourceExhausted);
  }
  Dimensions all_padded;
  bool has_padded = false;
  for (const int i : list.children) {
    const RuntimeNode& size = nodes_[i];
    if (*size.number < 0) {
      return Fail(size,
                  absl::StrCat("the size ", *size.number, " is negative"));
    }
    if (size.padded.has_value() && padded == nullptr) {
      return Fail(size, "only the shape of a tensor has padded sizes");
    }
    numbers->push_back(*size.number);
    all_padded.push_back(size.padded.value_or(*size.number));
    has_padded = has_padded || size.padded.has_value();
  }
  if (has_padded) *padded = std::move(all_padded);
  return true;
}

// (x=0,y=0), {"x":0,"y":0}, CoreCoord(0, 0), (0, 0)
bool RuntimeMeaning::ToCore(const RuntimeNode& node,
                            CoreCoordinate* core) const {
  if (node.bracket == 0 || node.bracket == '[' || node.children.size() != 2) {
    return false;
  }
  for (int i = 0; i < 2; ++i) {
    const RuntimeNode& part = nodes_[node.children[i]];
    if (!part.number.has_value() || *part.number < 0) return false;
    const bool is_y = part.key.empty() ? i == 1 : part.key == "y";
    if (!is_y && !part.key.empty() && part.key != "x") return false;
    (is_y ? core->y : core->x) = *part.number;
  }
  return true;
}

// Reads all cores in the node as pairs, in order.
bool RuntimeMeaning::ToRanges(const RuntimeNode& node, CoreRanges* ranges) {
  std::vector<CoreCoordinate> cores;
  std::string_view last_key;
  std::vector<const RuntimeNode*> left = {&node};
  while (!left.empty()) {
    const RuntimeNode& next = *left.back();
    left.pop_back();
    CoreCoordinate core;
    if (ToCore(next, &core)) {
      cores.push_back(core);
      // JSON has its keys in alphabetical order.
      if (cores.size() % 2 == 0 && last_key == "end" && next.key == "start") {
        std::swap(cores[cores.size() - 2], cores.back());
      }
      last_key = next.key;
      continue;
    }
    if (next.bracket == 0) return Fail(next, "expected a range of cores");
    for (size_t i = next.children.size(); i-- > 0;) {
      left.push_back(&ChildOf(next, i));
    }
  }
  if (cores.size() % 2 != 0) {
    return Fail(node, absl::StrCat(cores.size(),
                                   " cores are not the corners of ranges"));
  }
  if (cores.size() > 2 * static_cast<size_t>(AffineExpression::kMaxDims)) {
    return Fail(node, "a layout has at most 1024 core ranges",
                absl::StatusCode::kResourceExhausted);
  }
  for (size_t i = 0; i < cores.size(); i += 2) {
    ranges->push_back({cores[i], cores[i + 1]});
  }
  return true;
}

bool RuntimeMeaning::ToMemoryLayout(const RuntimeNode& node,
                                    MemoryConfig* config) {
  return ToEnum(node, "a memory layout", kLayoutNames,
                &config->memory_layout.emplace());
}

bool RuntimeMeaning::ToBufferType(const RuntimeNode& node,
                                  MemoryConfig* config) {
  return ToEnum(node, "a buffer type", kBufferNames, &config->buffer_type);
}

bool RuntimeMeaning::ToOrientation(const RuntimeNode& node,
                                   ShardOrientation* orientation) {
  return ToEnum(node, "a shard orientation", kOrientationNames, orientation);
}

bool RuntimeMeaning::ToShardSpec(const RuntimeNode& node, ShardSpec* spec) {
  bool has_shape = false, has_grid = false;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const RuntimeNode& part = ChildOf(node, i);
    const std::string_view key = nodes_[node.children[i]].key;
    const std::string_view name = NameOf(part);
    if (key == "orientation" || key == "shard_orientation" ||
        (key.empty() && Qualifier(name) == "ShardOrientation")) {
      if (!ToOrientation(part, &spec->orientation)) return false;
    } else if (key == "mode" || key == "shard_mode" ||
               (key.empty() && Qualifier(name) == "ShardMode")) {
      if (!ToEnum(part, "a shard mode", kModeNames, &spec->mode.emplace())) {
        return false;
      }
    } else if (key == "physical_shard_shape") {
      if (!IsNothing(part) &&
          !ToNumbers(part, &spec->physical_shape.emplace())) {
        return false;
      }
    } else if (key == "halo" || (key.empty() && part.bracket == 0)) {
      bool halo;
      if (!ToFlag(part, &halo)) return false;
    } else if (key == "shape" || key == "shard_shape" ||
               (key.empty() && IsNumbers(part))) {
      if (!ToNumbers(part, &spec->shape)) return false;
      has_shape = true;
    } else if (key == "grid" || key.empty()) {
      if (!ToRanges(part, &spec->core_ranges)) return false;
      has_grid = true;
    } else {
      return Fail(part, StrCat("'", key, "' is not a part of a shard spec"));
    }
  }
  // Without a mode there is no other shape.
  if (!spec->mode.has_value()) spec->physical_shape.reset();
  return (has_shape && has_grid) ||
         Fail(node, "a shard spec has a grid and a shape");
}

bool RuntimeMeaning::ToNdShardSpec(const RuntimeNode& node, NdShardSpec* spec) {
  bool has_shape = false, has_grid = false;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const RuntimeNode& part = ChildOf(node, i);
    const std::string_view key = nodes_[node.children[i]].key;
    const std::string_view name = NameOf(part);
    if (key == "orientation" ||
        (key.empty() && Qualifier(name) == "ShardOrientation")) {
      if (!ToOrientation(part, &spec->orientation)) return false;
    } else if (key == "shard_distribution_strategy" ||
               (key.empty() &&
                Qualifier(name) == "ShardDistributionStrategy")) {
      if (!ToEnum(part, "a distribution of shards", kStrategyNames,
                  &spec->distribution)) {
        return false;
      }
    } else if (key == "shard_shape" || key == "shape" ||
               (key.empty() && IsNumbers(part))) {
      if (!ToNumbers(part, &spec->shape)) return false;
      has_shape = true;
    } else if (key == "grid" || (key.empty() && part.bracket != 0)) {
      if (!ToRanges(part, &spec->core_ranges)) return false;
      has_grid = true;
    } else {
      return Fail(part, StrCat("'", key.empty() ? part.word : key,
                               "' is not a part of an ND shard spec"));
    }
  }
  return (has_shape && has_grid) ||
         Fail(node, "an ND shard spec has a grid and a shape");
}

bool RuntimeMeaning::ToMemoryConfig(const RuntimeNode& node,
                                    MemoryConfig* config) {
  const std::string_view name = LastName(node.word);
  *config = MemoryConfig();
  config->memory_layout = TensorMemoryLayout::kInterleaved;
  if (name == "DRAM_MEMORY_CONFIG") return true;
  if (name == "L1_MEMORY_CONFIG") {
    config->buffer_type = BufferType::kL1;
    return true;
  }
  if (const auto* sharded = FindName(name, kShardedConfigs)) {
    config->memory_layout = *sharded;
    config->buffer_type = BufferType::kL1;
    return true;
  }
  if (StartsWith(name, "create_sharded_memory_config")) {
    return Fail(node, StrCat("the shard of ", name,
                             " is computed by ttnn; give the MemoryConfig(...) "
                             "that it returns"));
  }
  const bool is_json = node.word.empty() && node.bracket == '{';
  if (!is_json && (name != "MemoryConfig" || node.bracket == 0)) {
    return Fail(node,
                "expected a memory configuration, such as "
                "MemoryConfig(memory_layout=..., buffer_type=...)");
  }
  bool is_nd = false;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const RuntimeNode& part = ChildOf(node, i);
    const std::string_view key = nodes_[node.children[i]].key;
    const std::string_view word = NameOf(part);
    const std::string_view type = part.bracket == '(' || part.bracket == '{'
                                      ? LastName(word)
                                      : Qualifier(word);
    if (key == "memory_layout" ||
        (key.empty() && type == "TensorMemoryLayout")) {
      if (!ToMemoryLayout(part, config)) return false;
    } else if (key == "buffer_type" || (key.empty() && type == "BufferType")) {
      if (!ToBufferType(part, config)) return false;
    } else if (key == "shard_spec" || (key.empty() && type == "ShardSpec")) {
      if (IsNothing(part)) continue;
      if (!ToShardSpec(part, &config->shard_spec.emplace())) return false;
    } else if (key == "nd_shard_spec" ||
               (key.empty() && type == "NdShardSpec")) {
      if (IsNothing(part)) continue;
      if (!ToNdShardSpec(part, &config->nd_shard_spec.emplace())) return false;
    } else if (key == "created_with_nd_shard_spec") {
      if (!ToFlag(part, &is_nd)) return false;
    } else if (key == "per_core_allocation" ||
               key == "range_lockstep_allocation") {
      bool is_set;
      if (!ToFlag(part, &is_set)) return false;
      if (is_set) {
        return Fail(part, StrCat("the rule of ", key, " is not supported"),
                    absl::StatusCode::kUnimplemented);
      }
    } else if (!key.empty() || !IsNothing(part)) {
      return Fail(part, StrCat("'", key.empty() ? word : key,
                               "' is not a part of a memory "
                               "configuration"));
    }
  }
  // Keeps the one that the other was made from.
  if (config->shard_spec.has_value() && config->nd_shard_spec.has_value()) {
    if (is_nd) {
      config->shard_spec.reset();
    } else {
      config->nd_shard_spec.reset();
    }
  }
  if (config->nd_shard_spec.has_value()) {
    config->memory_layout = TensorMemoryLayout::kNdSharded;
  }
  return true;
}

bool RuntimeMeaning::ToTensorPart(const RuntimeNode& node,
                                  RuntimeTensor* tensor, bool* is_part) {
  *is_part = true;
  const RuntimeNode& part = Unwrapped(node);
  const std::string_view key = node.key;
  const std::string_view word = NameOf(part);
  const std::string_view name = LastName(word), type = Qualifier(word);
  if (name == "MemoryConfig" || EndsWith(name, "_MEMORY_CONFIG")) {
    return ToMemoryConfig(part, &tensor->memory_config.emplace());
  }
  if (key == "buffer_type" || (key.empty() && type == "BufferType")) {
    if (!tensor->memory_config.has_value()) tensor->memory_config.emplace();
    return ToBufferType(part, &*tensor->memory_config);
  }
  if (key == "memory_layout" || (key.empty() && type == "TensorMemoryLayout")) {
    if (!tensor->memory_config.has_value()) tensor->memory_config.emplace();
    return ToMemoryLayout(part, &*tensor->memory_config);
  }
  if (name == "ShardSpec") {
    if (!tensor->memory_config.has_value()) tensor->memory_config.emplace();
    return ToShardSpec(part, &tensor->memory_config->shard_spec.emplace());
  }
  if (key == "alignment" || name == "Alignment") {
    alignment_node_ = &part;
    return ToNumbers(part, &alignment_.emplace());
  }
  const bool is_tile = name == "Tile" && part.children.size() == 1 &&
                       IsNumbers(nodes_[part.children[0]]);
  if (key == "tile_shape" || is_tile) {
    Dimensions sides;
    if (!ToNumbers(is_tile ? nodes_[part.children[0]] : part, &sides)) {
      return false;
    }
    if (sides.size() != 2) return Fail(part, "a tile has a height and a width");
    tensor->tile = TileShape{sides[0], sides[1]};
    return true;
  }
  if (name == "TilePageConfig" || name == "RowMajorPageConfig") {
    tensor->is_tiled = name == "TilePageConfig";
    *is_part = false;
    return true;
  }
  if (key == "layout" || (key.empty() && type == "Layout") ||
      name == "TILE_LAYOUT" || name == "ROW_MAJOR_LAYOUT") {
    tensor->is_tiled = RuntimeIsTiled(word);
    return tensor->is_tiled.has_value() ||
           Fail(part, "expected a layout, TILE or ROW_MAJOR");
  }
  if (key == "dtype" || key == "data_type" ||
      (key.empty() && part.bracket != '(' && RuntimeDataTypeOf(name))) {
    const std::optional<DataType> data_type = RuntimeDataTypeOf(name);
    if (!data_type.has_value()) {
      return Fail(part, StrCat("'", name, "' is not a data type"));
    }
    tensor->data_type = data_type;
    return true;
  }
  if (!tensor->shape.has_value() &&
      (key == "shape" || key == "logical_shape" || key.empty()) &&
      (name == "Shape" || (part.bracket != 0 && word.empty())) &&
      IsNumbers(part)) {
    return ToNumbers(part, &tensor->shape.emplace(), &tensor->padded_shape);
  }
  *is_part = false;
  return true;
}

// The places of a tensor with another alignment are not known.
bool RuntimeMeaning::CheckAlignment(const RuntimeTensor& tensor) {
  if (!alignment_.has_value() || !tensor.is_tiled.has_value()) return true;
  Dimensions alignment = *alignment_;
  if (*tensor.is_tiled && alignment.size() >= 2) {
    const TileShape tile = tensor.tile.value_or(TileShape());
    if (alignment.back() != tile.width ||
        alignment[alignment.size() - 2] != tile.height) {
      return Fail(*alignment_node_,
                  "the alignment is not the tile; other alignments are not "
                  "supported",
                  absl::StatusCode::kUnimplemented);
    }
    alignment.resize(alignment.size() - 2);
  } else if (!*tensor.is_tiled && !alignment.empty()) {
    // For a sharded tensor, the width of a shard.
    alignment.pop_back();
  }
  const bool is_one = std::all_of(alignment.begin(), alignment.end(),
                                  [](int64_t size) { return size == 1; });
  return is_one || Fail(*alignment_node_,
                        "only the last sizes of a tensor may be aligned; other "
                        "alignments are not supported",
                        absl::StatusCode::kUnimplemented);
}

bool RuntimeMeaning::ToTensor(RuntimeTensor* tensor) {
  std::vector<const RuntimeNode*> left;
  const auto add_children = [&](const RuntimeNode& node) {
    for (size_t i = node.children.size(); i-- > 0;) {
      left.push_back(&nodes_[node.children[i]]);
    }
  };
  add_children(root());
  while (!left.empty()) {
    const RuntimeNode& node = *left.back();
    left.pop_back();
    bool is_part;
    if (!ToTensorPart(node, tensor, &is_part)) return false;
    if (!is_part) add_children(node);
  }
  if (!tensor->shape.has_value()) {
    return Fail(root(), "the tensor has no shape, such as shape=Shape([1, 2])");
  }
  if (tensor->is_tiled == false) tensor->tile.reset();
  return CheckAlignment(*tensor);
}

absl::StatusOr<RuntimeMeaning> ReadRuntimeText(std::string_view text) {
  RuntimeReader reader(text);
  std::vector<RuntimeNode> nodes;
  if (!reader.ReadTree(&nodes)) return reader.status();
  return RuntimeMeaning(reader.text(), std::move(nodes));
}

// Returns the end of ttnn.Tensor(...), after its elements: "shape=..." without
// the last bracket.
std::string_view WithoutElements(std::string_view text) {
  std::string_view rest = StripAsciiWhitespace(text);
  ConsumePrefix(&rest, "ttnn.");
  ConsumePrefix(&rest, "Tensor(");
  rest = StripLeadingAsciiWhitespace(rest);
  const bool has_elements =
      !rest.empty() && (rest[0] == '[' || rest[0] == '-' || rest[0] == ']' ||
                        absl::ascii_isdigit(rest[0]));
  const bool is_end = StartsWith(rest, "shape=");
  if (!has_elements && !is_end) return text;
  constexpr std::string_view kShape = "shape=";
  const size_t begin = rest.rfind(kShape);
  if (begin == std::string_view::npos) return text;
  rest.remove_prefix(begin);
  // The last bracket may be missing if the text is cut off.
  int64_t depth = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '(') ++depth;
    if (rest[i] == ')' && --depth < 0) return rest.substr(0, i);
  }
  return rest;
}

}  // namespace

std::optional<DataType> RuntimeDataTypeOf(std::string_view word) {
  const std::string_view name = LastName(word);
  if (const DataType* type = FindName(name, kDataTypeNames)) return *type;
  const std::optional<DataType> in_tile = TileTypeOf(name);
  return in_tile.has_value() ? in_tile : ScalarTypeOf(name);
}

std::vector<std::string> RuntimeDataTypeNames() {
  std::vector<std::string> names;
  for (const auto& [name, type] : kDataTypeNames) {
    names.push_back(absl::AsciiStrToLower(AbslView(name)));
  }
  return names;
}

std::optional<bool> RuntimeIsTiled(std::string_view word) {
  std::string_view name = StripAsciiWhitespace(word);
  // <Layout.TILE: 1>, as Python prints it.
  if (ConsumePrefix(&name, "<")) name = name.substr(0, name.find(": "));
  name = LastName(name);
  const bool* is_tiled = FindName(name, kPageLayoutNames);
  return is_tiled == nullptr ? std::nullopt : std::optional<bool>(*is_tiled);
}

absl::StatusOr<MemoryConfig> ParseRuntimeMemoryConfig(std::string_view text) {
  if (StartsWith(StripLeadingAsciiWhitespace(text), "#")) {
    return ParseMemoryConfig(text);
  }
  TESSERA_ASSIGN_OR_RETURN(RuntimeMeaning meaning, ReadRuntimeText(text));
  MemoryConfig config;
  if (meaning.root().children.size() != 1) {
    meaning.Fail(meaning.root(), "expected one memory configuration");
    return meaning.status();
  }
  if (!meaning.ToMemoryConfig(meaning.ChildOf(meaning.root(), 0), &config)) {
    return meaning.status();
  }
  return config;
}

absl::StatusOr<RuntimeTensor> ParseRuntimeTensor(std::string_view text) {
  TESSERA_ASSIGN_OR_RETURN(RuntimeMeaning meaning,
                           ReadRuntimeText(WithoutElements(text)));
  RuntimeTensor tensor;
  if (!meaning.ToTensor(&tensor)) return meaning.status();
  return tensor;
}

}  // namespace tessera::tenstorrent
