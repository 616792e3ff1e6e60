#include "tessera/hlo/strict/value_rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/attributes/module_header.h"
#include "tessera/hlo/attributes/replica_groups.h"
#include "tessera/hlo/attributes/value_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/hlo/strict/selected_shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Objection = std::optional<HloObjection>;
using Words = std::initializer_list<std::string_view>;

enum class ValueKind : uint8_t {
  kBool,             // true
  kBools,            // {true,false} or true
  kInteger,          // 2
  kIntegers,         // {0,1}
  kIntegersOrLists,  // {0,1} or {{0,1},{1,0}}
  kString,           // "foo"
  kDirection,        // LT
  kFftType,          // RFFT
  kComputation,      // %add or {...}
  kSlice,            // {[0:2], [1:9:3]}
  kWindow,           // {size=3x3 stride=2x2}
  kPadding,          // 0_1_0x2_2
  kDimLabels,        // b01f_01io->b01f
  kReplicaGroups,    // {{0,1},{2,3}}
  kPairs,            // {{0,1},{1,0}}
  kOperandAliases,   // {{0}: (1, {})}
  kDonors,           // {(1, {})}
  kEntryLayout,      // {(f32[8]{0})->f32[8]{0}}
};

struct JudgedKey {
  std::string_view key;
  ValueKind kind;
};

constexpr JudgedKey kJudgedKeys[] = {
    {"alias_passthrough_params", ValueKind::kBool},
    {"allow_spmd_sharding_propagation_to_output", ValueKind::kBools},
    {"allow_spmd_sharding_propagation_to_parameters", ValueKind::kBools},
    {"async_execution_thread", ValueKind::kString},
    {"batch_group_count", ValueKind::kInteger},
    {"body", ValueKind::kComputation},
    {"buffer_donor", ValueKind::kDonors},
    {"calls", ValueKind::kComputation},
    {"channel_id", ValueKind::kInteger},
    {"collapsed_slice_dims", ValueKind::kIntegers},
    {"condition", ValueKind::kComputation},
    {"constrain_layout", ValueKind::kBool},
    {"cross_program_prefetch_index", ValueKind::kInteger},
    {"custom_call_has_side_effect", ValueKind::kBool},
    {"custom_call_target", ValueKind::kString},
    {"delta", ValueKind::kInteger},
    {"dim_labels", ValueKind::kDimLabels},
    {"dimensions", ValueKind::kIntegers},
    {"direction", ValueKind::kDirection},
    {"dynamic_slice_sizes", ValueKind::kIntegers},
    {"entry_computation_layout", ValueKind::kEntryLayout},
    {"execution_thread", ValueKind::kString},
    {"exponent_bits", ValueKind::kInteger},
    {"false_computation", ValueKind::kComputation},
    {"feature_group_count", ValueKind::kInteger},
    {"feature_index", ValueKind::kInteger},
    {"fft_length", ValueKind::kIntegers},
    {"fft_type", ValueKind::kFftType},
    {"index", ValueKind::kInteger},
    {"index_vector_dim", ValueKind::kInteger},
    {"indices_are_sorted", ValueKind::kBool},
    {"infeed_config", ValueKind::kString},
    {"inferred_dimension", ValueKind::kInteger},
    {"input_batching_dims", ValueKind::kIntegers},
    {"inserted_window_dims", ValueKind::kIntegers},
    {"iota_dimension", ValueKind::kInteger},
    {"is_associative", ValueKind::kBool},
    {"is_composite", ValueKind::kBool},
    {"is_host_transfer", ValueKind::kBool},
    {"is_reverse", ValueKind::kBool},
    {"is_scheduled", ValueKind::kBool},
    {"is_stable", ValueKind::kBool},
    {"k", ValueKind::kInteger},
    {"largest", ValueKind::kBool},
    {"left_side", ValueKind::kBool},
    {"lhs_batch_dims", ValueKind::kIntegers},
    {"lhs_contracting_dims", ValueKind::kIntegers},
    {"lhs_ragged_dims", ValueKind::kIntegers},
    {"lower", ValueKind::kBool},
    {"mantissa_bits", ValueKind::kInteger},
    {"num_carries", ValueKind::kInteger},
    {"num_partitions", ValueKind::kInteger},
    {"offset_dims", ValueKind::kIntegers},
    {"operand_batching_dims", ValueKind::kIntegers},
    {"outfeed_config", ValueKind::kString},
    {"output_to_operand_aliasing", ValueKind::kOperandAliases},
    {"padding", ValueKind::kPadding},
    {"parameter_replication", ValueKind::kBools},
    {"replica_count", ValueKind::kInteger},
    {"replica_groups", ValueKind::kReplicaGroups},
    {"rhs_batch_dims", ValueKind::kIntegers},
    {"rhs_contracting_dims", ValueKind::kIntegers},
    {"rhs_group_dims", ValueKind::kIntegers},
    {"scatter", ValueKind::kComputation},
    {"scatter_dims_to_operand_dims", ValueKind::kIntegers},
    {"scatter_indices_batching_dims", ValueKind::kIntegers},
    {"select", ValueKind::kComputation},
    {"slice", ValueKind::kSlice},
    {"slice_sizes", ValueKind::kIntegersOrLists},
    {"source_target_pairs", ValueKind::kPairs},
    {"start_index_map", ValueKind::kIntegers},
    {"start_indices_batching_dims", ValueKind::kIntegers},
    {"to_apply", ValueKind::kComputation},
    {"true_computation", ValueKind::kComputation},
    {"unique_indices", ValueKind::kBool},
    {"unit_diagonal", ValueKind::kBool},
    {"update_window_dims", ValueKind::kIntegers},
    {"use_global_device_ids", ValueKind::kBool},
    {"window", ValueKind::kWindow},
};

