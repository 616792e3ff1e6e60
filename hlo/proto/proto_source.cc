#include "tessera/hlo/proto/proto_source.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace tessera::hlo_internal {
namespace {

// Returns the last value of field `number`, like Protocol Buffers.
WireField LastField(const WireField& message, uint32_t number) {
  WireFields fields(message.bytes, message.offset);
  WireField last;
  for (WireField field; fields.Next(&field);) {
    if (field.number == number) last = field;
  }
  return last;
}

void FindInHloProto(const WireField& proto, const std::string& label,
                    ProtoProblems* problems, std::vector<ModuleBytes>* found) {
  constexpr uint32_t kModule = 1;
  constexpr uint32_t kBufferAssignment = 3;
  const size_t first = found->size();
  WireField assignment;
  WireFields fields(proto.bytes, proto.offset);
  for (WireField field; fields.Next(&field);) {
    if (!field.is_bytes) continue;
    if (field.number == kModule) {
      found->push_back({field.bytes, field.offset, label, {}, 0});
    } else if (field.number == kBufferAssignment) {
      assignment = field;
    }
  }
  AddWireProblem(fields, label, problems);
  if (found->size() == first) return;
  found->back().assignment = assignment.bytes;
  found->back().assignment_offset = assignment.offset;
}

// In both maps of a plane, an entry has a key, 1, and a value, 2.
constexpr uint32_t kEventMetadata = 4;
constexpr uint32_t kStatMetadata = 5;
constexpr uint32_t kKey = 1;
constexpr uint32_t kValue = 2;

absl::flat_hash_set<uint64_t> HloProtoStats(const WireField& plane,
                                            ProtoProblems* problems) {
  absl::flat_hash_set<uint64_t> stats;
  const WireFields fields =
      ForEachMessage(plane, kStatMetadata, [&](const WireField& entry) {
        const WireField name = LastField(LastField(entry, kValue), 2);
        if (name.bytes == "Hlo Proto" || name.bytes == "hlo_proto") {
          stats.insert(LastField(entry, kKey).integer);
        }
      });
  AddWireProblem(fields, "plane", problems);
  return stats;
}

void FindInPlane(const WireField& plane, ProtoProblems* problems,
                 std::vector<ModuleBytes>* found) {
  const absl::flat_hash_set<uint64_t> stats = HloProtoStats(plane, problems);
  ForEachMessage(plane, kEventMetadata, [&](const WireField& entry) {
    const WireField event = LastField(entry, kValue);
    const std::string label(LastField(event, 2).bytes);
    const std::string where =
        label.empty() ? "event without a name" : label.substr(0, 200);
    const WireFields fields =
        ForEachMessage(event, 5, [&](const WireField& stat) {
          if (!stats.contains(LastField(stat, 1).integer)) return;
          FindInHloProto(LastField(stat, 6), where, problems, found);
        });
    AddWireProblem(fields, where, problems);
  });
}

void FindInXSpace(const WireField& file, ProtoProblems* problems,
                  std::vector<ModuleBytes>* found) {
  const WireFields fields =
      ForEachMessage(file, 1, [&](const WireField& plane) {
        if (LastField(plane, 2).bytes == "/host:metadata") {
          FindInPlane(plane, problems, found);
        }
      });
  AddWireProblem(fields, "XSpace", problems);
  if (found->empty()) {
    problems->Add(0,
                  "the XSpace has no HLO module: XLA puts them into its plane "
                  "/host:metadata");
  }
}

}  // namespace

void AddWireProblem(const WireFields& fields, std::string_view where,
                    ProtoProblems* problems) {
  if (fields.problem().empty()) return;
  problems->Add(
      fields.problem_offset(),
      absl::StrCat(AbslView(where), where.empty() ? "" : ": ", "at byte ",
                   fields.problem_offset(), ": ", fields.problem()));
}

bool IsHloProto(std::string_view bytes) {
  constexpr char kFirstTag = '\n';  // field 1, bytes
  if (bytes.empty() || bytes[0] != kFirstTag) return false;
  // Text may begin with an empty line, but does not contain control bytes. The
  // tags and lengths of a proto are such bytes.
  constexpr size_t kLookedAt = 4096;
  const std::string_view head = bytes.substr(0, kLookedAt);
  return std::any_of(head.begin(), head.end(), [](char c) {
    return c >= 0 && c < ' ' && !(c >= '\t' && c <= '\r') && c != '\x1b';
  });
}

// Each kind of proto begins with field 1, which determines the kind: a module,
// the module's name, a plane with its number or its name, a memory space with
// its bytes, its color or its allocations.
ProtoKind ProtoKindOf(std::string_view bytes) {
  WireFields fields(bytes, 0);
  WireField field;
  if (!fields.Next(&field) || field.number != 1 || field.bytes.empty()) {
    return ProtoKind::kHloProto;
  }
  if (field.bytes[0] >= ' ') return ProtoKind::kHloModuleProto;
  WireFields inner(field.bytes, 0);
  WireField first;
  if (!inner.Next(&first)) return ProtoKind::kHloProto;
  if (first.number == 2) {
    if (first.is_integer) return ProtoKind::kMemoryUsageReport;
    return StartsWith(first.bytes, "/") ? ProtoKind::kXSpace
                                        : ProtoKind::kHloProto;
  }
  if (first.number != 1 || !first.is_integer) return ProtoKind::kHloProto;
  WireField second;
  const bool is_plane =
      !inner.Next(&second) || (second.number == 2 && second.is_bytes);
  return is_plane ? ProtoKind::kXSpace : ProtoKind::kMemoryUsageReport;
}

std::vector<ModuleBytes> FindModules(std::string_view bytes,
                                     ProtoProblems* problems) {
  std::vector<ModuleBytes> found;
  WireField file;
  file.bytes = bytes;
  switch (ProtoKindOf(bytes)) {
    case ProtoKind::kHloModuleProto:
      found.push_back({bytes, 0, "", {}, 0});
      break;
    case ProtoKind::kXSpace:
      FindInXSpace(file, problems, &found);
      break;
    case ProtoKind::kMemoryUsageReport:
      problems->Add(0, "the proto is a memory usage report without a module");
      break;
    case ProtoKind::kHloProto:
      FindInHloProto(file, "", problems, &found);
      if (found.empty()) problems->Add(0, "the proto has no HLO module");
      break;
  }
  return found;
}

}  // namespace tessera::hlo_internal
