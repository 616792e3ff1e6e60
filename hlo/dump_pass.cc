#include "tessera/hlo/dump_pass.h"

#include <cstddef>
#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dump_name.h"

namespace tessera {

DumpPass DumpPassOf(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);  // npos: 0
  const NameParts parts = NamePartsOf(name, HloFileKind::kText);
  DumpPass pass;
  pass.file = std::string(name);
  pass.module = std::string(parts.module);
  pass.number = parts.number;
  if (parts.stage != DumpStage::kPass) {
    pass.name =
        std::string(parts.stage_text.empty() ? parts.module : parts.stage_text);
    return pass;
  }
  // ".0007.simplification.after_algsimp.before_dce", or ".0022.copy-insertion."
  // and a step of that pass.
  constexpr std::string_view kAfter = ".after_";
  constexpr std::string_view kBefore = ".before_";
  const size_t begin = parts.stage_text.find('.', 1) + 1;
  const std::string_view text = parts.stage_text.substr(begin);
  const size_t after = text.find(kAfter);
  const size_t before = text.rfind(kBefore);
  if (after != text.npos && before != text.npos && after < before) {
    const size_t name_begin = after + kAfter.size();
    pass.pipeline = std::string(text.substr(0, after));
    pass.name = std::string(text.substr(name_begin, before - name_begin));
    return pass;
  }
  const size_t dot = text.find('.');
  if (dot != text.npos) pass.pipeline = std::string(text.substr(0, dot));
  pass.name = std::string(dot == text.npos ? text : text.substr(dot + 1));
  return pass;
}

std::string DumpPassText(const DumpPass& pass) {
  return pass.pipeline.empty() ? pass.name
                               : StrCat(pass.pipeline, "/", pass.name);
}

}  // namespace tessera
