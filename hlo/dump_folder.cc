#include "tessera/hlo/dump_folder.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/files/system_error.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// A kind is told by so many bytes.
constexpr int64_t kHeadBytes = 65536;

bool IsDump(HloFileKind kind) {
  return kind == HloFileKind::kText || kind == HloFileKind::kProto ||
         kind == HloFileKind::kProfile;
}

bool IsUsageReport(HloFileKind kind) {
  return kind == HloFileKind::kMemoryUsageReport ||
         kind == HloFileKind::kMemoryUsageReportProto;
}

// Names.

// At what stage of compilation a module was dumped. That of the lowest rank is
// read.
enum class Stage {
  kOptimized,      // "after_optimizations"
  kNearOptimized,  // "after_optimizations_before_buffer_assignment"
  kAside,          // kCodegen, "oom_intermediate_module"
  kUnknown,        // the name is not one of XLA's
  kUnoptimized,    // "before_optimizations"
  kPass,           // "0007.fusion.after_dce.before_cse"
};

constexpr std::string_view kCodegen = "after_codegen";

struct NameParts {
  std::string_view module;
  Stage stage = Stage::kUnknown;
  std::string_view stage_text;
  // Whether it belongs to the module at each stage.
  bool is_of_all_stages = false;
  bool is_gzip = false;
};

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// Whether that is what XLA writes for a device before a stage: "cpu",
// "gfx942_gpu", the end of "sm_9.0_gpu".
bool IsDevice(std::string_view text) {
  if (text == "cpu" || text == "gpu" || text == "tpu") return true;
  return ConsumeSuffix(&text, "_gpu") &&
         (StartsWith(text, "gfx") ||
          (!text.empty() && absl::ascii_isdigit(text[0])));
}

// The module of a name whose stage begins at `at`. Before the stage may stand
// the device: "jit_f.sm_9.0_gpu_after_optimizations".
std::string_view ModuleBefore(std::string_view stem, size_t at) {
  std::string_view module = stem.substr(0, at);
  const auto last_word = [&module] {
    return module.substr(module.rfind('.') + 1);  // npos + 1 is 0
  };
  const auto drop_last_word = [&] {
    module.remove_suffix(last_word().size());
    ConsumeSuffix(&module, ".");
  };
  std::string_view word = last_word();
  const bool is_joined = ConsumeSuffix(&word, "_");
  if (is_joined && !IsDevice(word)) return module;
  ConsumeSuffix(&module, is_joined ? "_" : ".");
  if (!IsDevice(last_word())) return module;
  drop_last_word();
  std::string_view capability = last_word();
  if (ConsumePrefix(&capability, "sm_") && IsNumber(capability)) {
    drop_last_word();
  }
  return module;
}

// Finds ".0007." in a name of XLA's; npos if it is not there.
size_t FindPass(std::string_view stem) {
  constexpr std::string_view kModule = "module_";
  constexpr size_t kDigits = 4;
  size_t at = stem.find(kModule);
  if (at == stem.npos || (at > 0 && stem[at - 1] != '.')) return stem.npos;
  for (at = stem.find('.', at); at != stem.npos; at = stem.find('.', at + 1)) {
    const std::string_view digits = stem.substr(at + 1, kDigits);
    if (digits.size() == kDigits && IsNumber(digits) &&
        StartsWith(stem.substr(at + 1 + kDigits), ".")) {
      return at;
    }
  }
  return stem.npos;
}

// The name without its extensions.
std::string_view StemOf(std::string_view name, bool* is_gzip) {
  *is_gzip = ConsumeSuffix(&name, ".gz");
  constexpr std::string_view kExtensions[] = {
      ".xplane.pb", ".hlo_proto.pb", ".hlo.pb", ".pb", ".hlo", ".txt"};
  for (const std::string_view extension : kExtensions) {
    if (ConsumeSuffix(&name, extension)) break;
  }
  return name;
}

// "module_0001.jit_f", "cpu_after_optimizations" of
// "module_0001.jit_f.cpu_after_optimizations-live-range.txt".
NameParts PartsOf(std::string_view name, HloFileKind kind) {
  NameParts parts;
  std::string_view stem = StemOf(name, &parts.is_gzip);
  if (!IsDump(kind)) {
    constexpr std::string_view kSuffixes[] = {
        "buffer-assignment-values", "buffer-assignment", "live-range",
        "memory-usage-report",      "target_arguments",  "tpu_comp_env"};
    for (const std::string_view suffix : kSuffixes) {
      if (!ConsumeSuffix(&stem, suffix)) continue;
      if (!stem.empty()) stem.remove_suffix(1);
      break;
    }
  }
  parts.module = stem;
  parts.is_of_all_stages = kind == HloFileKind::kTargetArguments ||
                           kind == HloFileKind::kCompilerOptions;
  constexpr std::string_view kBefore = "before_optimizations";
  constexpr std::string_view kAfter = "after_optimizations";
  constexpr std::string_view kOutOfMemory = "oom_intermediate_module";
  size_t at = FindPass(stem);
  if (at != stem.npos) {
    parts.stage = Stage::kPass;
  } else if (at = stem.find(kAfter); at != stem.npos) {
    parts.stage = at + kAfter.size() == stem.size() ? Stage::kOptimized
                                                    : Stage::kNearOptimized;
  } else if (at = std::min(stem.find(kCodegen), stem.find(kOutOfMemory));
             at != stem.npos) {
    parts.stage = Stage::kAside;
  } else if (at = stem.find(kBefore); at != stem.npos) {
    parts.stage = Stage::kUnoptimized;
  } else {
    return parts;
  }
  parts.stage_text = stem.substr(at);
  parts.module = ModuleBefore(stem, at);
  return parts;
}

