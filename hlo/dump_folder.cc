#include "tessera/hlo/dump_folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/files/system_error.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dump_name.h"

namespace tessera {
namespace {

// The bytes that determine a kind.
constexpr int64_t kHeadBytes = 65536;

bool IsOptimized(const NameParts& parts) {
  return parts.stage == DumpStage::kOptimized ||
         parts.stage == DumpStage::kNearOptimized;
}

// "target_arguments.txt", without a module: in a folder with renamed files, it
// is next to each module.
bool IsOfAllModules(const NameParts& parts) {
  return parts.is_of_all_stages && parts.module.empty();
}

bool AreOfOneDump(const NameParts& a, const NameParts& b) {
  if (IsOfAllModules(a) || IsOfAllModules(b)) return true;
  return a.module == b.module &&
         (a.is_of_all_stages || b.is_of_all_stages ||
          a.stage_text == b.stage_text || (IsOptimized(a) && IsOptimized(b)));
}

struct Finding {
  HloFileKind kind = HloFileKind::kOther;
  UnreadFile unread;  // unless the reason is empty
};

Finding Unread(const std::string& name, std::string_view reason,
               bool is_error = false) {
  return {HloFileKind::kOther, {name, std::string(reason), is_error}};
}

std::string_view PackerOf(std::string_view head) {
  if (StartsWith(head,
                 "\xFD"
                 "7zXZ")) {
    return "xz";
  }
  if (StartsWith(head, "\x28\xB5\x2F\xFD")) return "zstd";
  return "";
}

Finding Look(const std::string& folder, const std::string& name) {
  const std::string path = folder + name;
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) {
    return Unread(name, StdView(SystemError("cannot be read", errno).message()),
                  true);
  }
  if (S_ISDIR(status.st_mode)) return Unread(name, "is a folder");
  // Opening a pipe would wait for a writer.
  if (!S_ISREG(status.st_mode)) return Unread(name, "is not a regular file");
  FileOptions options;
  options.memory_limit = kHeadBytes;
  options.cut_at_limit = true;
  const absl::StatusOr<FileBytes> file = FileBytes::Open(path, options);
  if (!file.ok()) return Unread(name, StdView(file.status().message()), true);
  const std::string_view head = file->text().substr(0, kHeadBytes);
  if (head.empty()) return Unread(name, "is empty");
  const std::string_view packer = PackerOf(head);
  if (!packer.empty()) {
    return Unread(name, StrCat("is compressed by ", packer,
                               ", which is not supported; decompress it"));
  }
  const HloFileKind kind = HloFileKindOf(head);
  if (kind == HloFileKind::kOther || kind == HloFileKind::kBinary) {
    return Unread(name, "is not an XLA dump");
  }
  if (kind == HloFileKind::kUtf16) {
    return Unread(name, "is in UTF-16; convert it to UTF-8");
  }
  if (IsPasted(kind)) {
    return {kind, {name, StrCat("is ", HloFileKindName(kind))}};
  }
  return {kind, {}};
}

absl::StatusOr<std::vector<std::string>> NamesIn(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(
      opendir(folder.empty() ? "." : folder.c_str()), closedir);
  if (entries == nullptr) return SystemError("cannot be read", errno);
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* const entry = readdir(entries.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return SystemError("cannot be read", errno);
  std::sort(names.begin(), names.end());
  return names;
}

struct FolderEntry {
  // The name must outlive the entry.
  FolderEntry(const std::string& of_file, HloFileKind its_kind)
      : name(of_file), kind(its_kind), parts(NamePartsOf(name, kind)) {}

  std::string_view name;
  HloFileKind kind;
  NameParts parts;
};

// Whether to read `a` and not `b`, which has the same module.
bool IsBetter(const FolderEntry& a, const FolderEntry& b) {
  if (a.parts.stage != b.parts.stage) return a.parts.stage < b.parts.stage;
  // The last pass counts.
  if (a.parts.number != b.parts.number) return a.parts.number > b.parts.number;
  return std::make_tuple(a.kind, a.parts.is_gzip, a.name) <
         std::make_tuple(b.kind, b.parts.is_gzip, b.name);
}

// Returns the kind of sidecar that `entry` is for `dump`; kOther for none.
HloFileKind SidecarKindOf(const FolderEntry& entry, const FolderEntry& dump) {
  // A profile has many modules, and contains everything about them.
  if (dump.kind == HloFileKind::kProfile ||
      entry.kind == HloFileKind::kProfile || entry.name == dump.name) {
    return HloFileKind::kOther;
  }
  if (entry.kind == HloFileKind::kText) {
    return entry.parts.stage_text == kCodegenStage && IsOptimized(dump.parts) &&
                   entry.parts.module == dump.parts.module
               ? HloFileKind::kAfterCodegen
               : HloFileKind::kOther;
  }
  if ((entry.kind == HloFileKind::kProto && dump.kind != HloFileKind::kText) ||
      !AreOfOneDump(entry.parts, dump.parts)) {
    return HloFileKind::kOther;
  }
  return entry.kind;
}

constexpr int64_t kLastTime = std::numeric_limits<int64_t>::max();

// Returns the time of a dump in the compilation: before optimizations, after
// the passes by their numbers, and then all others.
int64_t TimeOf(const NameParts& parts) {
  if (parts.stage == DumpStage::kUnoptimized) return -1;
  return parts.number.value_or(kLastTime);
}

// Returns the dump with those of the entries that belong to it, and as its
// stages the dumps before the time `end`.
HloDumpFile DumpFileOf(const FolderEntry& dump,
                       const std::vector<FolderEntry>& entries, int64_t end) {
  HloDumpFile file;
  file.name = std::string(dump.name);
  file.kind = dump.kind;
  file.module = std::string(dump.parts.module);
  std::map<int64_t, const FolderEntry*> by_time;
  for (const FolderEntry& entry : entries) {
    const HloFileKind kind = SidecarKindOf(entry, dump);
    if (kind != HloFileKind::kOther) file.sidecars.emplace(kind, entry.name);
    if (entry.kind == HloFileKind::kProfile || !HasModules(entry.kind) ||
        entry.parts.module != dump.parts.module || TimeOf(entry.parts) >= end) {
      continue;
    }
    const FolderEntry*& stage = by_time[TimeOf(entry.parts)];
    if (stage == nullptr || IsBetter(entry, *stage)) stage = &entry;
  }
  by_time[TimeOf(dump.parts)] = &dump;
  if (by_time.size() == 1) return file;
  for (const auto& [time, entry] : by_time) {
    file.stages.emplace_back(entry->name);
  }
  return file;
}

// Divides the files of a module into the dump, its sidecars and unread files.
void AddModule(const std::vector<FolderEntry>& entries, DumpFolder* found) {
  const FolderEntry* best = nullptr;
  for (const FolderEntry& entry : entries) {
    if (entry.kind == HloFileKind::kProfile) {
      found->dumps.push_back(DumpFileOf(entry, {}, kLastTime));
    } else if (HasModules(entry.kind) &&
               (best == nullptr || IsBetter(entry, *best))) {
      best = &entry;
    }
  }
  HloDumpFile dump;
  if (best != nullptr) {
    dump = DumpFileOf(*best, entries, kLastTime);
    found->dumps.push_back(dump);
  }
  for (const FolderEntry& entry : entries) {
    if (entry.kind == HloFileKind::kProfile || &entry == best) continue;
    const bool is_sidecar = std::any_of(
        dump.sidecars.begin(), dump.sidecars.end(),
        [&entry](const auto& sidecar) { return sidecar.second == entry.name; });
    std::string reason;
    if (entry.kind == HloFileKind::kMemoryUsageReport ||
        entry.kind == HloFileKind::kMemoryUsageReportProto) {
      reason =
          "is a memory usage report: the buffer assignment has the same "
          "numbers, exactly";
    } else if (is_sidecar) {
      continue;
    } else if (!HasModules(entry.kind)) {
      reason = StrCat("is ", HloFileKindName(entry.kind),
                      ", but its module is not next to it");
    } else if (AreOfOneDump(entry.parts, best->parts)) {
      reason = "has the same module as a file that is read";
    } else {
      reason = "has an earlier stage of a module that is read";
    }
    found->unread.push_back({std::string(entry.name), std::move(reason)});
  }
}

// Adds sidecars of all modules to the modules that do not have their own.
void ShareAmongModules(const std::vector<FolderEntry>& entries,
                       DumpFolder* found) {
  for (const FolderEntry& entry : entries) {
    bool is_beside = false;
    for (HloDumpFile& dump : found->dumps) {
      if (dump.kind == HloFileKind::kProfile) continue;
      dump.sidecars.emplace(entry.kind, entry.name);
      is_beside = true;
    }
    if (is_beside) continue;
    found->unread.push_back({std::string(entry.name),
                             StrCat("is ", HloFileKindName(entry.kind),
                                    ", and its module is not next to it")});
  }
}

absl::Status FindInFolder(DumpFolder* found) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           NamesIn(found->folder));
  std::map<std::string_view, std::vector<FolderEntry>> modules;
  std::vector<FolderEntry> of_all;
  for (const std::string& name : names) {
    Finding finding = Look(found->folder, name);
    if (!finding.unread.reason.empty()) {
      found->unread.push_back(std::move(finding.unread));
      continue;
    }
    const FolderEntry entry(name, finding.kind);
    // Sidecars of all modules are used only if a module does not have its own.
    (IsOfAllModules(entry.parts) ? of_all : modules[entry.parts.module])
        .push_back(entry);
  }
  for (const auto& [module, entries] : modules) AddModule(entries, found);
  ShareAmongModules(of_all, found);
  const auto by_name = [](const auto& a, const auto& b) {
    return a.name < b.name;
  };
  std::sort(found->dumps.begin(), found->dumps.end(), by_name);
  std::sort(found->unread.begin(), found->unread.end(), by_name);
  return absl::OkStatus();
}