bool IsName(std::string_view value) {
  const HloScanner scanner(value);
  return !value.empty() && scanner.PastName(scanner.begin()) == scanner.end();
}

const JudgedKey* FindKey(std::string_view key) {
  // Faster than a hash of the whole key.
  using Rows = std::array<std::vector<const JudgedKey*>, 256>;
  const auto place = [](std::string_view key) {
    return (key.size() * 32 + key.front()) % std::tuple_size<Rows>::value;
  };
  static const Rows& rows = *[&place] {
    auto* const rows = new Rows;
    for (const JudgedKey& row : kJudgedKeys) {
      (*rows)[place(row.key)].push_back(&row);
    }
    return rows;
  }();
  if (key.empty()) return nullptr;
  for (const JudgedKey* const row : rows[place(key)]) {
    if (row->key == key) return row;
  }
  return nullptr;
}

// Returns the error if `read` does not read the whole `value`.
template <typename Read>
Objection Judge(std::string_view value, std::string_view subject, Read read) {
  ValueReader reader(value, subject);
  if (read(&reader) && reader.ReadEnd()) return std::nullopt;
  return ObjectionOf(reader.status(), value);
}

Objection JudgeWord(std::string_view value, std::string_view subject,
                    Words words) {
  return Judge(value, subject, [&](ValueReader* reader) {
    const size_t at = reader->offset();
    const std::string_view word = reader->TakeIdentifier();
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    reader->MoveTo(at);
    return reader->FailExpected(
        absl::StrCat("one of ", JoinViews(words, ", ")));
  });
}

bool ReadIntegersOrLists(ValueReader* reader) {
  HloIntegers integers;
  return reader->ReadList('{', '}', [&] {
    int64_t integer;
    return reader->At('{') ? reader->ReadIntegers(&integers)
                           : reader->ReadInteger(&integer);
  });
}

bool ReadSlice(ValueReader* reader) {
  return reader->ReadList('{', '}', [&] {
    int64_t integer;
    return reader->Read('[') && reader->ReadInteger(&integer, "the start") &&
           reader->Read(':') && reader->ReadInteger(&integer, "the limit") &&
           (!reader->Take(':') ||
            reader->ReadInteger(&integer, "the stride")) &&
           reader->Read(']');
  });
}

bool IsInteger(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return absl::ascii_isdigit(c); });
}

// Returns the number of parts in `2x3`, each of `least` to `most` integers with
// '_' between them; 0 if it does not have this form.
int64_t CountParts(std::string_view text, size_t least, size_t most) {
  int64_t count = 0;
  for (const std::string_view part : SplitViews(text, 'x')) {
    size_t integers = 0;
    for (const std::string_view integer : SplitViews(part, '_')) {
      if (!IsInteger(integer)) return 0;
      ++integers;
    }
    if (integers < least || integers > most) return 0;
    ++count;
  }
  return count;
}

