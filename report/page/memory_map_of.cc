#include "tessera/report/page/memory_map_of.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/units.h"

namespace tessera {

std::map<int64_t, SpaceMap> MemoryMapsOf(const ModuleAnalysis& analysis,
                                         MapColors colors) {
  std::map<int64_t, SpaceMap> maps = SpaceMapsOf(analysis, colors);
  const MemorySpaceNames& names = MemorySpaceNamesOf(analysis.target());
  for (auto& [number, map] : maps) {
    map.set_title(absl::StrCat(ModuleText(analysis.module().name()), ", ",
                               HumanMemorySpace(number, names.NameOf(number))));
    for (const std::string_view name : analysis.assignment().steps) {
      map.add_step_names(std::string(name));
    }
    for (const int64_t bytes : analysis.UseByStep(number)) {
      map.add_used_bytes(bytes);
    }
  }
  return maps;
}

}  // namespace tessera
