#include "tessera/hlo/buffer_assignment/assignment_proto.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/trace_peak.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/hlo/proto/wire_fields.h"

namespace tessera {
namespace {

using hlo_internal::AppendIntegers;
using hlo_internal::ForEachMessage;
using hlo_internal::ModuleBytes;
using hlo_internal::ProtoProblems;
using hlo_internal::TracePeak;
using hlo_internal::WireField;
using hlo_internal::WireFields;

// HeapSimulatorTrace.Event.Kind.
constexpr uint64_t kFree = 1;
constexpr uint64_t kShareWith = 2;

absl::flat_hash_map<int64_t, std::string_view> InstructionNames(
    const ModuleBytes& bytes) {
  constexpr uint32_t kComputations = 3;
  constexpr uint32_t kInstructions = 2;
  constexpr uint32_t kName = 1;
  constexpr uint32_t kId = 35;
  absl::flat_hash_map<int64_t, std::string_view> name_of_id;
  const auto add_name = [&](const WireField& instruction) {
    std::string_view name;
    int64_t id = 0;
    WireFields fields(instruction.bytes, instruction.offset);
    for (WireField field; fields.Next(&field);) {
      if (field.number == kName) {
        name = field.bytes;
      } else if (field.number == kId) {
        id = static_cast<int64_t>(field.integer);
      }
    }
    name_of_id.emplace(id, name);
  };
  WireField module;
  module.bytes = bytes.bytes;
  module.offset = bytes.offset;
  ForEachMessage(module, kComputations, [&](const WireField& computation) {
    ForEachMessage(computation, kInstructions, add_name);
  });
  return name_of_id;
}

class AssignmentReader {
 public:
  AssignmentReader(const ModuleBytes& module, int64_t problem_limit)
      : module_(module),
        problems_(problem_limit),
        name_of_id_(InstructionNames(module)) {}

  BufferAssignment Read() {
    WireField file;
    file.bytes = module_.assignment;
    file.offset = module_.assignment_offset;
    // Fields that others refer to are read first, wherever they are.
    const WireFields fields = ForEachMessage(
        file, 1, [&](const WireField& field) { ReadValue(field); });
    if (!fields.problem().empty()) {
      // Once, although the next calls read this level again.
      AddWireProblem(fields, "buffer assignment", &problems_);
      result_.has_all_allocations = false;
    }
    ForEachMessage(file, 3,
                   [&](const WireField& field) { ReadAllocation(field); });
    ForEachMessage(file, 2, [&](const WireField& field) { ReadAlias(field); });
    ForEachMessage(file, 4, [&](const WireField& field) { ReadTrace(field); });
    FileAliases();
    FileLives();
    result_.problems = problems_.diagnostics();
    result_.problem_count = problems_.count();
    return std::move(result_);
  }

 private:
  struct IntegerField {
    uint32_t number;
    int64_t* integer;
  };
  struct Alias {
    int64_t value;
    BufferAssignment::Position position;
  };

  // Reads the fields of one level. Stores `integers`, and calls `visit` for all
  // others. Errors are reported as problems of `where`.
  template <typename Visit>
  void ReadFields(const WireField& message, std::string_view where,
                  std::initializer_list<IntegerField> integers, Visit visit) {
    WireFields fields(message.bytes, message.offset);
    for (WireField field; fields.Next(&field);) {
      const auto* const found = std::find_if(
          integers.begin(), integers.end(), [&](const IntegerField& integer) {
            return integer.number == field.number;
          });
      if (found == integers.end()) {
        visit(field);
      } else {
        *found->integer = static_cast<int64_t>(field.integer);
      }
    }
    AddWireProblem(fields, where, &problems_);
  }

