#include "tests/fuzz/assignment_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_split.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"
#include "tests/fuzz/assignment_laws.h"

namespace tessera {
namespace {

// Of problems from `begin` to `end`, which are those of one file.
std::string ProblemWithPlaces(const BufferAssignment& assignment, int64_t begin,
                              int64_t end, std::string_view file) {
  for (int64_t i = begin; i < end; ++i) {
    const Diagnostic& problem = assignment.problems[i];
    if (problem.offset < 0 ||
        problem.offset > static_cast<int64_t>(file.size())) {
      return "a problem outside of its file";
    }
    const std::string_view before = file.substr(0, problem.offset);
    if (problem.line != 1 + std::count(before.begin(), before.end(), '\n') ||
        problem.column !=
            problem.offset - static_cast<int64_t>(before.rfind('\n') + 1) + 1) {
      return "a problem in the wrong line or column";
    }
  }
  return "";
}

std::string ProblemWithViews(const BufferAssignment& assignment,
                             std::string_view text) {
  std::vector<std::string_view> views = assignment.steps;
  for (const BufferAssignment::Value& value : assignment.values) {
    if (value.instruction.empty()) return "a value without a name";
    views.push_back(value.instruction);
    views.push_back(value.shape_text);
  }
  for (const BufferAssignment::Position& position : assignment.positions) {
    views.push_back(position.instruction);
  }
  for (const BufferAssignment::Use& use : assignment.uses) {
    views.push_back(use.instruction);
  }
  for (const std::string_view view : views) {
    if (!view.empty() &&
        (view.data() < text.data() ||
         view.data() + view.size() > text.data() + text.size())) {
      return "a view outside of the text";
    }
  }
  return "";
}

}  // namespace

std::string AssignmentTextProblem(std::string_view text) {
  std::vector<std::string_view> files =
      SplitViews(text, absl::MaxSplits('\f', 2));
  files.resize(3);
  AssignmentTextOptions options;
  options.values_text = files[1];
  options.live_range_text = files[2];
  const BufferAssignment assignment =
      ReadBufferAssignmentText(files[0], options);
  const int64_t end = assignment.problems.size();
  const int64_t ranges = end - assignment.live_range_problem_count;
  const int64_t values = ranges - assignment.values_problem_count;
  if (values < 0 || values > ranges || ranges > end) {
    return "problems of no file";
  }
  for (const std::string& problem :
       {AssignmentProblem(assignment), ProblemWithViews(assignment, text),
        ProblemWithPlaces(assignment, 0, values, files[0]),
        ProblemWithPlaces(assignment, values, ranges, files[1]),
        ProblemWithPlaces(assignment, ranges, end, files[2])}) {
    if (!problem.empty()) return problem;
  }
  options.problem_limit = 1;
  const BufferAssignment limited = ReadBufferAssignmentText(files[0], options);
  if (limited.problems.size() > 1) return "more problems than the limit";
  if (limited.problem_count != assignment.problem_count ||
      limited.tenants.size() != assignment.tenants.size() ||
      limited.uses.size() != assignment.uses.size() ||
      limited.steps.size() != assignment.steps.size()) {
    return "another assignment with a limit";
  }
  return "";
}

}  // namespace tessera
