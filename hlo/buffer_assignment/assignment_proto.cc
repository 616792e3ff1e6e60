#include "tessera/hlo/buffer_assignment/assignment_proto.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/trace_peak.h"
#include "tessera/hlo/proto/proto_problems.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/hlo/proto/wire_fields.h"

namespace tessera {
namespace {

using hlo_internal::ModuleBytes;
using hlo_internal::ProtoProblems;
using hlo_internal::TracePeak;
using hlo_internal::WireField;
using hlo_internal::WireFields;
using Kind = BufferAssignment::Kind;

// HeapSimulatorTrace.Event.Kind.
constexpr uint64_t kFree = 1;
constexpr uint64_t kShareWith = 2;

// A repeated integer, packed or not.
void AppendIntegers(const WireField& field, ShapeIndex* integers) {
  if (field.is_integer) {
    integers->push_back(static_cast<int64_t>(field.integer));
    return;
  }
  // Packed: integers of seven bits a byte, the lowest first.
  uint64_t value = 0;
  int shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    integers->push_back(static_cast<int64_t>(value));
    value = 0;
    shift = 0;
  }
}

class AssignmentReader {
 public:
  AssignmentReader(const ModuleBytes& module, int64_t problem_limit)
      : module_(module), problems_(problem_limit) {}

  BufferAssignment Read() {
    WireField file;
    file.bytes = module_.assignment;
    file.offset = module_.assignment_offset;
    ReadNames();
    // What the rest refers to comes first, wherever it stands.
    ForEach(file, 1, [&](const WireField& field) { ReadValue(field); });
    ForEach(file, 3, [&](const WireField& field) { ReadAllocation(field); });
    ForEach(file, 2, [&](const WireField& field) { ReadAlias(field); });
    ForEach(file, 4, [&](const WireField& field) { ReadTrace(field); });
    FileAliases();
    FileLives();
    result_.problems = problems_.diagnostics();
    result_.problem_count = problems_.count();
    return std::move(result_);
  }

 private:
  struct Location {
    std::string_view instruction;
    ShapeIndex shape_index;
  };
  struct Alias {
    int64_t value;
    Location location;
  };

  // Calls `visit` with each field of one level; what is wrong with them is a
  // problem of `where`.
  template <typename Visit>
  void ForEachField(const WireField& message, std::string_view where,
                    Visit visit) {
    WireFields fields(message.bytes, message.offset);
    WireField field;
    while (fields.Next(&field)) visit(field);
    AddWireProblem(fields, where, &problems_);
  }

  // Calls `visit` with the messages in field `number` of the assignment.
  template <typename Visit>
  void ForEach(const WireField& message, uint32_t number, Visit visit) {
    // What is wrong with this level is said once.
    WireFields fields(message.bytes, message.offset);
    WireField field;
    while (fields.Next(&field)) {
      if (field.number == number && field.is_bytes) visit(field);
    }
    if (number != 1 || fields.problem().empty()) return;
    AddWireProblem(fields, "buffer assignment", &problems_);
    result_.has_all_allocations = false;
  }

  void ReadNames();
  void ReadInstructionName(const WireField& instruction);
  Location ReadLocation(const WireField& field);
  void ReadValue(const WireField& field);
  void ReadAllocation(const WireField& field);
  void ReadTenant(const WireField& field,
                  const BufferAssignment::Allocation& allocation);
  void ReadAlias(const WireField& field);
  void ReadTrace(const WireField& field);
  void ReadEvent(const WireField& field);
  void Allocate(int64_t index, int64_t step);
  void FileAliases();
  void FileLives();
  // The place in values of this id, or -1, which is said.
  int64_t FindValue(int64_t id, const WireField& field);
  // Whether `bytes` is a size; says it where it is not.
  bool CheckSize(std::string_view what, int64_t bytes, const WireField& field);