  BufferAssignment::Position ReadLocation(const WireField& field) {
    BufferAssignment::Position position;
    ReadFields(field, "location of a buffer", {}, [&](const WireField& part) {
      if (part.number == 2) {
        position.instruction = part.bytes;
      } else if (part.number == 3) {
        AppendIntegers(part, &position.shape_index);
      } else if (part.number == 4 && position.instruction.empty()) {
        const auto id = static_cast<int64_t>(part.integer);
        const auto name = name_of_id_.find(id);
        if (name != name_of_id_.end()) {
          position.instruction = name->second;
        } else {
          problems_.Add(part.offset,
                        absl::StrCat("no instruction has the id ", id));
        }
      }
    });
    return position;
  }

  void ReadValue(const WireField& field) {
    BufferAssignment::Value value;
    ReadFields(field, "logical buffer",
               {{1, &value.id}, {2, &value.bytes}, {4, &value.memory_space}},
               [&](const WireField& part) {
                 if (part.number != 3) return;
                 BufferAssignment::Position position = ReadLocation(part);
                 value.instruction = position.instruction;
                 value.shape_index = std::move(position.shape_index);
               });
    if (!CheckSize(absl::StrCat("buffer ", value.id), value.bytes, field)) {
      return;
    }
    if (!value_of_id_.emplace(value.id, result_.values.size()).second) {
      problems_.Add(field.offset,
                    absl::StrCat("two buffers have the id ", value.id));
      return;
    }
    result_.values.push_back(std::move(value));
  }

  void ReadAllocation(const WireField& field) {
    BufferAssignment::Allocation allocation;
    allocation.first_tenant = result_.tenants.size();
    int64_t is_thread_local = 0;
    int64_t is_parameter = 0;
    int64_t parameter_number = 0;
    int64_t lives_out = 0;
    int64_t is_tuple = 0;
    int64_t is_constant = 0;
    std::vector<WireField> tenants;
    const int64_t problems_before = problems_.count();
    ReadFields(field, "buffer allocation",
               {{1, &allocation.index},
                {2, &allocation.bytes},
                {3, &is_thread_local},
                {5, &is_parameter},
                {6, &parameter_number},
                {7, &lives_out},
                {8, &allocation.memory_space},
                {11, &is_tuple},
                {12, &is_constant}},
               [&](const WireField& part) {
                 if (part.number == 9 && part.is_bytes) {
                   tenants.push_back(part);
                 } else if (part.number == 10) {
                   AppendIntegers(part, &allocation.parameter_index);
                 }
               });
    allocation.lives_out = lives_out != 0;
    allocation.is_tuple = is_tuple != 0;
    const bool is_size = CheckSize(
        absl::StrCat("allocation ", allocation.index), allocation.bytes, field);
    if (problems_.count() > problems_before) {
      result_.has_all_allocations = false;
    }
    if (!is_size) return;
    if (is_parameter != 0) allocation.parameter_number = parameter_number;
    allocation.SetKind(is_thread_local != 0, is_constant != 0);
    for (const WireField& tenant : tenants) ReadTenant(tenant, allocation);
    allocation.tenant_count = result_.tenants.size() - allocation.first_tenant;
    result_.allocations.push_back(std::move(allocation));
  }

