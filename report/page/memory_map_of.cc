#include "tessera/report/page/memory_map_of.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/hlo/buffer_assignment/assigned_peak.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/units.h"

namespace tessera {

namespace {

// Fills in the texts of a map, but not the bytes in use.
void AddTexts(int64_t memory_space, const std::string& title,
              const MemorySpaceNames& names, const BufferAssignment& assignment,
              SpaceMap* map) {
  map->set_title(absl::StrCat(
      title, ", ", HumanMemorySpace(memory_space, names.NameOf(memory_space))));
  for (const std::string_view name : assignment.steps) {
    map->add_step_names(std::string(name));
  }
}

void AddUse(const std::vector<int64_t>& use, SpaceMap* map) {
  map->mutable_used_bytes()->Add(use.begin(), use.end());
}

}  // namespace

std::map<int64_t, SpaceMap> MemoryMapsOf(const ModuleAnalysis& analysis,
                                         MapColors colors) {
  std::map<int64_t, SpaceMap> maps = SpaceMapsOf(analysis, colors);
  for (auto& [number, map] : maps) {
    AddTexts(number, ModuleText(analysis.module().name()),
             MemorySpaceNamesOf(analysis.target()), analysis.assignment(),
             &map);
    AddUse(analysis.UseByStep(number), &map);
  }
  return maps;
}

std::map<int64_t, SpaceMap> MemoryMapsOf(const BufferAssignment& assignment,
                                         const std::string& title,
                                         const MemorySpaceNames& names) {
  std::map<int64_t, SpaceMap> maps = SpaceMapsOf(assignment);
  for (auto& [number, map] : maps) {
    AddTexts(number, title, names, assignment, &map);
  }
  for (const auto& [number, use] : FindAssignedUse(assignment)) {
    const auto map = maps.find(number);
    if (map != maps.end()) AddUse(use, &map->second);
  }
  return maps;
}

}  // namespace tessera
