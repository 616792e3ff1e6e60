#include "tessera/hlo/buffer_assignment/assignment_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/reader/diagnostic_maker.h"

namespace tessera {
namespace {

using hlo_internal::DiagnosticMaker;
using std::string_view;

constexpr string_view kAssignmentHeading = "BufferAssignment:";
constexpr string_view kTotalHeading = "Total bytes used:";
constexpr string_view kValuesHeading = "Used values:";
constexpr string_view kLiveRangeHeading = "HloLiveRange";

// In the order of the file.
enum class Section {
  kNone,
  kAllocations,
  kTotal,
  kValues,
  kLiveRange,
  kSteps,
  kRanges,
  kPeak,
};
constexpr int kSections = static_cast<int>(Section::kPeak) + 1;

struct Heading {
  string_view text;
  Section section;
  // The text that must follow the section, as messages name it.
  string_view behind;
};

constexpr Heading kHeadings[] = {
    {kAssignmentHeading, Section::kAllocations, ""},
    {kTotalHeading, Section::kTotal, "'Used values:'"},
    {kValuesHeading, Section::kValues, ""},
    {kLiveRangeHeading, Section::kLiveRange, "'InstructionSequence:'"},
    {"InstructionSequence:", Section::kSteps, "'BufferLiveRange:'"},
    {"BufferLiveRange:", Section::kRanges, "the live ranges at the peak"},
    {"Live ranges at", Section::kPeak, ""},
    {"Peak memory could not be determined", Section::kPeak, ""},
};

Section FindHeading(string_view line) {
  for (const Heading& heading : kHeadings) {
    if (StartsWith(line, heading.text)) return heading.section;
  }
  return Section::kNone;
}

string_view SkipBlanks(string_view line) {
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return line;
}

struct Quote {
  explicit Quote(string_view quoted) : words(quoted) {}
  string_view words;
};

std::string Shown(const Quote& quote) {
  constexpr size_t kLongest = 40;
  if (quote.words.empty()) return "the end of the line";
  if (quote.words.size() <= kLongest) {
    return absl::StrCat("'", AbslView(quote.words), "'");
  }
  return absl::StrCat("'", AbslView(quote.words.substr(0, kLongest)), "...'");
}

template <typename Word>
const Word& Shown(const Word& word) {
  return word;
}

// Maps a number to a place. Most numbers are consecutive, so a bucket of the
// map has sixteen adjacent numbers.
class NumberIndex {
 public:
  int64_t Insert(int64_t number, int64_t place) {
    const int64_t key = number >> kBits;
    if (key != last_key_ || buckets_.empty()) {
      const auto [bucket, is_new] =
          bucket_of_key_.try_emplace(key, buckets_.size());
      if (is_new) {
        buckets_.emplace_back();
        buckets_.back().fill(-1);
      }
      last_key_ = key;
      last_bucket_ = bucket->second;
    }
    int64_t& known = buckets_[last_bucket_][number & kMask];
    if (known < 0) known = place;
    return known;
  }

  // Returns -1 for a number that was not inserted.
  int64_t Find(int64_t number) const {
    const auto bucket = bucket_of_key_.find(number >> kBits);
    return bucket == bucket_of_key_.end()
               ? -1
               : buckets_[bucket->second][number & kMask];
  }

 private:
  static constexpr int kBits = 4;
  static constexpr int64_t kMask = (1 << kBits) - 1;

  absl::flat_hash_map<int64_t, int64_t> bucket_of_key_;
  std::vector<std::array<int64_t, 1 << kBits>> buckets_;
  int64_t last_key_ = 0;
  int64_t last_bucket_ = 0;
};

// Returns the number of values in `text` up to the end of the allocations, or
// less if lines that cannot be values look like them.
int64_t CountValues(string_view text) {
  constexpr int64_t kShortestLine = 32;
  const int64_t most = text.size() / kShortestLine;
  int64_t values = 0;
  for (;;) {
    values += StartsWith(text, " value: <");
    const size_t line_end = text.find('\n');
    if (line_end == string_view::npos) break;
    text.remove_prefix(line_end + 1);
    if (StartsWith(text, kTotalHeading)) break;
  }
  return std::min(values, most);
}

// "86 loop_add_fusion{1} (phi) @0", the form of every value.
struct ValueName {
  int64_t id = 0;
  string_view instruction;
  ShapeIndex shape_index;
  // The instruction and its index as written; "{}" is left out.
  string_view key;
  bool is_phi = false;
  int64_t memory_space = 0;
};

class Reader {
 public:
  explicit Reader(int64_t problem_limit) : problem_limit_(problem_limit) {}