  void ReadTenant(const WireField& field,
                  const BufferAssignment::Allocation& allocation) {
    int64_t id = 0;
    BufferAssignment::Tenant tenant;
    ReadFields(field, "assigned buffer",
               {{1, &id}, {2, &tenant.offset}, {3, &tenant.bytes}},
               [](const WireField&) {});
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

  void ReadAlias(const WireField& field) {
    int64_t id = 0;
    Alias alias;
    ReadFields(field, "buffer alias", {{1, &id}}, [&](const WireField& part) {
      if (part.number == 2) alias.position = ReadLocation(part);
    });
    alias.value = FindValue(id, field);
    if (alias.value >= 0) aliases_.push_back(std::move(alias));
  }

  void ReadTrace(const WireField& field) {
    constexpr uint32_t kEvents = 1;
    begun_.clear();
    trace_ = TracePeak();
    ReadFields(field, "heap simulator trace", {}, [&](const WireField& part) {
      if (part.number == kEvents && part.is_bytes) ReadEvent(part);
    });
    // A value that is never freed is live until the end.
    for (const int64_t index : begun_) {
      Life& life = lives_[index];
      if (life.open > 0) life.intervals.back().last = result_.steps.size() - 1;
      life.open = 0;
    }
    result_.trace_peak_bytes =
        std::max(result_.trace_peak_bytes.value_or(0), trace_.peak_bytes());
  }

  void ReadEvent(const WireField& field) {
    int64_t number = 0;
    int64_t id = 0;
    int64_t shared_id = 0;
    std::string_view instruction;
    ReadFields(field, "event of the heap simulator",
               {{1, &number}, {2, &id}, {5, &shared_id}},
               [&](const WireField& part) {
                 if (part.number == 4) instruction = part.bytes;
               });
    const auto kind = static_cast<uint64_t>(number);
    const int64_t step = result_.steps.size();
    result_.steps.push_back(instruction);
    result_.has_steps_of_traces = true;
    const int64_t index = FindValue(id, field);
    if (index < 0) return;
    if (kind > kShareWith) {
      problems_.Add(field.offset,
                    absl::StrCat("unknown kind of event: ", kind));
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
      // An event that does not end an interval still shows that it was live.
      life->second.intervals.back().last = step;
      --life->second.open;
    } else {
      problems_.Add(
          field.offset,
          absl::StrCat("buffer ", id, " is freed before it is allocated"));
    }
  }

  void Allocate(int64_t index, int64_t step) {
    Life& life = lives_[index];
    begun_.push_back(index);
    // If it is live already, this is another use of the same bytes.
    if (++life.open > 1) return;
    // Nothing happens between two consecutive events.
    if (life.intervals.empty() || life.intervals.back().last + 1 < step) {
      life.intervals.push_back({step, step});
    } else {
      life.intervals.back().last = step;
    }
  }

  // Stores the positions of each value consecutively.
  void FileAliases() {
    std::stable_sort(
        aliases_.begin(), aliases_.end(),
        [](const Alias& a, const Alias& b) { return a.value < b.value; });
    for (Alias& alias : aliases_) {
      BufferAssignment::Value& value = result_.values[alias.value];
      if (value.position_count++ == 0) {
        value.first_position = result_.positions.size();
      }
      result_.positions.push_back(std::move(alias.position));
    }
  }

  void FileLives() {
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

  // Returns the index in `values` of this id, or reports a problem and returns
  // -1.
  int64_t FindValue(int64_t id, const WireField& field) {
    const auto value = value_of_id_.find(id);
    if (value != value_of_id_.end()) return value->second;
    problems_.Add(field.offset, absl::StrCat("no buffer has the id ", id));
    return -1;
  }

  // Returns whether `bytes` is a valid size, and reports a problem if not.
  bool CheckSize(std::string_view what, int64_t bytes, const WireField& field) {
    if (bytes >= 0) return true;
    problems_.Add(field.offset,
                  absl::StrCat("the size of ", AbslView(what), " is ", bytes,
                               ", which is negative"));
    return false;
  }

  const ModuleBytes& module_;
  ProtoProblems problems_;
  BufferAssignment result_;
  const absl::flat_hash_map<int64_t, std::string_view> name_of_id_;
  absl::flat_hash_map<int64_t, int64_t> value_of_id_;
  std::vector<Alias> aliases_;
  // The live range of a value, in the traces that have been read so far.
  struct Life {
    std::vector<BufferAssignment::Interval> intervals;
    // How often it is live at once in the current trace; negative if it was
    // freed more often than allocated.
    int64_t open = 0;
  };
  absl::flat_hash_map<int64_t, Life> lives_;  // by index in `values`
  std::vector<int64_t> begun_;
  TracePeak trace_;
};

}  // namespace

std::vector<std::optional<BufferAssignment>> ReadProtoAssignments(
    std::string_view bytes, int64_t problem_limit) {
  // Errors of the file itself are reported when its modules are read.
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
