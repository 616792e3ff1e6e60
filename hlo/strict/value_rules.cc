#include "tessera/hlo/strict/value_rules.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/attributes/metadata.h"
#include "tessera/hlo/attributes/module_header.h"
#include "tessera/hlo/attributes/replica_groups.h"
#include "tessera/hlo/attributes/value_reader.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Objection = absl::optional<HloObjection>;
using Words = std::initializer_list<absl::string_view>;

// Where `read` does not read all of `value`.
template <typename Read>
Objection Judge(absl::string_view value, absl::string_view subject, Read read) {
  ValueReader reader(value, subject);
  if (read(&reader) && reader.ReadEnd()) return absl::nullopt;
  return ObjectionOf(reader.status(), value);
}

Objection JudgeWord(absl::string_view value, absl::string_view subject,
                    Words words) {
  return Judge(value, subject, [&](ValueReader* reader) {
    const size_t at = reader->offset();
    const absl::string_view word = reader->TakeIdentifier();
    if (!word.empty() &&
        (words.size() == 0 ||
         std::find(words.begin(), words.end(), word) != words.end())) {
      return true;
    }
    reader->MoveTo(at);
    return reader->FailExpected(
        words.size() == 0
            ? "a word"
            : absl::StrCat("one of ", absl::StrJoin(words, ", ")));
  });
}