bool IsOptimized(const NameParts& parts) {
  return parts.stage == Stage::kOptimized ||
         parts.stage == Stage::kNearOptimized;
}

// "target_arguments.txt": in a folder whose files were named anew, it is beside
// each module.
bool IsOfAllModules(const NameParts& parts) {
  return parts.is_of_all_stages && parts.module.empty();
}

bool AreOfOneDump(const NameParts& a, const NameParts& b) {
  if (IsOfAllModules(a) || IsOfAllModules(b)) return true;
  return a.module == b.module &&
         (a.is_of_all_stages || b.is_of_all_stages ||
          a.stage_text == b.stage_text || (IsOptimized(a) && IsOptimized(b)));
}

// Files.

// What the first bytes of a file say.
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
  // Opening a pipe would wait for whoever writes to it.
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
    return Unread(name,
                  absl::StrCat("is compressed by ", AbslView(packer),
                               ", which is not supported; decompress it"));
  }
  const HloFileKind kind = HloFileKindOf(head);
  if (kind == HloFileKind::kOther) return Unread(name, "is not an XLA dump");
  if (IsPasted(kind)) {
    return {
        kind,
        {name, absl::StrCat("is ", AbslView(HloFileKindName(kind))), false}};
  }
  return {kind, {}};
}

// The names in the folder "" or "a/".
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

// A file whose kind is known.
struct Entry {
  std::string name;
  HloFileKind kind;
  NameParts parts;  // of `name`
};

// Whether `a` is to be read rather than `b`, which has the same module.
bool IsBetter(const Entry& a, const Entry& b) {
  if (a.parts.stage != b.parts.stage) return a.parts.stage < b.parts.stage;
  // The last pass.
  if (a.parts.stage == Stage::kPass && a.parts.stage_text != b.parts.stage_text)
    return a.parts.stage_text > b.parts.stage_text;
  return std::make_tuple(a.kind, a.parts.is_gzip, std::string_view(a.name)) <
         std::make_tuple(b.kind, b.parts.is_gzip, std::string_view(b.name));
}