  // `text` begins with the section `first`.
  void Read(string_view text, Section first, string_view heading) {
    DiagnosticMaker diagnostics(text);
    diagnostics_ = &diagnostics;
    text_ = text;
    section_ = Section::kNone;
    lines_ = Lines::kNone;
    const char* const end = text.data() + text.size();
    bool ends_in_line = false;
    for (string_view rest = text; !rest.empty();) {
      const size_t size = rest.find('\n');
      ends_in_line = size == string_view::npos;
      string_view line = rest.substr(0, size);
      rest.remove_prefix(ends_in_line ? rest.size() : size + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (!line.empty() && !ReadLine(line)) return;
    }
    const bool has_heading = has_section_[static_cast<int>(first)];
    if (first == Section::kAllocations &&
        (!has_heading || (ends_in_line && section_ == first))) {
      has_lost_allocation_ = true;
    }
    if (!has_heading) {
      AddProblem(end, "the line '", heading, "' is missing");
      return;
    }
    // The list at the peak is not read.
    if (ends_in_line && section_ != Section::kPeak) {
      AddProblem(end, "the text breaks off within a line");
    }
    EndSection(end);
    for (const Heading& heading : kHeadings) {
      if (heading.section != section_ || heading.behind.empty()) continue;
      AddProblem(end, "the text breaks off before ", heading.behind);
    }
  }

  int64_t kept_problem_count() const { return result_.problems.size(); }

  BufferAssignment Finish() {
    // The total shows whether an unreadable part was an allocation.
    result_.has_all_allocations =
        !has_lost_color_ &&
        (has_total_ ? is_total_right_ : !has_lost_allocation_);
    return std::move(result_);
  }

 private:
  template <typename... Words>
  void AddProblem(const char* place, const Words&... words) {
    if (result_.problem_count++ < problem_limit_) {
      result_.problems.push_back(
          diagnostics_->At(place - text_.data(), StrCat(Shown(words)...)));
    }
  }

  template <typename... What>
  bool TakeInteger(string_view* rest, int64_t* value, const What&... what) {
    const auto [past, error] =
        std::from_chars(rest->data(), rest->data() + rest->size(), *value);
    if (ABSL_PREDICT_TRUE(error == std::errc())) {
      rest->remove_prefix(past - rest->data());
      return true;
    }
    if (error != std::errc::result_out_of_range) {
      AddProblem(rest->data(), "expected ", what..., ", found ", Quote(*rest));
    } else {
      const size_t size =
          std::min(rest->find_first_not_of("-0123456789"), rest->size());
      AddProblem(rest->data(), what..., ", ", Quote(rest->substr(0, size)),
                 ", exceeds 2^63-1");
    }
    return false;
  }

  template <typename... What>
  bool TakeSize(string_view* rest, int64_t* value, const What&... what) {
    const char* const place = rest->data();
    if (!TakeInteger(rest, value, what...)) return false;
    if (ABSL_PREDICT_TRUE(*value >= 0)) return true;
    AddProblem(place, what..., " is ", *value, ", which is negative");
    return false;
  }

  // The size is a constant, so the comparison takes a few instructions.
  template <size_t kSize>
  bool Expect(string_view* rest, const char (&word)[kSize]) {
    if (ABSL_PREDICT_TRUE(rest->size() >= kSize - 1 &&
                          std::memcmp(rest->data(), word, kSize - 1) == 0)) {
      rest->remove_prefix(kSize - 1);
      return true;
    }
    AddProblem(rest->data(), "expected '", word, "', found ", Quote(*rest));
    return false;
  }

  bool ExpectEnd(string_view rest) {
    if (ABSL_PREDICT_TRUE(rest.empty())) return true;
    AddProblem(rest.data(), "expected the end of the line, found ",
               Quote(rest));
    return false;
  }

  bool TakeShapeIndex(string_view* rest, ShapeIndex* index) {
    if (!Expect(rest, "{")) return false;
    if (ConsumePrefix(rest, "}")) return true;
    for (;;) {
      int64_t element = 0;
      if (!TakeSize(rest, &element, "an element of a shape index")) {
        return false;
      }
      index->push_back(element);
      if (!ConsumePrefix(rest, ",")) return Expect(rest, "}");
      *rest = SkipBlanks(*rest);
    }
  }

  bool TakeValueName(string_view* rest, ValueName* name) {
    if (!Expect(rest, "<") ||
        !TakeInteger(rest, &name->id, "the id of a value") ||
        !Expect(rest, " ")) {
      return false;
    }
    ConsumePrefix(rest, "%");
    const char* const begin = rest->data();
    size_t size = 0;
    while (size < rest->size() && (*rest)[size] != ' ' &&
           (*rest)[size] != '{' && (*rest)[size] != '>') {
      ++size;
    }
    name->instruction = rest->substr(0, size);
    name->key = name->instruction;
    rest->remove_prefix(size);
    if (name->instruction.empty()) {
      AddProblem(begin, "value ", name->id, " has no name");
      return false;
    }
    if (!rest->empty() && rest->front() == '{') {
      if (!TakeShapeIndex(rest, &name->shape_index)) return false;
      if (!name->shape_index.empty()) {
        name->key = string_view(begin, rest->data() - begin);
      }
    }
    name->is_phi = ConsumePrefix(rest, " (phi)");
    if (ConsumePrefix(rest, " @") &&
        !TakeInteger(rest, &name->memory_space, "the color of value ",
                     name->id)) {
      return false;
    }
    return Expect(rest, ">");
  }

  // Returns whether there is more to read.
  bool ReadLine(string_view line) {
    const string_view words = SkipBlanks(line);
    if (words.empty()) return true;
    // Headings begin with a capital letter. Names may, too, after four blanks.
    if (words.front() >= 'A' && words.front() <= 'Z' &&
        words.data() - line.data() <= 2) {
      // In positions and uses, names come after two blanks.
      const Section heading = FindHeading(words);
      const bool is_inner = heading >= Section::kSteps;
      if (heading != Section::kNone &&
          is_inner == (words.data() != line.data()) &&
          (!is_inner || section_ >= Section::kLiveRange)) {
        return BeginSection(heading, words);
      }
    }
    switch (section_) {
      case Section::kNone:
      case Section::kTotal:
      case Section::kLiveRange:
        AddProblem(words.data(), "expected a heading, found ", Quote(words));
        break;
      case Section::kAllocations:
        ReadAllocationsLine(line);
        break;
      case Section::kValues:
        ReadValuesLine(line);
        break;
      case Section::kSteps:
        ReadStep(words);
        break;
      case Section::kRanges:
        ReadRange(words);
        break;
      case Section::kPeak:
        break;
    }
    return true;
  }

  bool BeginSection(Section section, string_view line) {
    if (has_section_[static_cast<int>(section)] || section < section_) {
      AddProblem(line.data(), "another ", Quote(line.substr(0, line.find(':'))),
                 " begins here; only the first assignment is read");
      return false;
    }
    EndSection(line.data());
    section_ = section;
    has_section_[static_cast<int>(section)] = true;
    if (section == Section::kAllocations) {
      const int64_t values =
          CountValues(text_.substr(line.data() - text_.data()));
      result_.values.reserve(values);
      result_.tenants.reserve(values);
      keys_.reserve(values);
    } else if (section == Section::kTotal) {
      ReadTotal(line.substr(kTotalHeading.size()));
    } else if (section == Section::kLiveRange) {
      ReadLiveRangeHeading(line.substr(kLiveRangeHeading.size()));
    }
    return true;
  }

  // Ends the open section, and reports problems of the whole section, unless an
  // earlier problem of a part explains them.
  void EndSection(const char* place) {
    if (section_ == Section::kValues) {
      EndUsedValue(place);
      const int64_t values = result_.values.size();
      if (result_.problem_count == 0 && used_value_count_ < values &&
          !has_other_color_) {
        AddProblem(place, "the used values are ", used_value_count_, " of the ",
                   values, " that the allocations have");
      }
    }
    const int64_t steps = result_.steps.size();
    if (section_ == Section::kSteps && result_.problem_count == 0 &&
        steps != step_count_) {
      AddProblem(place, "the sequence has ", steps,
                 " instructions, its heading ", "says ", step_count_);
    }
  }

  // ": 4768 (4.7KiB)"
  void ReadTotal(string_view rest) {
    rest = SkipBlanks(rest);
    const char* const place = rest.data();
    int64_t total = 0;
    if (!TakeSize(&rest, &total, "the total of bytes")) return;
    has_total_ = true;
    is_total_right_ = total == total_ && !is_total_saturated_;
    // The sum lacks the parts that could not be read.
    if (result_.problem_count > 0 || total == total_) return;
    AddProblem(place, "the total is ", total,
               " bytes, the allocations add up to ",
               is_total_saturated_ ? "more than " : "", total_);
  }

  // " (max 28):"
  void ReadLiveRangeHeading(string_view rest) {
    if (Expect(&rest, " (max ") &&
        TakeSize(&rest, &step_count_, "the number of instructions") &&
        Expect(&rest, "):")) {
      ExpectEnd(rest);
    }
  }

  void ReadAllocationsLine(string_view line) {
    if (ConsumePrefix(&line, "allocation ")) return ReadAllocation(line);
    string_view words = SkipBlanks(line);
    if (ConsumePrefix(&words, "value: ") ||
        (is_of_other_color_ && words.front() == '<')) {
      return ReadTenant(words);
    }
    if (ConsumePrefix(&words, "reused by buffers of a different color:")) {
      is_of_other_color_ = true;
      has_other_color_ = true;
      return;
    }
    has_lost_allocation_ = true;
    AddProblem(words.data(), "expected an allocation or a value, found ",
               Quote(words));
  }

  // "0: size 2048, parameter 2, shape |f32[2]| at ShapeIndex {}:"
  void ReadAllocation(string_view rest) {
    has_allocation_ = true;
    is_in_allocation_ = false;
    is_of_other_color_ = false;
    const bool has_lost_before = has_lost_allocation_;
    has_lost_allocation_ = true;  // until it is read
    BufferAssignment::Allocation allocation;
    const char* const place = rest.data();
    if (!TakeSize(&rest, &allocation.index, "the number of an allocation") ||
        !Expect(&rest, ": ")) {
      return;
    }
    // TensorFlow once wrote an address here.
    if (StartsWith(rest, "0x")) {
      rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
    }
    if (!Expect(&rest, "size ") ||
        !TakeSize(&rest, &allocation.bytes, "the size of allocation ",
                  allocation.index)) {
      return;
    }
    bool is_thread_local = false;
    bool is_constant = false;
    bool are_marks_read = true;
    while (ConsumePrefix(&rest, ", ")) {
      const bool is_color = StartsWith(rest, "color ");
      if (TakeMark(&rest, &allocation, &is_thread_local, &is_constant)) {
        continue;
      }
      are_marks_read = false;
      has_lost_color_ |= is_color;
      rest.remove_prefix(std::min(rest.find(", "), rest.size()));
    }
    if (are_marks_read && Expect(&rest, ":")) ExpectEnd(rest);
    allocation.SetKind(is_thread_local, is_constant);
    const int64_t allocations = result_.allocations.size();
    if (allocation_of_number_.Insert(allocation.index, allocations) !=
        allocations) {
      AddProblem(place, "two allocations have the number ", allocation.index);
      return;
    }
    SaturatingAdd(allocation.bytes, &total_, &is_total_saturated_);
    allocation.first_tenant = result_.tenants.size();
    result_.allocations.push_back(std::move(allocation));
    is_in_allocation_ = true;
    has_lost_allocation_ = has_lost_before;
  }

  bool TakeMark(string_view* rest, BufferAssignment::Allocation* allocation,
                bool* is_thread_local, bool* is_constant) {
    const auto take_shape = [&] {
      const size_t bar = rest->find('|');
      if (bar == string_view::npos) {
        AddProblem(rest->data() + rest->size(),
                   "expected '|', found the end of the line");
        return false;
      }
      rest->remove_prefix(bar + 1);
      return true;
    };
    if (ConsumePrefix(rest, "parameter ")) {
      int64_t number = 0;
      if (!TakeSize(rest, &number, "the number of a parameter")) return false;
      allocation->parameter_number = number;
      return true;
    }
    if (ConsumePrefix(rest, "shape |")) {
      return take_shape() && Expect(rest, " at ShapeIndex ") &&
             TakeShapeIndex(rest, &allocation->parameter_index);
    }
    if (ConsumePrefix(rest, "output shape is |")) return take_shape();
    if (ConsumePrefix(rest, "maybe-live-out")) {
      allocation->lives_out = true;
      return true;
    }
    if (ConsumePrefix(rest, "constant")) return *is_constant = true;
    if (ConsumePrefix(rest, "thread-local")) return *is_thread_local = true;
    // An allocation without any other mark has this one.
    if (ConsumePrefix(rest, "preallocated-temp")) return true;
    if (ConsumePrefix(rest, "color ")) {
      return TakeInteger(rest, &allocation->memory_space,
                         "the color of allocation ", allocation->index);
    }
    if (ConsumePrefix(rest, "page ")) {
      return TakeInteger(rest, &allocation->page, "the page of allocation ",
                         allocation->index);
    }
    AddProblem(rest->data(), "expected a mark of allocation ",
               allocation->index, ", found ", Quote(*rest));
    return false;
  }

  // "<86 add @0> (size=1024,offset=0): c128[64]{0}"
  void ReadTenant(string_view rest) {
    const char* const place = rest.data();
    if (!has_allocation_) {
      AddProblem(place, "a value comes before the first allocation");
    }
    ValueName name;
    BufferAssignment::Tenant tenant;
    if (!TakeValueName(&rest, &name) || !Expect(&rest, " (size=") ||
        !TakeSize(&rest, &tenant.bytes, "the size of value ", name.id) ||
        !Expect(&rest, ",offset=") ||
        !TakeInteger(&rest, &tenant.offset, "the offset of value ", name.id) ||
        !Expect(&rest, "): ")) {
      return;
    }
    if (rest.empty()) {
      AddProblem(rest.data(), "value ", name.id, " has no shape");
    }

    const int64_t values = result_.values.size();
    tenant.value = value_of_id_.Insert(name.id, values);
    if (tenant.value == values) {
      result_.values.emplace_back();
      BufferAssignment::Value& value = result_.values.back();
      value.id = name.id;
      value.instruction = name.instruction;
      value.shape_index = std::move(name.shape_index);
      value.is_phi = name.is_phi;
      value.bytes = tenant.bytes;
      value.memory_space = name.memory_space;
      value.shape_text = rest;
      keys_.push_back(name.key);
      was_in_other_color_.push_back(is_of_other_color_);
    } else if (keys_[tenant.value] != name.key ||
               !(is_of_other_color_ || was_in_other_color_[tenant.value])) {
      AddProblem(place, "two values have the id ", name.id);
      return;
    }
    if (!is_in_allocation_) return;
    BufferAssignment::Allocation& allocation = result_.allocations.back();
    if (tenant.offset < 0 || tenant.offset > allocation.bytes ||
        tenant.bytes > allocation.bytes - tenant.offset) {
      AddProblem(place, "value ", name.id, " of ", tenant.bytes,
                 " bytes at offset ", tenant.offset,
                 " does not lie within allocation ", allocation.index, " of ",
                 allocation.bytes, " bytes");
      return;
    }
    result_.tenants.push_back(tenant);
    ++allocation.tenant_count;
  }

  void ReadValuesLine(string_view line) {
    if (line.front() == '<') return BeginUsedValue(line);
    string_view words = SkipBlanks(line);
    if (lines_ == Lines::kSkipped) return;
    if (words.data() - line.data() >= 2) {
      // A list without entries; older versions of XLA write nothing.
      const bool is_list =
          lines_ == Lines::kPositions || lines_ == Lines::kUses;
      if (is_list && words == "(none)") return;
      if (lines_ == Lines::kPositions) return ReadPosition(words);
      if (lines_ == Lines::kUses) return ReadUse(words);
    } else if (lines_ == Lines::kValue && words == "positions:") {
      lines_ = Lines::kPositions;
      result_.values[used_value_].first_position = result_.positions.size();
      return;
    } else if (lines_ == Lines::kPositions &&
               (words == "uses:" || words == "uses are not initialized yet.")) {
      lines_ = Lines::kUses;
      result_.values[used_value_].first_use = result_.uses.size();
      return;
    } else if (lines_ == Lines::kUses &&
               StartsWith(words, "from instruction:")) {
      lines_ = Lines::kInstruction;
      return;
    }
    const string_view expected =
        lines_ == Lines::kValue       ? "'positions:'"
        : lines_ == Lines::kPositions ? "a position or 'uses:'"
        : lines_ == Lines::kUses      ? "a use or 'from instruction:'"
                                      : "a used value";
    AddProblem(words.data(), "expected ", expected, ", found ", Quote(words));
  }

  void BeginUsedValue(string_view line) {
    EndUsedValue(line.data());
    lines_ = Lines::kSkipped;
    const char* const place = line.data();
    ValueName name;
    if (!TakeValueName(&line, &name) || !ExpectEnd(line)) return;
    used_value_ = value_of_id_.Find(name.id);
    if (used_value_ < 0) {
      return AddProblem(place, "no allocation has a value with the id ",
                        name.id);
    }
    if (keys_[used_value_] != name.key) {
      return AddProblem(place, "value ", name.id, " is ", Quote(name.key),
                        " here and ", Quote(keys_[used_value_]),
                        " in its allocation");
    }
    was_used_.resize(keys_.size());
    if (was_used_[used_value_]) {
      return AddProblem(place, "value ", name.id,
                        " is listed twice among the used values");
    }
    was_used_[used_value_] = true;
    ++used_value_count_;
    lines_ = Lines::kValue;
  }

  void EndUsedValue(const char* place) {
    if (lines_ == Lines::kValue || lines_ == Lines::kPositions ||
        lines_ == Lines::kUses) {
      AddProblem(place, "value ", result_.values[used_value_].id,
                 " breaks off before 'from instruction:'");
    }
    lines_ = Lines::kNone;
  }

  // "tuple.2 {1}"
  void ReadPosition(string_view rest) {
    BufferAssignment::Position position;
    const size_t size = std::min(rest.find(' '), rest.size());
    position.instruction = rest.substr(0, size);
    rest.remove_prefix(size);
    if (ConsumePrefix(&rest, " ") &&
        !TakeShapeIndex(&rest, &position.shape_index)) {
      return;
    }
    if (!ExpectEnd(rest)) return;
    result_.positions.push_back(std::move(position));
    ++result_.values[used_value_].position_count;
  }

  // "tuple.2, operand 1 {0}"
  void ReadUse(string_view rest) {
    BufferAssignment::Use use;
    const size_t size = std::min(rest.find(','), rest.size());
    use.instruction = rest.substr(0, size);
    rest.remove_prefix(size);
    if (!Expect(&rest, ", operand ") ||
        !TakeSize(&rest, &use.operand_number, "the number of an operand")) {
      return;
    }
    if (ConsumePrefix(&rest, " ") &&
        !TakeShapeIndex(&rest, &use.operand_index)) {
      return;
    }
    if (!ExpectEnd(rest)) return;
    result_.uses.push_back(std::move(use));
    ++result_.values[used_value_].use_count;
  }

  // "0:constant_7_0"
  void ReadStep(string_view line) {
    const char* const place = line.data();
    int64_t step = 0;
    if (!TakeInteger(&line, &step, "the number of a step") ||
        !Expect(&line, ":")) {
      // Keeps its place, because later steps have their own numbers.
      line = "";
      step = next_step_;
    }
    if (step != next_step_) {
      AddProblem(place, "expected step ", next_step_, ", found step ", step);
    }
    next_step_ = step < std::numeric_limits<int64_t>::max() ? step + 1 : step;
    result_.steps.push_back(line);
  }

  // "negate{1,0}:22-23"
  void ReadRange(string_view line) {
    const size_t colon = line.rfind(':');
    if (colon == string_view::npos) {
      return AddProblem(line.data(), "expected a live range, found ",
                        Quote(line));
    }
    const string_view name = line.substr(0, colon);
    string_view rest = line.substr(colon + 1);
    const char* const place = rest.data();
    int64_t first = 0;
    int64_t last = 0;
    if (!TakeSize(&rest, &first, "the first step of a live range") ||
        !Expect(&rest, "-") ||
        !TakeSize(&rest, &last, "the last step of a live range") ||
        !ExpectEnd(rest)) {
      return;
    }
    if (first > last) {
      return AddProblem(place, "the live range of ", Quote(name), " ends at ",
                        last, ", before it begins at ", first);
    }
    // For a value that lives to the end, the last step is the number of steps.
    const int64_t steps = result_.steps.size();
    if (last > steps || first >= steps) {
      return AddProblem(place, "the live range of ", Quote(name), " is ", first,
                        " to ", last, ", the sequence has ", steps, " steps");
    }
    if (value_of_key_.empty()) {
      value_of_key_.reserve(keys_.size());
      for (size_t i = 0; i < keys_.size(); ++i) {
        value_of_key_.emplace(keys_[i], i);
      }
    }
    const auto of_key = value_of_key_.find(StripSuffix(name, "{}"));
    if (of_key == value_of_key_.end()) return RefuseRange(name);
    BufferAssignment::Value& value = result_.values[of_key->second];
    if (value.first >= 0) {
      return AddProblem(name.data(), "there are two live ranges of ",
                        Quote(name));
    }
    value.first = first;
    value.last = std::min(last, steps - 1);
  }

  // Reports a live range without a value, unless XLA allocated no memory at all
  // for its instruction.
  void RefuseRange(string_view name) {
    if (names_in_sequence_.empty()) {
      names_in_sequence_.insert(result_.steps.begin(), result_.steps.end());
      for (const BufferAssignment::Value& value : result_.values) {
        names_with_memory_.insert(value.instruction);
      }
    }
    // Some backends do not allocate constants.
    const string_view instruction = name.substr(0, name.find('{'));
    if (names_in_sequence_.contains(instruction) &&
        !names_with_memory_.contains(instruction)) {
      return;
    }
    AddProblem(name.data(), "no allocation has the value ", Quote(name));
  }

  const int64_t problem_limit_;
  BufferAssignment result_;
  string_view text_;
  DiagnosticMaker* diagnostics_ = nullptr;
  Section section_ = Section::kNone;
  bool has_section_[kSections] = {};

  NumberIndex value_of_id_;
  NumberIndex allocation_of_number_;
  std::vector<string_view> keys_;
  std::vector<bool> was_in_other_color_;
  std::vector<bool> was_used_;

  bool has_allocation_ = false;    // a line of one was found
  bool is_in_allocation_ = false;  // and read
  bool is_of_other_color_ = false;
  bool has_other_color_ = false;
  int64_t total_ = 0;
  bool is_total_saturated_ = false;
  bool has_total_ = false;
  bool is_total_right_ = false;
  // A line that may be an allocation could not be read.
  bool has_lost_allocation_ = false;
  // The memory space of an allocation is not known.
  bool has_lost_color_ = false;

  enum class Lines { kNone, kSkipped, kValue, kPositions, kUses, kInstruction };
  Lines lines_ = Lines::kNone;
  int64_t used_value_ = -1;
  int64_t used_value_count_ = 0;

  int64_t step_count_ = 0;
  int64_t next_step_ = 0;
  absl::flat_hash_map<string_view, int64_t> value_of_key_;
  absl::flat_hash_set<string_view> names_in_sequence_;
  absl::flat_hash_set<string_view> names_with_memory_;
};

}  // namespace

AssignmentTextPart FindAssignmentTextPart(string_view start) {
  if (StartsWith(start, kAssignmentHeading)) {
    return AssignmentTextPart::kAllocations;
  }
  if (StartsWith(start, kLiveRangeHeading)) {
    return AssignmentTextPart::kLiveRanges;
  }
  const auto skip_line_breaks = [&start] {
    while (!start.empty() && (start.front() == '\n' || start.front() == '\r')) {
      start.remove_prefix(1);
    }
  };
  // A memory usage report also begins with the total.
  skip_line_breaks();
  if (StartsWith(start, kTotalHeading)) {
    start.remove_prefix(std::min(start.find('\n'), start.size()));
    skip_line_breaks();
  }
  return StartsWith(start, kValuesHeading) ? AssignmentTextPart::kValues
                                           : AssignmentTextPart::kNone;
}

BufferAssignment ReadBufferAssignmentText(
    string_view text, const AssignmentTextOptions& options) {
  Reader reader(options.problem_limit);
  reader.Read(text, Section::kAllocations, kAssignmentHeading);
  const int64_t of_text = reader.kept_problem_count();
  if (!options.values_text.empty()) {
    reader.Read(options.values_text, Section::kValues, kValuesHeading);
  }
  const int64_t with_values = reader.kept_problem_count();
  if (!options.live_range_text.empty()) {
    reader.Read(options.live_range_text, Section::kLiveRange,
                kLiveRangeHeading);
  }
  const int64_t with_ranges = reader.kept_problem_count();
  BufferAssignment result = reader.Finish();
  result.values_problem_count = with_values - of_text;
  result.live_range_problem_count = with_ranges - with_values;
  return result;
}

}  // namespace tessera
