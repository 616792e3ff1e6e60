// Finds the pass of the compiler that wrote a dump.
//
//   const DumpPass pass = DumpPassOf(
//       "module_0001.jit_f.0007.simplification.after_algsimp.before_dce.txt");
//   pass.module;            // "module_0001.jit_f"
//   pass.number;            // 7
//   pass.pipeline;          // "simplification"
//   pass.name;              // "algsimp"
//   DumpPassText(pass);     // "simplification/algsimp"
//   DumpPassOf("module_0001.jit_f.before_optimizations.txt").name;
//       // "before_optimizations"
//
// XLA_FLAGS=--xla_dump_hlo_pass_re=.* dumps each module at the start of every
// pipeline of passes, and after every pass that changed something. Another
// expression dumps it before and after the passes that match, whether or not
// they changed anything. The names are those of xla/service/dump.cc, August
// 2026.

#ifndef TESSERA_HLO_DUMP_PASS_H_
#define TESSERA_HLO_DUMP_PASS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

struct DumpPass {
  // The name of the file, without its folder.
  std::string file;
  // The common start of the names of the module's files: "module_0001.jit_f".
  std::string module;
  // XLA's count of the dumps of the module, from 0; nullopt for a dump that a
  // pass did not write.
  std::optional<int64_t> number;
  // The pipeline that ran the pass. A pass that dumps its own steps counts as a
  // pipeline of these.
  std::string pipeline;
  // The pass that had just run; "pipeline-start" at the start of its pipeline.
  // For a dump that a pass did not write, the stage of compilation,
  // "after_optimizations", or the name of the file without its extension.
  std::string name;
};

// Reads the name of a file, which may have its folder before it.
DumpPass DumpPassOf(std::string_view file);

// Returns "simplification/algsimp", or the name alone without a pipeline.
std::string DumpPassText(const DumpPass& pass);

}  // namespace tessera

#endif  // TESSERA_HLO_DUMP_PASS_H_