  const ModuleBytes& module_;
  ProtoProblems problems_;
  BufferAssignment result_;
  absl::flat_hash_map<int64_t, std::string_view> name_of_id_;
  absl::flat_hash_map<int64_t, int64_t> value_of_id_;
  std::vector<Alias> aliases_;
  // When a value is there, as far as the traces have been read.
  struct Life {
    std::vector<BufferAssignment::Interval> intervals;
    // How often it is there at once, in the trace that is being read; negative
    // if it was freed more often than allocated.
    int64_t open = 0;
  };
  absl::flat_hash_map<int64_t, Life> lives_;  // by the place in values
  // The values that are in the trace that is being read.
  std::vector<int64_t> begun_;
  TracePeak trace_;
};

void AssignmentReader::ReadNames() {
  constexpr uint32_t kComputations = 3;
  constexpr uint32_t kInstructions = 2;
  WireFields module(module_.bytes, module_.offset);
  WireField computation;
  while (module.Next(&computation)) {
    if (computation.number != kComputations || !computation.is_bytes) continue;
    WireFields fields(computation.bytes, computation.offset);
    WireField instruction;
    while (fields.Next(&instruction)) {
      if (instruction.number == kInstructions && instruction.is_bytes) {
        ReadInstructionName(instruction);
      }
    }
  }
}

void AssignmentReader::ReadInstructionName(const WireField& instruction) {
  constexpr uint32_t kName = 1;
  constexpr uint32_t kId = 35;
  std::string_view name;
  int64_t id = 0;
  WireFields fields(instruction.bytes, instruction.offset);
  WireField field;
  while (fields.Next(&field)) {
    if (field.number == kName) {
      name = field.bytes;
    } else if (field.number == kId) {
      id = static_cast<int64_t>(field.integer);
    }
  }
  name_of_id_.emplace(id, name);
}

AssignmentReader::Location AssignmentReader::ReadLocation(
    const WireField& field) {
  Location location;
  ForEachField(field, "location of a buffer", [&](const WireField& part) {
    if (part.number == 2) {
      location.instruction = part.bytes;
    } else if (part.number == 3) {
      AppendIntegers(part, &location.shape_index);
    } else if (part.number == 4 && location.instruction.empty()) {
      const auto name = name_of_id_.find(static_cast<int64_t>(part.integer));
      if (name != name_of_id_.end()) {
        location.instruction = name->second;
      } else {
        problems_.Add(part.offset,
                      absl::StrCat("no instruction has the id ",
                                   static_cast<int64_t>(part.integer)));
      }
    }
  });
  return location;
}

bool AssignmentReader::CheckSize(std::string_view what, int64_t bytes,
                                 const WireField& field) {
  if (bytes >= 0) return true;
  problems_.Add(field.offset,
                absl::StrCat("the size of ", AbslView(what), " is ", bytes,
                             ", which is negative"));
  return false;
}

void AssignmentReader::ReadValue(const WireField& field) {
  BufferAssignment::Value value;
  ForEachField(field, "logical buffer", [&](const WireField& part) {
    const auto integer = static_cast<int64_t>(part.integer);
    if (part.number == 1) {
      value.id = integer;
    } else if (part.number == 2) {
      value.bytes = integer;
    } else if (part.number == 3) {
      Location location = ReadLocation(part);
      value.instruction = location.instruction;
      value.shape_index = std::move(location.shape_index);
    } else if (part.number == 4) {
      value.memory_space = integer;
    }
  });
  if (!CheckSize(absl::StrCat("buffer ", value.id), value.bytes, field)) return;
  if (!value_of_id_.emplace(value.id, result_.values.size()).second) {
    problems_.Add(field.offset,
                  absl::StrCat("two buffers have the id ", value.id));
    return;
  }
  result_.values.push_back(std::move(value));
}

int64_t AssignmentReader::FindValue(int64_t id, const WireField& field) {
  const auto value = value_of_id_.find(id);
  if (value != value_of_id_.end()) return value->second;
  problems_.Add(field.offset, absl::StrCat("no buffer has the id ", id));
  return -1;
}

void AssignmentReader::ReadAllocation(const WireField& field) {
  BufferAssignment::Allocation allocation;
  allocation.first_tenant = result_.tenants.size();
  bool is_parameter = false;
  bool is_thread_local = false;
  bool is_constant = false;
  int64_t parameter_number = 0;
  std::vector<WireField> tenants;
  const int64_t problems_before = problems_.count();
  ForEachField(field, "buffer allocation", [&](const WireField& part) {
    const auto integer = static_cast<int64_t>(part.integer);
    switch (part.number) {
      case 1:
        allocation.index = integer;
        break;
      case 2:
        allocation.bytes = integer;
        break;
      case 3:
        is_thread_local = integer != 0;
        break;
      case 5:
        is_parameter = integer != 0;
        break;
      case 6:
        parameter_number = integer;
        break;
      case 7:
        allocation.lives_out = integer != 0;
        break;
      case 8:
        allocation.memory_space = integer;
        break;
      case 9:
        if (part.is_bytes) tenants.push_back(part);
        break;
      case 10:
        AppendIntegers(part, &allocation.parameter_index);
        break;
      case 11:
        allocation.is_tuple = integer != 0;
        break;
      case 12:
        is_constant = integer != 0;
        break;
    }
  });
  const bool is_size = CheckSize(absl::StrCat("allocation ", allocation.index),
                                 allocation.bytes, field);
  if (problems_.count() > problems_before) result_.has_all_allocations = false;
  if (!is_size) return;
  if (is_parameter) allocation.parameter_number = parameter_number;
  allocation.kind = is_thread_local        ? Kind::kThreadLocal
                    : is_parameter         ? Kind::kParameter
                    : is_constant          ? Kind::kConstant
                    : allocation.lives_out ? Kind::kOutput
                                           : Kind::kTemporary;
  for (const WireField& tenant : tenants) ReadTenant(tenant, allocation);
  allocation.tenant_count = result_.tenants.size() - allocation.first_tenant;
  result_.allocations.push_back(std::move(allocation));
}

void AssignmentReader::ReadTenant(
    const WireField& field, const BufferAssignment::Allocation& allocation) {
  int64_t id = 0;
  BufferAssignment::Tenant tenant;
  ForEachField(field, "assigned buffer", [&](const WireField& part) {
    const auto integer = static_cast<int64_t>(part.integer);
    if (part.number == 1) {
      id = integer;
    } else if (part.number == 2) {
      tenant.offset = integer;
    } else if (part.number == 3) {
      tenant.bytes = integer;
    }
  });
  tenant.value = FindValue(id, field);
  if (tenant.value < 0 ||
      !CheckSize(absl::StrCat("buffer ", id), tenant.bytes, field)) {
    return;
  }
  if (tenant.offset < 0 || tenant.offset > allocation.bytes ||
      tenant.bytes > allocation.bytes - tenant.offset) {
    problems_.Add(
        field.offset,
        absl::StrCat("buffer ", id, " of ", tenant.bytes, " bytes at offset ",
                     tenant.offset, " does not lie within allocation ",
                     allocation.index, " of ", allocation.bytes, " bytes"));
    return;
  }
  result_.tenants.push_back(tenant);
}

void AssignmentReader::ReadAlias(const WireField& field) {
  int64_t id = 0;
  Alias alias;
  ForEachField(field, "buffer alias", [&](const WireField& part) {
    if (part.number == 1) {
      id = static_cast<int64_t>(part.integer);
    } else if (part.number == 2) {
      alias.location = ReadLocation(part);
    }
  });
  alias.value = FindValue(id, field);
  if (alias.value >= 0) aliases_.push_back(std::move(alias));
}

// Puts the positions of each value behind one another.
void AssignmentReader::FileAliases() {
  std::stable_sort(
      aliases_.begin(), aliases_.end(),
      [](const Alias& a, const Alias& b) { return a.value < b.value; });
  for (Alias& alias : aliases_) {
    BufferAssignment::Value& value = result_.values[alias.value];
    if (value.position_count++ == 0) {
      value.first_position = result_.positions.size();
    }
    result_.positions.push_back(
        {alias.location.instruction, std::move(alias.location.shape_index)});
  }
}

void AssignmentReader::ReadTrace(const WireField& field) {
  constexpr uint32_t kEvents = 1;
  begun_.clear();
  trace_ = TracePeak();
  ForEachField(field, "heap simulator trace", [&](const WireField& part) {
    if (part.number == kEvents && part.is_bytes) ReadEvent(part);
  });
  // What is never freed is there to the end.
  for (const int64_t index : begun_) {
    Life& life = lives_[index];
    if (life.open > 0) life.intervals.back().last = result_.steps.size() - 1;
    life.open = 0;
  }
  result_.trace_peak_bytes =
      std::max(result_.trace_peak_bytes.value_or(0), trace_.peak_bytes());
}

void AssignmentReader::ReadEvent(const WireField& field) {
  uint64_t kind = 0;
  int64_t id = 0;
  int64_t shared_id = 0;
  std::string_view instruction;
  ForEachField(field, "event of the heap simulator",
               [&](const WireField& part) {
                 if (part.number == 1) {
                   kind = part.integer;
                 } else if (part.number == 2) {
                   id = static_cast<int64_t>(part.integer);
                 } else if (part.number == 4) {
                   instruction = part.bytes;
                 } else if (part.number == 5) {
                   shared_id = static_cast<int64_t>(part.integer);
                 }
               });
  const int64_t step = result_.steps.size();
  result_.steps.push_back(instruction);
  result_.has_steps_of_traces = true;
  const int64_t index = FindValue(id, field);
  if (index < 0) return;
  if (kind > kShareWith) {
    problems_.Add(field.offset, absl::StrCat("unknown kind of event: ", kind));
    return;
  }
  const int64_t bytes = result_.values[index].bytes;
  if (kind == kShareWith) {
    trace_.Share(id, shared_id, bytes);
  } else if (kind != kFree) {
    trace_.Allocate(id, bytes);
  }
  if (kind != kFree) return Allocate(index, step);
  trace_.Free(id);
  if (const auto life = lives_.find(index); life != lives_.end()) {
    // One that ends no interval tells all the same that it was there.
    life->second.intervals.back().last = step;
    --life->second.open;
  } else {
    problems_.Add(
        field.offset,
        absl::StrCat("buffer ", id, " is freed before it is allocated"));
  }
}

void AssignmentReader::Allocate(int64_t index, int64_t step) {
  Life& life = lives_[index];
  begun_.push_back(index);
  // While it is there, this is another use of the same bytes.
  if (++life.open > 1) return;
  // Nothing happens between two events that follow one another.
  if (life.intervals.empty() || life.intervals.back().last + 1 < step) {
    life.intervals.push_back({step, step});
  } else {
    life.intervals.back().last = step;
  }
}

void AssignmentReader::FileLives() {
  for (size_t i = 0; i < result_.values.size(); ++i) {
    const auto life = lives_.find(i);
    if (life == lives_.end()) continue;
    const std::vector<BufferAssignment::Interval>& intervals =
        life->second.intervals;
    BufferAssignment::Value& value = result_.values[i];
    value.first = intervals.front().first;
    value.last = intervals.back().last;
    if (intervals.size() == 1) continue;
    value.first_interval = result_.intervals.size();
    value.interval_count = intervals.size();
    result_.intervals.insert(result_.intervals.end(), intervals.begin(),
                             intervals.end());
  }
}

}  // namespace

std::vector<std::optional<BufferAssignment>> ReadProtoAssignments(
    std::string_view bytes, int64_t problem_limit) {
  // What is wrong with the file itself is said where its modules are read.
  ProtoProblems unused(0);
  std::vector<std::optional<BufferAssignment>> assignments;
  for (const ModuleBytes& module : hlo_internal::FindModules(bytes, &unused)) {
    if (module.assignment.empty()) {
      assignments.emplace_back();
    } else {
      assignments.emplace_back(AssignmentReader(module, problem_limit).Read());
    }
  }
  return assignments;
}

}  // namespace tessera