// As which kind of sidecar `entry` stands beside `dump`; kOther if as none.
HloFileKind SidecarKindOf(const Entry& entry, const Entry& dump) {
  // A profile is of many modules, and has what belongs to them.
  if (dump.kind == HloFileKind::kProfile ||
      entry.kind == HloFileKind::kProfile || entry.name == dump.name) {
    return HloFileKind::kOther;
  }
  if (entry.kind == HloFileKind::kText) {
    return entry.parts.stage_text == kCodegen && IsOptimized(dump.parts) &&
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

// What stands beside `dump` of those that are `entries`.
void AddSidecars(const std::vector<Entry>& entries, const Entry& dump,
                 HloDumpFile* file) {
  for (const Entry& entry : entries) {
    const HloFileKind kind = SidecarKindOf(entry, dump);
    if (kind != HloFileKind::kOther) file->sidecars.emplace(kind, entry.name);
  }
}

HloDumpFile DumpFileOf(const Entry& entry) {
  return {entry.name, entry.kind, std::string(entry.parts.module), {}};
}

// Takes apart the files of one module.
void AddModule(const std::vector<Entry>& entries, DumpFolder* found) {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    if (entry.kind == HloFileKind::kProfile) {
      found->dumps.push_back(DumpFileOf(entry));
    } else if (IsDump(entry.kind) &&
               (best == nullptr || IsBetter(entry, *best))) {
      best = &entry;
    }
  }
  HloDumpFile dump;
  if (best != nullptr) {
    dump = DumpFileOf(*best);
    AddSidecars(entries, *best, &dump);
    found->dumps.push_back(dump);
  }
  for (const Entry& entry : entries) {
    if (entry.kind == HloFileKind::kProfile || &entry == best) continue;
    const bool is_sidecar = std::any_of(
        dump.sidecars.begin(), dump.sidecars.end(),
        [&entry](const auto& sidecar) { return sidecar.second == entry.name; });
    std::string reason;
    if (IsUsageReport(entry.kind)) {
      reason =
          "is a memory usage report: the buffer assignment has the same "
          "numbers, exactly";
    } else if (is_sidecar) {
      continue;
    } else if (!IsDump(entry.kind)) {
      reason = absl::StrCat("is ", AbslView(HloFileKindName(entry.kind)),
                            ", but its module is not next to it");
    } else if (AreOfOneDump(entry.parts, best->parts)) {
      reason = "has the same module as a file that is read";
    } else {
      reason = "has an earlier stage of a module that is read";
    }
    found->unread.push_back({entry.name, std::move(reason), false});
  }
}

// Puts what is of all modules beside those that have nothing of the kind.
void ShareAmongModules(const std::vector<Entry>& entries, DumpFolder* found) {
  for (const Entry& entry : entries) {
    bool is_beside = false;
    for (HloDumpFile& dump : found->dumps) {
      if (dump.kind == HloFileKind::kProfile) continue;
      dump.sidecars.emplace(entry.kind, entry.name);
      is_beside = true;
    }
    if (is_beside) continue;
    found->unread.push_back(
        {entry.name,
         absl::StrCat("is ", AbslView(HloFileKindName(entry.kind)),
                      ", without a module is beside it"),
         false});
  }
}

absl::Status FindInFolder(DumpFolder* found) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           NamesIn(found->folder));
  // By module.
  std::map<std::string, std::vector<Entry>> modules;
  for (const std::string& name : names) {
    Finding finding = Look(found->folder, name);
    if (!finding.unread.reason.empty()) {
      found->unread.push_back(std::move(finding.unread));
      continue;
    }
    const std::string module(PartsOf(name, finding.kind).module);
    modules[module].push_back({name, finding.kind, {}});
  }
  std::vector<Entry> of_all;
  for (auto& [module, entries] : modules) {
    const auto own = std::stable_partition(
        entries.begin(), entries.end(), [](const Entry& entry) {
          return IsOfAllModules(PartsOf(entry.name, entry.kind));
        });
    of_all.insert(of_all.end(), entries.begin(), own);
    entries.erase(entries.begin(), own);
    // Views into names, which stay where they are from now on.
    for (Entry& entry : entries) entry.parts = PartsOf(entry.name, entry.kind);
    AddModule(entries, found);
  }
  ShareAmongModules(of_all, found);
  const auto by_name = [](const auto& a, const auto& b) {
    return a.name < b.name;
  };
  std::sort(found->dumps.begin(), found->dumps.end(), by_name);
  std::sort(found->unread.begin(), found->unread.end(), by_name);
  return absl::OkStatus();
}

// Those files of the folder whose names say that they are of the same module.
std::vector<Entry> NeighboursOf(const std::string& folder,
                                const NameParts& parts) {
  std::vector<Entry> neighbours;
  // A folder whose files can be read, but not listed, hides them.
  const absl::StatusOr<std::vector<std::string>> names = NamesIn(folder);
  if (!names.ok()) return neighbours;
  for (const std::string& name : *names) {
    // The name of a sidecar has a suffix more.
    const std::string_view beside = PartsOf(name, HloFileKind::kOther).module;
    if (PartsOf(name, HloFileKind::kText).module != parts.module &&
        beside != parts.module && !beside.empty()) {
      continue;
    }
    const Finding finding = Look(folder, name);
    if (!finding.unread.reason.empty()) continue;
    neighbours.push_back({name, finding.kind, {}});
  }
  // What is of all modules counts where a module has nothing of its own.
  std::stable_partition(
      neighbours.begin(), neighbours.end(), [](const Entry& entry) {
        return !IsOfAllModules(PartsOf(entry.name, entry.kind));
      });
  for (Entry& entry : neighbours) {
    entry.parts = PartsOf(entry.name, entry.kind);
  }
  return neighbours;
}

void FindBesideFile(const std::string& name, bool is_regular,
                    const DumpFolderOptions& options, DumpFolder* found) {
  const HloFileKind kind =
      is_regular ? Look(found->folder, name).kind : HloFileKind::kOther;
  const Entry file = {name, kind, PartsOf(name, kind)};
  const bool is_dump = IsDump(kind) || kind == HloFileKind::kOther ||
                       kind == HloFileKind::kInstruction;
  if (is_dump) found->dumps.push_back(DumpFileOf(file));
  if (kind == HloFileKind::kOther || (is_dump && !options.sidecars)) return;
  const std::vector<Entry> neighbours = NeighboursOf(found->folder, file.parts);
  if (is_dump) {
    AddSidecars(neighbours, file, &found->dumps.back());
    return;
  }
  found->unread.push_back({name,
                           absl::StrCat("is ", AbslView(HloFileKindName(kind)),
                                        " without a module"),
                           false});
  const Entry* best = nullptr;
  for (const Entry& entry : neighbours) {
    if ((entry.kind == HloFileKind::kText ||
         entry.kind == HloFileKind::kProto) &&
        AreOfOneDump(entry.parts, file.parts) &&
        (best == nullptr || IsBetter(entry, *best))) {
      best = &entry;
    }
  }
  if (best == nullptr) return;
  found->dumps.push_back(DumpFileOf(*best));
  if (options.sidecars) AddSidecars(neighbours, *best, &found->dumps.back());
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
