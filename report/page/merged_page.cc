#include "tessera/report/page/merged_page.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

// As many as anyone would look at.
constexpr size_t kMostRows = 1000;

void AddTo(int64_t value, int64_t* sum) {
  bool is_saturated = false;
  SaturatingAdd(value, sum, &is_saturated);
}

template <typename Sized>
void AddBytes(const Sized& from, Sized* to) {
  AddTo(from.unpadded_bytes, &to->unpadded_bytes);
  AddTo(from.padded_bytes, &to->padded_bytes);
}

// Adds each row of `from` to the row of `to` that has its key, or at the end.
template <typename Row, typename KeyOf, typename AddRow>
void Merge(std::vector<Row> from, KeyOf key_of, AddRow add_row,
           std::vector<Row>* to) {
  std::map<decltype(key_of(from[0])), size_t> places;
  for (size_t i = 0; i < to->size(); ++i) places.emplace(key_of((*to)[i]), i);
  for (Row& row : from) {
    const auto [place, is_new] = places.try_emplace(key_of(row), to->size());
    if (is_new) {
      to->push_back(std::move(row));
    } else {
      add_row(row, &(*to)[place->second]);
    }
  }
}

void MergeArrays(std::vector<MemoryPage::Array> from,
                 std::vector<MemoryPage::Array>* to) {
  Merge(
      std::move(from),
      [](const MemoryPage::Array& array) { return array.shape; },
      [](const MemoryPage::Array& array, MemoryPage::Array* sum) {
        AddTo(array.uses, &sum->uses);
        AddTo(array.total_padding_bytes, &sum->total_padding_bytes);
      },
      to);
}

template <typename Row>
void KeepFirst(int64_t Row::*sorted_by, std::vector<Row>* rows) {
  std::stable_sort(rows->begin(), rows->end(), [=](const Row& a, const Row& b) {
    return a.*sorted_by > b.*sorted_by;
  });
  if (rows->size() > kMostRows) rows->resize(kTableRows);
}

int64_t NeededBytes(const MemoryPage::Module& module) {
  int64_t most = 0;
  for (const MemoryPage::Timeline& timeline : module.timelines) {
    most = std::max(most, timeline.reserved_bytes);
  }
  return most;
}

template <typename T>
void Append(std::vector<T> from, std::vector<T>* to) {
  std::move(from.begin(), from.end(), std::back_inserter(*to));
}

}  // namespace

MergedPage::MergedPage(std::string title) { merged_.title = std::move(title); }

void MergedPage::Add(const std::string& file, MemoryPage page) {
  for (MemoryPage::Module& module : page.modules) {
    module.file = file;
    drawn_ += !module.timelines.empty();
  }
  Append(std::move(page.modules), &merged_.modules);
  if (drawn_ > 2 * kDrawnModules) KeepLargest();
  merged_.counts_buffers &= page.counts_buffers;
  Merge(
      std::move(page.by_memory_space),
      [](const MemoryPage::MemorySpace& space) { return space.name; },
      [](const MemoryPage::MemorySpace& space, MemoryPage::MemorySpace* sum) {
        AddTo(space.arrays, &sum->arrays);
        AddBytes(space, sum);
      },
      &merged_.by_memory_space);
  Merge(
      std::move(page.groups),
      [](const MemoryPage::Group& group) {
        return std::make_tuple(group.opcode, group.source, group.op_name);
      },
      [](const MemoryPage::Group& group, MemoryPage::Group* sum) {
        AddTo(group.instructions, &sum->instructions);
        AddBytes(group, sum);
      },
      &merged_.groups);
  Merge(
      std::move(page.by_opcode),
      [](const MemoryPage::OpcodeTotals& totals) { return totals.opcode; },
      [](const MemoryPage::OpcodeTotals& totals,
         MemoryPage::OpcodeTotals* sum) {
        AddTo(totals.instructions, &sum->instructions);
        AddBytes(totals, sum);
      },
      &merged_.by_opcode);
  MergeArrays(std::move(page.largest), &merged_.largest);
  MergeArrays(std::move(page.most_wasteful), &merged_.most_wasteful);
  Append(std::move(page.relayouts), &merged_.relayouts);
  for (const std::string& note : page.notes) {
    merged_.notes.push_back(absl::StrCat(file, ": ", note));
  }
}

void MergedPage::KeepLargest() {
  if (drawn_ <= kDrawnModules) return;
  std::vector<MemoryPage::Module*> drawn;
  for (MemoryPage::Module& module : merged_.modules) {
    if (!module.timelines.empty()) drawn.push_back(&module);
  }
  absl::c_stable_sort(
      drawn, [](const MemoryPage::Module* a, const MemoryPage::Module* b) {
        return NeededBytes(*a) > NeededBytes(*b);
      });
  for (size_t i = kDrawnModules; i < drawn.size(); ++i) {
    drawn[i]->schedule.clear();
    drawn[i]->timelines.clear();
    drawn[i]->maps.clear();
    ++undrawn_;
  }
  drawn_ = kDrawnModules;
}

MemoryPage MergedPage::Finish() && {
  KeepLargest();
  KeepFirst(&MemoryPage::Array::padded_bytes, &merged_.largest);
  KeepFirst(&MemoryPage::Array::total_padding_bytes, &merged_.most_wasteful);
  if (undrawn_ > 0) {
    merged_.notes.push_back(
        absl::StrCat("The ", HumanCount(kDrawnModules),
                     " modules that need most have a timeline and a map. ",
                     HumanQuantity(undrawn_, "smaller module"),
                     undrawn_ == 1 ? " has" : " have",
                     " neither; 'tessera hlo peak FILE --html' draws them."));
  }
  return std::move(merged_);
}

}  // namespace tessera