// Returns those of the names in the folder that have the same module.
std::vector<FolderEntry> NeighboursOf(const std::string& folder,
                                      const std::vector<std::string>& names,
                                      const NameParts& parts) {
  std::vector<FolderEntry> neighbours;
  for (const std::string& name : names) {
    // The name of a sidecar has one more suffix.
    const std::string_view beside =
        NamePartsOf(name, HloFileKind::kOther).module;
    if (NamePartsOf(name, HloFileKind::kText).module != parts.module &&
        beside != parts.module && !beside.empty()) {
      continue;
    }
    const Finding finding = Look(folder, name);
    if (!finding.unread.reason.empty()) continue;
    neighbours.emplace_back(name, finding.kind);
  }
  // Sidecars of all modules are used only if a module does not have its own.
  std::stable_partition(
      neighbours.begin(), neighbours.end(),
      [](const FolderEntry& entry) { return !IsOfAllModules(entry.parts); });
  return neighbours;
}

void FindBesideFile(const std::string& name, bool is_regular,
                    const DumpFolderOptions& options, DumpFolder* found) {
  const HloFileKind kind =
      is_regular ? Look(found->folder, name).kind : HloFileKind::kOther;
  const FolderEntry file(name, kind);
  const bool is_dump = HasModules(kind) || kind == HloFileKind::kOther ||
                       kind == HloFileKind::kInstruction;
  std::vector<std::string> names;
  if (kind != HloFileKind::kOther && (!is_dump || options.sidecars)) {
    // A folder may allow reading its files, but not listing them.
    names = NamesIn(found->folder).value_or(std::vector<std::string>());
  }
  const std::vector<FolderEntry> neighbours =
      NeighboursOf(found->folder, names, file.parts);
  if (is_dump) {
    found->dumps.push_back(DumpFileOf(file, neighbours, TimeOf(file.parts)));
    return;
  }
  found->unread.push_back(
      {name, StrCat("is ", HloFileKindName(kind), " without a module")});
  const FolderEntry* best = nullptr;
  for (const FolderEntry& entry : neighbours) {
    if ((entry.kind == HloFileKind::kText ||
         entry.kind == HloFileKind::kProto) &&
        AreOfOneDump(entry.parts, file.parts) &&
        (best == nullptr || IsBetter(entry, *best))) {
      best = &entry;
    }
  }
  if (best == nullptr) return;
  found->dumps.push_back(DumpFileOf(
      *best, options.sidecars ? neighbours : std::vector<FolderEntry>(),
      TimeOf(best->parts)));
}

}  // namespace

absl::StatusOr<DumpFolder> FindHloDumps(const std::string& path,
                                        const DumpFolderOptions& options) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) {
    return SystemError("cannot be read", errno);
  }
  DumpFolder found;
  found.is_folder = S_ISDIR(status.st_mode);
  if (found.is_folder) {
    found.folder = EndsWith(path, "/") ? path : path + "/";
    TESSERA_RETURN_IF_ERROR(FindInFolder(&found));
    return found;
  }
  const size_t slash = path.rfind('/');
  const size_t begin = slash == path.npos ? 0 : slash + 1;
  found.folder = path.substr(0, begin);
  FindBesideFile(path.substr(begin), S_ISREG(status.st_mode), options, &found);
  return found;
}

}  // namespace tessera
