#include "tests/fuzz/relayout_text.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/relayout/any_relayout.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/relayout/buffers.h"

namespace tessera {
namespace {

constexpr int64_t kMostPositions = 4096;

absl::StatusOr<RelayoutArray> ArrayOf(std::string_view text) {
  AnyLayoutOptions options;
  options.check_axes = [](int64_t axes) {
    return axes <= 64 ? absl::OkStatus() : absl::ResourceExhaustedError("axes");
  };
  const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(text, options);
  if (!layout.ok()) return layout.status();
  absl::StatusOr<RelayoutArray> array = RelayoutArrayOf(*layout);
  if (!array.ok()) array = RelayoutArrayOf(*layout, F32);
  if (array.ok() &&
      (array->map.position_count() > kMostPositions ||
       array->map.element_count() > kMostPositions || array->map.rank() > 16)) {
    return absl::ResourceExhaustedError("large");
  }
  return array;
}

// Numbers out of a text, 0 past its end.
class Choices {
 public:
  explicit Choices(std::string_view text) : text_(text) {}
  // From 0 up to `most`.
  int64_t Next(int64_t most) {
    if (text_.empty()) return 0;
    const uint8_t byte = text_.front();
    text_.remove_prefix(1);
    return byte % (most + 1);
  }

 private:
  std::string_view text_;
};

RelayoutOptions OptionsOf(const RelayoutArray& from, const RelayoutArray& to,
                          Choices* choices) {
  RelayoutOptions options;
  if (choices->Next(1) == 1) {
    options.pad_value.emplace();
    for (size_t i = 0; i < options.pad_value->size(); ++i) {
      (*options.pad_value)[i] = static_cast<uint8_t>(0xA5 + 29 * i);
    }
  }
  if (choices->Next(1) == 1) options.stream_from_bytes = 0;
  if (choices->Next(1) == 1 && from.map.rank() == to.map.rank()) {
    for (int64_t i = 0; i < from.map.rank(); ++i) {
      const int64_t f = from.shape.dimensions(i), t = to.shape.dimensions(i);
      options.extents.push_back(choices->Next(std::min(f, t)));
      options.from_begins.push_back(choices->Next(f - options.extents[i]));
      options.to_begins.push_back(choices->Next(t - options.extents[i]));
    }
  }
  return options;
}

// Writes every element of the box, one after the other.
void CopyByElement(const RelayoutArray& from, const RelayoutArray& to,
                   const RelayoutOptions& options, int64_t bits,
                   const Buffer& source, const Buffer& target) {
  if (options.pad_value.has_value()) {
    for (int64_t p = 0; p < to.map.position_count(); ++p) {
      SetElement(target.span(), p, *options.pad_value, 0, bits);
    }
  }
  const bool has_box = options.has_box();
  const std::vector<int64_t> extents =
      has_box ? options.extents
              : std::vector<int64_t>(from.shape.dimensions().begin(),
                                     from.shape.dimensions().end());
  if (std::count(extents.begin(), extents.end(), 0) > 0) return;
  std::vector<int64_t> index(extents.size(), 0), at_from, at_to;
  do {
    at_from = at_to = index;
    for (size_t i = 0; has_box && i < index.size(); ++i) {
      at_from[i] += options.from_begins[i];
      at_to[i] += options.to_begins[i];
    }
    SetElement(target.span(), to.map.LinearIndexUnchecked(at_to), source.span(),
               from.map.LinearIndexUnchecked(at_from), bits);
  } while (NextIndex(extents, &index));
}

std::string MoveProblem(
    std::string_view what, const Buffer& source, const Buffer& before,
    const Buffer& expected, int64_t positions, int64_t bits,
    const std::function<absl::Status(absl::Span<const uint8_t>,
                                     absl::Span<uint8_t>)>& move) {
  const Buffer moved = before.Copy();
  const absl::Status status = move(source.span(), moved.span());
  if (!status.ok())
    return absl::StrCat(AbslView(what), ": ", status.ToString());
  for (int64_t bit = 0; bit < positions * bits; ++bit) {
    const int64_t byte = bit / 8;
    if ((moved.data[byte] ^ expected.data[byte]) >> (bit % 8) & 1) {
      return absl::StrCat(AbslView(what), " moves something else to position ",
                          bit / bits);
    }
  }
  return "";
}

}  // namespace

std::string RelayoutTextProblem(std::string_view text) {
  std::vector<std::string_view> lines;
  for (int i = 0; i < 2; ++i) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const absl::StatusOr<RelayoutArray> from = ArrayOf(lines[0]);
  const absl::StatusOr<RelayoutArray> to = ArrayOf(lines[1]);
  if (!from.ok() || !to.ok()) return "";
  Choices choices(text);
  const RelayoutOptions options = OptionsOf(*from, *to, &choices);
  const absl::StatusOr<RelayoutPlan> plan = PlanRelayout(*from, *to, options);
  if (!plan.ok()) {
    return plan.status().message().empty() ? "a refusal without words" : "";
  }
  const int64_t bits = StorageBits(to->shape);
  const Buffer source = RandomBuffer(plan->from_bytes(), 1);
  const Buffer before = RandomBuffer(plan->to_bytes(), 2);
  const Buffer expected = before.Copy();
  CopyByElement(*from, *to, options, bits, source, expected);
  const int64_t positions = to->map.position_count();
  std::string problem =
      MoveProblem("the whole", source, before, expected, positions, bits,
                  [&](absl::Span<const uint8_t> a, absl::Span<uint8_t> b) {
                    return plan->Execute(a, b);
                  });
  if (!problem.empty()) return problem;
  const int64_t pieces = 1 + choices.Next(6);
  return MoveProblem("pieces", source, before, expected, positions, bits,
                     [&](absl::Span<const uint8_t> a, absl::Span<uint8_t> b) {
                       absl::Status status;
                       for (int64_t i = 0; i < pieces; ++i) {
                         status.Update(plan->ExecutePiece(i, pieces, a, b));
                       }
                       return status;
                     });
}

}  // namespace tessera
