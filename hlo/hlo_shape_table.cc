#include "tessera/hlo/hlo_shape_table.h"

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/parser/parser.h"

namespace tessera {

absl::StatusOr<int64_t> HloShapeTable::Intern(std::string_view text) {
  const int64_t known = Find(text);
  if (known >= 0) return known;
  const int64_t bytes = text_bytes_ + static_cast<int64_t>(text.size());
  if (bytes > text_limit_) {
    if (refused_text_bytes_ == 0) refused_text_bytes_ = bytes;
    return ResourceExhaustedError(
        "the texts of all shapes take more than the limit of ", text_limit_,
        " bytes");
  }
  ParseOptions options;
  options.lenient = true;
  absl::StatusOr<Shape> shape = ParseShape(text, options);
  if (!shape.ok()) return shape.status();
  if (copies_texts_) {
    copies_.emplace_back(text);
    text = copies_.back();
  }
  text_bytes_ += text.size();
  indices_.emplace(text, size());
  texts_.push_back(text);
  shapes_.push_back(*std::move(shape));
  return size() - 1;
}

void HloShapeTable::Clear() {
  indices_.clear();
  texts_.clear();
  copies_.clear();
  shapes_.clear();
  text_bytes_ = 0;
}

}  // namespace tessera
