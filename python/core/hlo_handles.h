// The classes tessera._core.HloFile, Module, Computation and Instruction: views
// into a dump that they keep alive.

#ifndef TESSERA_PYTHON_CORE_HLO_HANDLES_H_
#define TESSERA_PYTHON_CORE_HLO_HANDLES_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_users.h"
#include "tessera/hlo/instruction_origin.h"

namespace tessera::python {

// A file that was read. Results are computed on demand, with the interpreter's
// lock held.
class HloFileHandle {
 public:
  HloFileHandle(std::string name, HloFile file)
      : name_(std::move(name)),
        file_(std::move(file)),
        arrays_(&file_.dump.shapes()) {}

  const std::string& name() const { return name_; }
  const HloFile& file() const { return file_; }
  const HloDump& dump() const { return file_.dump; }

  // Whether the text and the files next to it have no mistake, so that all of
  // it was read.
  bool IsAllRead() const;
  // Whether an array has an unbounded dimension.
  bool HasUnbounded();
  // The bytes of all arrays in a result, without and with padding; those with
  // an unbounded dimension count for nothing.
  std::pair<int64_t, int64_t> BytesOf(HloInstruction instruction);
  const HloUsers& UsersOf(HloComputation computation);
  InstructionOrigin OriginOf(HloInstruction instruction);

 private:
  const std::string name_;  // "" for text at hand
  const HloFile file_;
  ArrayTable arrays_;
  std::map<int64_t, HloUsers> users_;              // by computation
  std::map<int64_t, InstructionOrigins> origins_;  // by module
};

using HloFilePointer = std::shared_ptr<HloFileHandle>;

// A handle into a dump, and a pointer that keeps the dump alive.
template <typename Handle>
struct Kept {
  HloFilePointer file;
  Handle handle;
};

void BindHloHandles(pybind11::module_* module);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_HLO_HANDLES_H_