// Returns the text up to white space, a comment or a bracket.
std::string_view TakeToken(ValueReader* reader) {
  const size_t begin = reader->offset();
  const std::string_view rest = reader->rest();
  const std::string_view token =
      rest.substr(0, rest.find_first_of(" \t\r\n/{},"));
  reader->MoveTo(begin + token.size());
  return token;
}

bool ReadWindow(ValueReader* reader) {
  // In the order of kKeys; 0 for a missing one.
  static constexpr std::string_view kKeys[] = {
      "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  constexpr size_t kSize = 0;
  constexpr size_t kPad = 2;
  int64_t counts[std::size(kKeys)] = {};
  size_t begin = reader->offset();
  const bool is_read = reader->ReadEntries([&](std::string_view key,
                                               size_t at) {
    const size_t index =
        std::find(std::begin(kKeys), std::end(kKeys), key) - std::begin(kKeys);
    if (index == std::size(kKeys)) {
      return reader->Fail(
          at, absl::StrCat("there is no '", AbslView(key), "' in a window"));
    }
    if (counts[index] != 0) {
      return reader->Fail(at, absl::StrCat(AbslView(key), " is given twice"));
    }
    at = reader->offset();
    const std::string_view token = TakeToken(reader);
    counts[index] =
        index == kPad ? CountParts(token, 2, 2) : CountParts(token, 1, 1);
    return counts[index] != 0 ||
           reader->Fail(
               at, absl::StrCat("'", AbslView(token), "' is not a list like ",
                                index == kPad ? "1_1x0_2" : "2x3"));
  });
  if (!is_read) return false;
  for (size_t i = 0; i < std::size(kKeys); ++i) {
    if (counts[i] != 0 && counts[i] != counts[kSize]) {
      return reader->Fail(
          begin, absl::StrCat(AbslView(kKeys[i]), " is given for ", counts[i],
                              " dimensions, but size for ", counts[kSize]));
    }
  }
  return true;
}

bool ReadPadding(ValueReader* reader) {
  const size_t at = reader->offset();
  const std::string_view token = TakeToken(reader);
  return CountParts(token, 2, 3) != 0 ||
         reader->Fail(at, absl::StrCat("'", AbslView(token),
                                       "' is not a list like 0_1x2_2_1"));
}

// Returns the number of spatial dimensions in `labels`: digits from 0 on, next
// to two letters and any number of '?'; -1 if it does not have this form.
int64_t CountSpatialDimensions(std::string_view labels,
                               std::string_view letters) {
  bool is_seen[256] = {};
  int64_t count = 0;
  for (const char c : labels) {
    if (c == '?') continue;
    const bool is_digit = absl::ascii_isdigit(static_cast<unsigned char>(c));
    if (!is_digit && !StrContains(letters, c)) return -1;
    bool& seen = is_seen[static_cast<unsigned char>(c)];
    if (seen) return -1;
    seen = true;
    count += is_digit;
  }
  for (int64_t i = 0; i < count; ++i) {
    if (!is_seen['0' + i]) return -1;
  }
  return count;
}

bool ReadDimLabels(ValueReader* reader) {
  const size_t at = reader->offset();
  const std::string_view token = TakeToken(reader);
  const size_t kernel = token.find('_');
  const size_t output = token.find("->");
  if (kernel != token.npos && output != token.npos && kernel < output) {
    const int64_t dimensions =
        CountSpatialDimensions(token.substr(0, kernel), "bf");
    if (dimensions >= 0 &&
        dimensions ==
            CountSpatialDimensions(
                token.substr(kernel + 1, output - kernel - 1), "io") &&
        dimensions == CountSpatialDimensions(token.substr(output + 2), "bf")) {
      return true;
    }
  }
  return reader->Fail(
      at, absl::StrCat("'", AbslView(token), "' is not like b01f_01io->b01f"));
}

// The decoders of aliases refuse negative numbers, which have no meaning. XLA's
// parser accepts them, except as the number of a parameter.
bool ReadAnyShapeIndex(ValueReader* reader, ShapeIndex* index) {
  const auto read = [&] {
    return reader->ReadInteger(&index->emplace_back(), "a shape index");
  };
  return reader->ReadList('{', '}', read, /*is_loose=*/true);
}

// "(1, {2}", without the closing parenthesis.
bool ReadAnyParameterPart(ValueReader* reader) {
  int64_t number;
  ShapeIndex index;
  return reader->Read('(') &&
         reader->ReadIntegerFrom(0, "the parameter number", &number) &&
         reader->Read(',') && ReadAnyShapeIndex(reader, &index);
}

bool ReadOperandAlias(ValueReader* reader) {
  int64_t number;
  ShapeIndex index;
  return ReadAnyShapeIndex(reader, &index) && reader->Read(':') &&
         reader->Read('(') && reader->ReadInteger(&number) &&
         reader->Read(',') && ReadAnyShapeIndex(reader, &index) &&
         reader->Read(')');
}

bool ReadModuleAlias(ValueReader* reader, const Shape* result) {
  const size_t at = reader->offset();
  ShapeIndex output;
  if (!ReadAnyShapeIndex(reader, &output)) return false;
  if (result != nullptr && PartOfShape(*result, output) == nullptr) {
    return reader->Fail(
        at, absl::StrCat(ShapeIndexToString(output),
                         " is not a part of the result, ", result->ToString()));
  }
  if (!reader->Read(':') || !ReadAnyParameterPart(reader)) return false;
  if (!reader->Take(',')) return reader->Read(')');
  const size_t word_at = reader->offset();
  const std::string_view word = reader->TakeIdentifier();
  if (word == "may-alias" || word == "must-alias") return reader->Read(')');
  reader->MoveTo(word_at);
  return reader->FailExpected("may-alias or must-alias");
}

}  // namespace