Objection JudgeStart(absl::string_view value, absl::string_view subject,
                     absl::string_view expected, bool is_right) {
  if (is_right) return absl::nullopt;
  return Judge(value, subject, [&](ValueReader* reader) {
    return reader->FailExpected(expected);
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

bool IsInteger(absl::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return absl::ascii_isdigit(c); });
}

// How many parts `2x3` has, each of `least` to `most` integers with '_' between
// them; 0 where that is not so.
int64_t CountParts(absl::string_view text, size_t least, size_t most) {
  int64_t count = 0;
  for (const absl::string_view part : absl::StrSplit(text, 'x')) {
    size_t integers = 0;
    for (const absl::string_view integer : absl::StrSplit(part, '_')) {
      if (!IsInteger(integer)) return 0;
      ++integers;
    }
    if (integers < least || integers > most) return 0;
    ++count;
  }
  return count;
}

// The text up to white space, a comment or a bracket.
absl::string_view TakeToken(ValueReader* reader) {
  const size_t begin = reader->offset();
  const absl::string_view rest = reader->rest();
  const absl::string_view token =
      rest.substr(0, rest.find_first_of(" \t\r\n/{},"));
  reader->MoveTo(begin + token.size());
  return token;
}

bool ReadWindow(ValueReader* reader) {
  // In the order of kKeys; 0 for one that is not there.
  static constexpr absl::string_view kKeys[] = {
      "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  constexpr size_t kSize = 0;
  constexpr size_t kPad = 2;
  int64_t counts[std::size(kKeys)] = {};
  size_t begin = reader->offset();
  const bool is_read = reader->ReadEntries([&](absl::string_view key,
                                               size_t at) {
    const size_t index =
        std::find(std::begin(kKeys), std::end(kKeys), key) - std::begin(kKeys);
    if (index == std::size(kKeys)) {
      return reader->Fail(at,
                          absl::StrCat("there is no '", key, "' in a window"));
    }
    if (counts[index] != 0) {
      return reader->Fail(at, absl::StrCat(key, " is given twice"));
    }
    at = reader->offset();
    const absl::string_view token = TakeToken(reader);
    counts[index] =
        index == kPad ? CountParts(token, 2, 2) : CountParts(token, 1, 1);
    return counts[index] != 0 ||
           reader->Fail(at, absl::StrCat("'", token, "' is not a list like ",
                                         index == kPad ? "1_1x0_2" : "2x3"));
  });
  if (!is_read) return false;
  for (size_t i = 0; i < std::size(kKeys); ++i) {
    if (counts[i] != 0 && counts[i] != counts[kSize]) {
      return reader->Fail(
          begin, absl::StrCat(kKeys[i], " is given for ", counts[i],
                              " dimensions, but size for ", counts[kSize]));
    }
  }
  return true;
}

bool ReadPadding(ValueReader* reader) {
  const size_t at = reader->offset();
  const absl::string_view token = TakeToken(reader);
  return CountParts(token, 2, 3) != 0 ||
         reader->Fail(
             at, absl::StrCat("'", token, "' is not a list like 0_1x2_2_1"));
}

// How many spatial dimensions `labels` has: digits from 0 on, beside two
// letters and any number of '?'; -1 where that is not so.
int64_t CountSpatialDimensions(absl::string_view labels,
                               absl::string_view letters) {
  bool is_seen[256] = {};
  int64_t count = 0;
  for (const char c : labels) {
    if (c == '?') continue;
    const bool is_digit = absl::ascii_isdigit(static_cast<unsigned char>(c));
    if (!is_digit && !absl::StrContains(letters, c)) return -1;
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
  const absl::string_view token = TakeToken(reader);
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
      at, absl::StrCat("'", token, "' is not like b01f_01io->b01f"));
}

Objection JudgeMetadata(absl::string_view value) {
  const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(value);
  if (!metadata.ok()) return ObjectionOf(metadata.status(), value);
  if (metadata->unknown_key.empty()) return absl::nullopt;
  return HloObjection{
      metadata->unknown_key,
      absl::StrCat("'", metadata->unknown_key, "' is not a key of metadata")};
}

}  // namespace

absl::optional<HloObjection> FindObjectionToValue(HloValueKind kind,
                                                  absl::string_view value) {
  const bool is_braced = !value.empty() && value.front() == '{';
  switch (kind) {
    case HloValueKind::kAnything:
      return absl::nullopt;
    case HloValueKind::kBool:
      return ObjectionOf(DecodeBool(value).status(), value);
    case HloValueKind::kBools:
      return ObjectionOf(DecodeBools(value).status(), value);
    case HloValueKind::kInteger:
      return ObjectionOf(DecodeInteger(value).status(), value);
    case HloValueKind::kIntegers:
      return ObjectionOf(DecodeIntegers(value).status(), value);
    case HloValueKind::kIntegersOrLists:
      return Judge(value, "list of integers", ReadIntegersOrLists);
    case HloValueKind::kString:
      return ObjectionOf(DecodeString(value).status(), value);
    case HloValueKind::kStringOrObject:
      return is_braced ? absl::nullopt
                       : ObjectionOf(DecodeString(value).status(), value);
    case HloValueKind::kWord:
      return JudgeWord(value, "value", {});
    case HloValueKind::kDirection:
      return JudgeWord(value, "direction",
                       {"EQ", "NE", "GE", "GT", "LE", "LT"});
    case HloValueKind::kComparisonType:
      return JudgeWord(value, "type of comparison",
                       {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"});
    case HloValueKind::kFftType:
      return JudgeWord(value, "type of FFT", {"FFT", "IFFT", "RFFT", "IRFFT"});
    case HloValueKind::kFusionKind:
      return JudgeWord(value, "kind of fusion",
                       {"kLoop", "kInput", "kOutput", "kCustom"});
    case HloValueKind::kDistribution:
      return JudgeWord(value, "distribution", {"rng_uniform", "rng_normal"});
    case HloValueKind::kComputation:
      return is_braced ? absl::nullopt
                       : ObjectionOf(DecodeNames(value).status(), value);
    case HloValueKind::kList:
      return JudgeStart(value, "list", "'{'", is_braced);
    case HloValueKind::kSlice:
      return Judge(value, "slice", ReadSlice);
    case HloValueKind::kWindow:
      return Judge(value, "window", ReadWindow);
    case HloValueKind::kPadding:
      return Judge(value, "padding", ReadPadding);
    case HloValueKind::kDimLabels:
      return Judge(value, "dim_labels", ReadDimLabels);
    case HloValueKind::kMetadata:
      return JudgeMetadata(value);
    case HloValueKind::kReplicaGroups:
      return ObjectionOf(DecodeReplicaGroups(value).status(), value);
    case HloValueKind::kPairs:
      return ObjectionOf(DecodeSourceTargetPairs(value).status(), value);
    case HloValueKind::kOperandAliases:
      return ObjectionOf(DecodeOutputOperandAliases(value).status(), value);
    case HloValueKind::kModuleAliases:
      return ObjectionOf(DecodeInputOutputAliases(value).status(), value);
    case HloValueKind::kDonors:
      return ObjectionOf(DecodeBufferDonors(value).status(), value);
    case HloValueKind::kEntryLayout:
      return ObjectionOf(DecodeEntryComputationLayout(value).status(), value);
  }
  return absl::nullopt;
}

}  // namespace hlo_internal
}  // namespace tessera
