#include "tessera/cute/algebra/composition_refusal.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

constexpr std::string_view kPayloadUrl =
    "type.googleapis.com/tessera.cute.CompositionRefusal";

// The numbers that every refusal has, in the order of the payload.
constexpr int64_t CompositionRefusal::*kNumbers[] = {
    &CompositionRefusal::index,    &CompositionRefusal::leaf,
    &CompositionRefusal::mode,     &CompositionRefusal::value,
    &CompositionRefusal::expected, &CompositionRefusal::run,
    &CompositionRefusal::rest,     &CompositionRefusal::stride,
    &CompositionRefusal::digit,    &CompositionRefusal::evaluations,
};

// Reads numbers that are separated by blanks.
class NumberReader {
 public:
  explicit NumberReader(const std::string& text)
      : words_(absl::StrSplit(text, ' ')) {}

  bool Read(int64_t* number) {
    return next_ < words_.size() && absl::SimpleAtoi(words_[next_++], number);
  }
  // The number of remaining numbers.
  int64_t left() const { return words_.size() - next_; }

 private:
  std::vector<std::string> words_;
  size_t next_ = 0;
};

// The reason, the numbers, the length of the coordinate, the coordinate, and
// size and stride of each mode.
std::string Encode(const CompositionRefusal& refusal) {
  std::vector<int64_t> numbers = {static_cast<int64_t>(refusal.reason)};
  for (const auto number : kNumbers) numbers.push_back(refusal.*number);
  numbers.push_back(refusal.coordinate.size());
  numbers.insert(numbers.end(), refusal.coordinate.begin(),
                 refusal.coordinate.end());
  for (const Layout::Leaf& mode : refusal.modes) {
    numbers.push_back(mode.size);
    numbers.push_back(mode.stride);
  }
  return absl::StrJoin(numbers, " ");
}

std::optional<CompositionRefusal> Decode(const std::string& encoded) {
  NumberReader reader(encoded);
  CompositionRefusal refusal;
  int64_t reason;
  if (!reader.Read(&reason) || reason < 0 ||
      reason > static_cast<int64_t>(CompositionRefusal::Reason::kDigitsCarry)) {
    return std::nullopt;
  }
  refusal.reason = static_cast<CompositionRefusal::Reason>(reason);
  for (const auto number : kNumbers) {
    if (!reader.Read(&(refusal.*number))) return std::nullopt;
  }
  int64_t leaves;
  if (!reader.Read(&leaves) || leaves < 0 || leaves > reader.left()) {
    return std::nullopt;
  }
  refusal.coordinate.resize(leaves);
  for (int64_t& integer : refusal.coordinate) {
    if (!reader.Read(&integer)) return std::nullopt;
  }
  while (reader.left() > 0) {
    int64_t size;
    int64_t stride;
    if (!reader.Read(&size) || !reader.Read(&stride)) return std::nullopt;
    refusal.modes.push_back({size, stride, Basis()});
  }
  return refusal;
}

}  // namespace

absl::Status CompositionRefusalError(const CompositionRefusal& refusal,
                                     std::string_view message,
                                     absl::StatusCode code) {
  absl::Status status(code, AbslView(message));
  status.SetPayload(AbslView(kPayloadUrl), absl::Cord(Encode(refusal)));
  return status;
}

std::optional<CompositionRefusal> CompositionRefusalOf(
    const absl::Status& status) {
  const absl::optional<absl::Cord> payload =
      status.GetPayload(AbslView(kPayloadUrl));
  if (!payload.has_value()) return std::nullopt;
  return Decode(std::string(*payload));
}

}  // namespace tessera::cute
