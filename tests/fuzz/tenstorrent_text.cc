#include "tests/fuzz/tenstorrent_text.h"

#include <cstdint>
#include <string_view>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/internal/aligned_verification.h"
#include "tessera/tenstorrent/internal/ttnn_verification.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/verification.h"
#include "tests/fuzz/property.h"

namespace tessera {
namespace {

using tenstorrent::TensorText;

std::string Print(const TensorText& tensor) {
  return tenstorrent::ToString(tensor);
}
template <typename Value>
std::string Print(const Value& value) {
  return value.ToString();
}

template <typename Value>
std::string TensorRoundTripProblem(
    std::string_view text, absl::StatusOr<Value> (*parse)(std::string_view)) {
  const absl::StatusOr<Value> value = parse(text);
  if (!value.ok()) {
    return ProblemWithRefusal(value.status(), text, kCodesOfReaders);
  }
  const std::string printed = Print(*value);
  const absl::StatusOr<Value> again = parse(printed);
  if (!again.ok()) {
    return absl::StrCat("printed as ", printed,
                        ", which is refused: ", again.status().message());
  }
  if (*again != *value || Print(*again) != printed) {
    return absl::StrCat("printed as ", printed, ", which reads back as ",
                        Print(*again));
  }
  return "";
}

// Of the reader for one form, given what the reader for all has read.
template <typename Tensor>
std::string FormProblem(const absl::StatusOr<TensorText>& any,
                        const absl::StatusOr<Tensor>& one) {
  const bool is_read = any.ok() && std::holds_alternative<Tensor>(any.value());
  if (is_read != one.ok()) return "the readers disagree about the form";
  if (is_read && std::get<Tensor>(*any) != *one) {
    return absl::StrCat("read as ", Print(*any), " and as ", one->ToString());
  }
  return "";
}

// What is computed of a tensor that is read, right or wrong, is found again.
std::string PlacementProblem(const tenstorrent::Verification& verification) {
  if (!verification.placement.has_value()) return "";
  const tenstorrent::Placement& placement = *verification.placement;
  const int64_t count = placement.counts().all();
  if (count == 0) {
    return placement.geometry().bytes == 0 ? "" : "no places take bytes";
  }
  for (const int64_t number : {int64_t{0}, count / 2, count - 1}) {
    const tenstorrent::Location location = placement.LocationOf(number);
    const tenstorrent::Place place = placement.At(number);
    const absl::StatusOr<tenstorrent::Place> same =
        placement.At(location.cell(), location.offset());
    if (!same.ok() || same->kind != place.kind || same->index != place.index) {
      return absl::StrCat("place ", number, " is not where it is said to be");
    }
    if (place.kind != PositionKind::kElement) continue;
    const absl::StatusOr<int64_t> again =
        placement.map().LinearIndex(place.index);
    if (!again.ok() || *again != number) {
      return absl::StrCat("the element of place ", number, " lies elsewhere");
    }
  }
  return "";
}

std::string VerificationProblem(const TensorText& tensor) {
  tenstorrent::VerificationOptions options;
  options.evaluation_limit = 1 << 8;
  return std::visit(
      [&options](const auto& form) {
        return PlacementProblem(tenstorrent::Verify(form, options));
      },
      tensor);
}

}  // namespace

std::string TenstorrentTextProblem(std::string_view text) {
  const absl::StatusOr<TensorText> any = tenstorrent::ReadTensorText(text);
  for (const std::string& problem : {
           TensorRoundTripProblem(text, tenstorrent::ReadTensorText),
           TensorRoundTripProblem(text, tenstorrent::ParseMetalTensor),
           TensorRoundTripProblem(text, tenstorrent::ParseAlignedTensor),
           TensorRoundTripProblem(text, tenstorrent::ParseTtnnTensor),
           TensorRoundTripProblem(text, tenstorrent::ParseMetalLayout),
           TensorRoundTripProblem(text, tenstorrent::ParseAlignedLayout),
           TensorRoundTripProblem(text, tenstorrent::ParseTtnnLayout),
           TensorRoundTripProblem(text, tenstorrent::ParseMemoryConfig),
           TensorRoundTripProblem(text, tenstorrent::ParseAffineMap),
           FormProblem(any, tenstorrent::ParseMetalTensor(text)),
           FormProblem(any, tenstorrent::ParseAlignedTensor(text)),
           FormProblem(any, tenstorrent::ParseTtnnTensor(text)),
       }) {
    if (!problem.empty()) return problem;
  }
  return any.ok() ? VerificationProblem(*any) : "";
}

}  // namespace tessera