std::optional<HloObjection> FindObjectionToValue(std::string_view key,
                                                 std::string_view value) {
  const JudgedKey* const row = FindKey(key);
  if (row == nullptr) return std::nullopt;
  switch (row->kind) {
    case ValueKind::kBool:
      return ObjectionOf(DecodeBool(value).status(), value);
    case ValueKind::kBools:
      return ObjectionOf(DecodeBools(value).status(), value);
    case ValueKind::kInteger:
      return ObjectionOf(DecodeInteger(value).status(), value);
    case ValueKind::kIntegers:
      return ObjectionOf(DecodeIntegers(value).status(), value);
    case ValueKind::kIntegersOrLists:
      return Judge(value, "list of integers", ReadIntegersOrLists);
    case ValueKind::kString:
      return ObjectionOf(DecodeString(value).status(), value);
    case ValueKind::kDirection:
      return JudgeWord(value, "direction",
                       {"EQ", "NE", "GE", "GT", "LE", "LT"});
    case ValueKind::kFftType:
      return JudgeWord(value, "type of FFT", {"FFT", "IFFT", "RFFT", "IRFFT"});
    case ValueKind::kComputation:
      // An inline one is read as a computation.
      if (IsName(value)) return std::nullopt;
      return !value.empty() && value.front() == '{'
                 ? std::nullopt
                 : ObjectionOf(DecodeNames(value).status(), value);
    case ValueKind::kSlice:
      return Judge(value, "slice", ReadSlice);
    case ValueKind::kWindow:
      return Judge(value, "window", ReadWindow);
    case ValueKind::kPadding:
      return Judge(value, "padding", ReadPadding);
    case ValueKind::kDimLabels:
      return Judge(value, "dim_labels", ReadDimLabels);
    case ValueKind::kReplicaGroups:
      return ObjectionOf(DecodeReplicaGroups(value).status(), value);
    case ValueKind::kPairs:
      return ObjectionOf(DecodeSourceTargetPairs(value).status(), value);
    case ValueKind::kOperandAliases:
      return Judge(value, "list of aliases", [](ValueReader* reader) {
        return reader->ReadList(
            '{', '}', [&] { return ReadOperandAlias(reader); },
            /*is_loose=*/true);
      });
    case ValueKind::kDonors:
      return Judge(value, "list of buffer donors", [](ValueReader* reader) {
        return reader->ReadList(
            '{', '}',
            [&] { return ReadAnyParameterPart(reader) && reader->Read(')'); },
            /*is_loose=*/true);
      });
    case ValueKind::kEntryLayout:
      return ObjectionOf(DecodeEntryComputationLayout(value).status(), value);
  }
  return std::nullopt;
}

std::optional<HloObjection> FindObjectionToAliases(std::string_view value,
                                                   const Shape* result) {
  return Judge(value, "list of aliases", [&](ValueReader* reader) {
    return reader->ReadList(
        '{', '}', [&] { return ReadModuleAlias(reader, result); },
        /*is_loose=*/true);
  });
}

}  // namespace hlo_internal
}  // namespace tessera
