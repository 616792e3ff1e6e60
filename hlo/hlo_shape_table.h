// File: hlo/hlo_shape_table.h
//
// Which shape is this text? Parsed once for each distinct text, because a
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
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/shape/shape.h"

namespace tessera {

class HloShapeTable {
 public:
  // Whether the table copies the texts, or they outlive it.
  enum Texts { kOutliveTable, kCopiesTexts };
  explicit HloShapeTable(Texts texts = kOutliveTable)
      : copies_texts_(texts == kCopiesTexts) {}

  // From now on texts are refused that would make text_bytes() more than this:
  // a shape takes up to some hundred times the memory of its text.
  void set_text_limit(int64_t bytes) { text_limit_ = bytes; }

  // Returns the index of `text`; indices run from 0. Missing layouts are filled
  // in; `{}` behind a shape, as older XLA printed it, is taken for a missing
  // one. Errors are those of ParseShape, and kResourceExhausted for the limit;
  // they leave the table as it was.
  absl::StatusOr<int64_t> Intern(absl::string_view text);

  // The index of `text`, or -1 if it was not interned.
  int64_t Find(absl::string_view text) const {
    const auto known = indices_.find(text);
    return known == indices_.end() ? -1 : known->second;
  }

  // The reference holds as long as the table.
  const Shape& shape(int64_t index) const { return shapes_[index]; }

  // The text as it was first met.
  absl::string_view text(int64_t index) const { return texts_[index]; }

  // Forgets all shapes, whose references end.
  void Clear();
  // How long the texts are together.
  int64_t text_bytes() const { return text_bytes_; }
  // What that would be with the first text that was refused for the limit; 0 if
  // none was.
  int64_t refused_text_bytes() const { return refused_text_bytes_; }

  // How many distinct texts there are.
  int64_t size() const { return shapes_.size(); }

 private:
  absl::flat_hash_map<absl::string_view, int64_t> indices_;
  const bool copies_texts_;
  std::deque<std::string> copies_;
  int64_t text_bytes_ = 0;
  int64_t text_limit_ = std::numeric_limits<int64_t>::max();
  int64_t refused_text_bytes_ = 0;
  std::vector<absl::string_view> texts_;
  std::deque<Shape> shapes_;  // does not move its elements
};

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_SHAPE_TABLE_H_
