// A table of shapes by their text. Each distinct text is parsed once, because a
// module of 100,000 instructions has a few hundred shapes.
//
//   HloShapeTable shapes;
//   int64_t index = *shapes.Intern("f32[2,3]");
//   shapes.shape(index).ToString();              // "f32[2,3]{1,0}"
//   *shapes.Intern("f32[2,3]") == index;         // true
//   // Another text has another index.
//   *shapes.Intern("f32[2,3]{1,0}") == index;    // false
//   shapes.size();                               // 2

#ifndef TESSERA_HLO_HLO_SHAPE_TABLE_H_
#define TESSERA_HLO_HLO_SHAPE_TABLE_H_

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/shape/shape.h"

namespace tessera {

class HloShapeTable {
 public:
  // Whether the table copies the texts; otherwise they must outlive it.
  enum Texts { kOutliveTable, kCopiesTexts };
  explicit HloShapeTable(Texts texts = kOutliveTable)
      : copies_texts_(texts == kCopiesTexts) {}

  // From now on, refuses texts that would raise text_bytes() above this limit:
  // a shape takes up to a few hundred times the memory of its text.
  void set_text_limit(int64_t bytes) { text_limit_ = bytes; }

  // Returns the index of `text`; indices count from 0. Missing layouts are
  // filled in; `{}` after a shape, as older XLA printed it, counts as a missing
  // one. Errors: those of ParseShape, and kResourceExhausted for the limit;
  // they leave the table unchanged.
  absl::StatusOr<int64_t> Intern(std::string_view text);

  // Returns the index of `text`, or -1 if it was not interned.
  int64_t Find(std::string_view text) const {
    const auto known = indices_.find(text);
    return known == indices_.end() ? -1 : known->second;
  }

  // The reference is valid as long as the table.
  const Shape& shape(int64_t index) const { return shapes_[index]; }

  // The text as first interned.
  std::string_view text(int64_t index) const { return texts_[index]; }

  // Removes all shapes and invalidates references to them.
  void Clear();
  // The total length of the texts.
  int64_t text_bytes() const { return text_bytes_; }
  // The total length including the first text that the limit refused; 0 if none
  // was refused.
  int64_t refused_text_bytes() const { return refused_text_bytes_; }

  // The number of distinct texts.
  int64_t size() const { return shapes_.size(); }

 private:
  TextMap<std::string_view, int64_t> indices_;
  const bool copies_texts_;
  std::deque<std::string> copies_;
  int64_t text_bytes_ = 0;
  int64_t text_limit_ = std::numeric_limits<int64_t>::max();
  int64_t refused_text_bytes_ = 0;
  std::vector<std::string_view> texts_;
  std::deque<Shape> shapes_;  // does not move its elements
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_SHAPE_TABLE_H_
