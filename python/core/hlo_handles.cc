#include "tessera/python/core/hlo_handles.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/attributes/metadata.h"
#include "tessera/hlo/dump_folder.h"
#include "tessera/python/core/casters.h"
#include "tessera/python/core/errors.h"
#include "tessera/python/core/layout_handle.h"
#include "tessera/service/error.h"

namespace tessera::python {

bool HloFileHandle::IsAllRead() const {
  return dump().diagnostic_count() == 0 &&
         std::all_of(file_.sidecar_problems.begin(),
                     file_.sidecar_problems.end(),
                     [](const auto& problems) { return problems.status.ok(); });
}

bool HloFileHandle::HasUnbounded() {
  for (int64_t i = 0; i < dump().shapes().size(); ++i) arrays_.parts(i);
  for (int64_t i = 0; i < arrays_.array_count(); ++i) {
    if (!arrays_.array(i).sizes.has_value()) return true;
  }
  return false;
}

std::pair<int64_t, int64_t> HloFileHandle::BytesOf(HloInstruction instruction) {
  std::pair<int64_t, int64_t> bytes;
  if (!instruction.has_shape()) return bytes;
  const ArrayTable::ShapeParts& parts =
      arrays_.parts(instruction.shape_index());
  bool is_saturated = false;
  for (int64_t i = 0; i < parts.size(); ++i) {
    if (parts[i].array < 0) continue;
    const ArrayTable::Array& array = arrays_.array(parts[i].array);
    if (!array.sizes.has_value()) continue;
    SaturatingAdd(array.sizes->unpadded_bytes, &bytes.first, &is_saturated);
    SaturatingAdd(array.sizes->padded_bytes, &bytes.second, &is_saturated);
  }
  return bytes;
}

const HloUsers& HloFileHandle::UsersOf(HloComputation computation) {
  const auto found = users_.find(computation.index());
  if (found != users_.end()) return found->second;
  return users_.emplace(computation.index(), HloUsers(computation))
      .first->second;
}

InstructionOrigin HloFileHandle::OriginOf(HloInstruction instruction) {
  const HloModule module = instruction.computation().module();
  return origins_.emplace(module.index(), InstructionOrigins(module))
      .first->second.Of(instruction);
}

namespace {

using KeptModule = Kept<HloModule>;
using KeptComputation = Kept<HloComputation>;
using KeptInstruction = Kept<HloInstruction>;

template <typename Handle>
using KeptRange = Kept<HloRange<Handle>>;

// What Python gets for a part of a dump: handles, and ranges of them, keep the
// dump alive.
template <typename Value>
py::object Seen(const HloFilePointer& file, const Value& value) {
  if constexpr (std::is_same_v<Value, std::string_view>) {
    return Text(value);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return py::cast(value);
  } else {
    return py::cast(Kept<Value>{file, value});
  }
}
template <typename Value>
py::object Seen(const HloFilePointer& file, const std::optional<Value>& value) {
  return value.has_value() ? Seen(file, *value) : py::none();
}

// Makes a property of the handle's method.
template <typename Handle, typename Result>
auto Get(Result (Handle::*method)() const) {
  return [method](const Kept<Handle>& self) {
    return Seen(self.file, (self.handle.*method)());
  };
}

template <typename Handle>
Kept<Handle> At(const KeptRange<Handle>& range, int64_t i) {
  const int64_t size = range.handle.size();
  if (i < 0) i += size;
  if (i < 0 || i >= size) throw py::index_error(std::to_string(i));
  return {range.file, range.handle[i]};
}

// A sequence of handles that creates each on access.
template <typename Handle>
py::class_<KeptRange<Handle>> BindRange(py::module_* module, const char* name) {
  using Range = KeptRange<Handle>;
  struct Iterator {
    Range range;
    int64_t next = 0;
  };
  py::class_<Iterator> iterator(*module,
                                (std::string("_") + name + "Iterator").c_str());
  WithoutConstructor(iterator)
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", [](Iterator& self) {
        if (self.next >= self.range.handle.size()) throw py::stop_iteration();
        return At(self.range, self.next++);
      });
  py::class_<Range> range(*module, name);
  return WithoutConstructor(range)
      .def("__len__", [](const Range& self) { return self.handle.size(); })
      .def("__repr__",
           [name](const Range& self) {
             return Text(absl::StrCat("<tessera.hlo.", name, ", ",
                                      self.handle.size(), " of them>"));
           })
      .def("__getitem__", &At<Handle>, py::arg("i"))
      .def("__getitem__",
           [](const Range& self, const py::slice& slice) {
             size_t start, stop, step, length;
             if (!slice.compute(self.handle.size(), &start, &stop, &step,
                                &length)) {
               throw py::error_already_set();
             }
             py::list list(length);
             for (size_t i = 0; i < length; ++i, start += step) {
               list[i] = py::cast(Kept<Handle>{self.file, self.handle[start]});
             }
             return list;
           })
      .def("__iter__", [](const Range& self) { return Iterator{self}; });
}

py::dict Metadata(const KeptInstruction& self) {
  py::dict entries;
  const std::optional<std::string_view> text =
      self.handle.attribute("metadata");
  if (!text.has_value()) return entries;
  const OpMetadata metadata = ValueOrThrow(DecodeMetadata(*text));
  const auto add = [&entries](const char* key, const HloString& value) {
    if (!value.empty()) entries[key] = Text(value.ToString());
  };
  const auto add_number = [&entries](const char* key, int64_t value) {
    if (value != 0) entries[key] = value;
  };
  add("op_type", metadata.op_type);
  add("op_name", metadata.op_name);
  add("source_file", metadata.source_file);
  add_number("source_line", metadata.source_line);
  add_number("source_end_line", metadata.source_end_line);
  add_number("source_column", metadata.source_column);
  add_number("source_end_column", metadata.source_end_column);
  add("deduplicated_name", metadata.deduplicated_name);
  add("scheduling_name", metadata.scheduling_name);
  add_number("stack_frame_id", metadata.stack_frame_id);
  return entries;
}

template <typename Handle>
py::dict Attributes(const Kept<Handle>& self) {
  py::dict entries;
  for (const HloAttribute& attribute : self.handle.attributes()) {
    const py::str key = Text(attribute.key);
    if (!entries.contains(key)) entries[key] = Text(attribute.value);
  }
  return entries;
}

py::object ShapeOf(const KeptInstruction& self) {
  if (!self.handle.has_shape()) return py::none();
  return py::module_::import("tessera._layouts")
      .attr("Shape")
      .attr("_of")(py::cast(LayoutHandle(AnyLayout(*self.handle.shape()))));
}

// Operands that do not name an instruction are left out.
py::tuple Operands(const KeptInstruction& self) {
  py::list operands;
  for (const HloOperand operand : self.handle.operands()) {
    const std::optional<HloInstruction> instruction = operand.instruction();
    if (instruction.has_value()) {
      operands.append(KeptInstruction{self.file, *instruction});
    }
  }
  return py::tuple(operands);
}

py::tuple Users(const KeptInstruction& self) {
  py::list users;
  for (const HloInstruction user :
       self.file->UsersOf(self.handle.computation()).Of(self.handle)) {
    users.append(KeptInstruction{self.file, user});
  }
  return py::tuple(users);
}

py::tuple Called(const KeptInstruction& self) {
  py::list called;
  for (const HloCall call : self.handle.calls()) {
    const std::optional<HloComputation> computation = call.computation();
    if (computation.has_value()) {
      called.append(KeptComputation{self.file, *computation});
    }
  }
  return py::tuple(called);
}

py::list ByOpcode(const KeptRange<HloInstruction>& self,
                  const std::string& opcode) {
  py::list found;
  for (const HloInstruction instruction : self.handle) {
    if (instruction.opcode() == opcode) {
      found.append(KeptInstruction{self.file, instruction});
    }
  }
  return found;
}

// Returns one list per column, for a table of all of them.
py::dict Columns(const KeptRange<HloInstruction>& self) {
  const py::ssize_t size = self.handle.size();
  py::list names(size), opcodes(size), shapes(size), unpadded(size),
      padded(size), op_names(size), source_lines(size), computations(size);
  for (py::ssize_t i = 0; i < size; ++i) {
    const HloInstruction instruction = self.handle[i];
    const InstructionOrigin origin = self.file->OriginOf(instruction);
    const auto [without, with] = self.file->BytesOf(instruction);
    names[i] = Text(instruction.name());
    opcodes[i] = Text(instruction.opcode());
    shapes[i] = instruction.has_shape() ? Text(instruction.shape()->ToString())
                                        : py::str("");
    unpadded[i] = without;
    padded[i] = with;
    op_names[i] = Text(origin.op_name);
    source_lines[i] = Text(origin.source_line);
    computations[i] = Text(instruction.computation().name());
  }
  py::dict columns;
  columns["name"] = names;
  columns["opcode"] = opcodes;
  columns["shape"] = shapes;
  columns["unpadded_bytes"] = unpadded;
  columns["padded_bytes"] = padded;
  columns["op_name"] = op_names;
  columns["source_line"] = source_lines;
  columns["computation"] = computations;
  return columns;
}

// Returns a dict with the fields of a tessera.Diagnostic.
py::dict DiagnosticOf(const Diagnostic& diagnostic) {
  const TextPosition place = ToTextPosition(diagnostic);
  py::dict fields;
  fields["message"] = Text(diagnostic.message);
  fields["offset"] = place.offset();
  fields["line"] = place.line();
  fields["column"] = place.column();
  fields["excerpt"] = Text(place.excerpt());
  return fields;
}

py::list Diagnostics(const HloFileHandle& self) {
  py::list all;
  for (const Diagnostic& diagnostic : self.dump().diagnostics()) {
    all.append(DiagnosticOf(diagnostic));
  }
  return all;
}

py::list SidecarDiagnostics(const HloFileHandle& self) {
  py::list all;
  for (const SidecarProblems& problems : self.file().sidecar_problems) {
    py::list diagnostics;
    for (const Diagnostic& diagnostic : problems.diagnostics) {
      diagnostics.append(DiagnosticOf(diagnostic));
    }
    all.append(py::make_tuple(Text(problems.file),
                              Text(StdView(problems.status.message())),
                              diagnostics));
  }
  return all;
}

HloFileOptions FileOptionsOf(bool strict, int64_t threads, bool sidecars) {
  HloFileOptions options;
  options.parse.strict = strict;
  options.parse.threads = static_cast<int>(threads);
  options.sidecars = sidecars;
  return options;
}

// Throws if nothing of the text could be read.
HloFilePointer MakeHandle(absl::StatusOr<HloFile> read,
                          const std::string& name) {
  HloFile file = ValueOrThrow(std::move(read), name);
  const HloDump& dump = file.dump;
  // The diagnostics report that there is none.
  if (dump.counts().computations == 0) {
    ThrowIfError(DiagnosticStatus(dump.diagnostics()[0]), name);
  }
  return std::make_shared<HloFileHandle>(name, std::move(file));
}

HloFilePointer ReadFile(const std::string& path, bool strict, int64_t threads,
                        bool sidecars) {
  absl::StatusOr<HloFile> file = [&] {
    const py::gil_scoped_release release;
    return ReadHloFile(path, FileOptionsOf(strict, threads, sidecars));
  }();
  return MakeHandle(std::move(file), path);
}

HloFilePointer ReadBytes(std::string bytes, const std::string& name,
                         bool strict, int64_t threads) {
  absl::StatusOr<HloFile> file = [&] {
    const py::gil_scoped_release release;
    return ReadHloBytes(FileBytes::OfText(std::move(bytes)),
                        FileOptionsOf(strict, threads, /*sidecars=*/false));
  }();
  return MakeHandle(std::move(file), name);
}

// Returns the paths, as bytes, of the dumps in a folder, or of a file itself;
// and the files of the folder that are not read, with the reasons.
py::tuple FindFiles(const std::string& path) {
  const DumpFolder folder = ValueOrThrow(FindHloDumps(path), path);
  py::list files, unread;
  for (const HloDumpFile& file : folder.dumps) {
    files.append(
        py::bytes(folder.is_folder ? folder.folder + file.name : path));
  }
  if (!folder.is_folder && folder.dumps.empty()) files.append(py::bytes(path));
  for (const UnreadFile& file : folder.unread) {
    unread.append(py::make_tuple(Text(file.name), Text(file.reason)));
  }
  return py::make_tuple(folder.is_folder, files, unread);
}

void BindFile(py::module_* module) {
  py::class_<HloFileHandle, HloFilePointer> bound(*module, "HloFile");
  WithoutConstructor(bound)
      .def_property_readonly(
          "name", [](const HloFileHandle& self) { return Text(self.name()); })
      .def_property_readonly(
          "text",
          [](const HloFileHandle& self) { return Text(self.dump().text()); })
      .def_property_readonly(
          "is_from_proto",
          [](const HloFileHandle& self) { return self.dump().is_from_proto(); })
      .def_property_readonly("diagnostics", &Diagnostics)
      .def_property_readonly("diagnostic_count",
                             [](const HloFileHandle& self) {
                               return self.dump().diagnostic_count();
                             })
      .def_property_readonly("has_unbounded", &HloFileHandle::HasUnbounded)
      .def_property_readonly("sidecar_problems", &SidecarDiagnostics)
      .def_property_readonly(
          "modules",
          [](const HloFilePointer& self) {
            return KeptRange<HloModule>{self, self->dump().modules()};
          })
      .def_property_readonly("instructions", [](const HloFilePointer& self) {
        return KeptRange<HloInstruction>{self, self->dump().instructions()};
      });
  module->def("read_hlo_file", &ReadFile, py::arg("path"), py::arg("strict"),
              py::arg("threads"), py::arg("sidecars"));
  module->def("read_hlo_bytes", &ReadBytes, py::arg("text"), py::arg("name"),
              py::arg("strict"), py::arg("threads"));
  module->def("find_hlo_files", &FindFiles, py::arg("path"));
}

py::str ReprOf(const char* type, std::string_view name,
               const std::string& details = "") {
  return Text(StrCat("<tessera.hlo.", type, " ", name, details, ">"));
}

template <typename Handle>
py::str ReprOf(const Handle& self) {
  if constexpr (std::is_same_v<Handle, KeptInstruction>) {
    const HloInstruction instruction = self.handle;
    return ReprOf(
        "Instruction", instruction.name(),
        StrCat(": ",
               instruction.has_shape() ? instruction.shape()->ToString() + " "
                                       : "",
               instruction.opcode()));
  } else {
    constexpr bool is_module = std::is_same_v<Handle, KeptModule>;
    return ReprOf(is_module ? "Module" : "Computation", self.handle.name());
  }
}

// The methods of all handles: two are equal if they are the same part of a
// dump.
template <typename Class>
void BindIdentity(Class* bound) {
  using Handle = typename Class::type;
  WithoutConstructor(*bound)
      .def("__repr__", &ReprOf<Handle>)
      .def("__eq__",
           [](const Handle& self, const py::object& other) {
             if (!py::isinstance<Handle>(other)) return false;
             return self.handle == other.cast<const Handle&>().handle;
           })
      .def("__hash__", [](const Handle& self) { return self.handle.index(); })
      .def_property_readonly("file",
                             [](const Handle& self) { return self.file; })
      .def_property_readonly(
          "name", [](const Handle& self) { return Text(self.handle.name()); });
}

void BindModule(py::module_* module) {
  py::class_<KeptModule> bound(*module, "Module");
  BindIdentity(&bound);
  bound
      .def_property_readonly(
          "index", [](const KeptModule& self) { return self.handle.index(); })
      .def_property_readonly("is_scheduled", Get(&HloModule::is_scheduled))
      .def_property_readonly("attributes", &Attributes<HloModule>)
      .def_property_readonly("computations", Get(&HloModule::computations))
      .def_property_readonly("entry_computation",
                             Get(&HloModule::entry_computation));
}

void BindComputation(py::module_* module) {
  py::class_<KeptComputation> bound(*module, "Computation");
  BindIdentity(&bound);
  bound.def_property_readonly("is_entry", Get(&HloComputation::is_entry))
      .def_property_readonly("module", Get(&HloComputation::module))
      .def_property_readonly("instructions", Get(&HloComputation::instructions))
      .def_property_readonly("root", Get(&HloComputation::root));
}

void BindInstruction(py::module_* module) {
  py::class_<KeptInstruction> bound(*module, "Instruction");
  BindIdentity(&bound);
  bound.def_property_readonly("opcode", Get(&HloInstruction::opcode))
      .def_property_readonly("text", Get(&HloInstruction::text))
      .def_property_readonly("is_root", Get(&HloInstruction::is_root))
      .def_property_readonly("shape", &ShapeOf)
      .def_property_readonly("computation", Get(&HloInstruction::computation))
      .def_property_readonly("operands", &Operands)
      .def_property_readonly("users", &Users)
      .def_property_readonly("called_computations", &Called)
      .def_property_readonly("attributes", &Attributes<HloInstruction>)
      .def_property_readonly("metadata", &Metadata)
      .def_property_readonly(
          "op_name",
          [](const KeptInstruction& self) {
            return Text(self.file->OriginOf(self.handle).op_name);
          })
      .def_property_readonly(
          "source_line",
          [](const KeptInstruction& self) {
            return Text(self.file->OriginOf(self.handle).source_line);
          })
      .def_property_readonly("parameter_number",
                             Get(&HloInstruction::parameter_number))
      .def_property_readonly("literal_text", Get(&HloInstruction::literal_text))
      .def_property_readonly("unpadded_bytes",
                             [](const KeptInstruction& self) {
                               return self.file->BytesOf(self.handle).first;
                             })
      .def_property_readonly("padded_bytes", [](const KeptInstruction& self) {
        return self.file->BytesOf(self.handle).second;
      });
}

}  // namespace

void BindHloHandles(py::module_* module) {
  BindFile(module);
  BindModule(module);
  BindComputation(module);
  BindInstruction(module);
  BindRange<HloModule>(module, "Modules");
  BindRange<HloComputation>(module, "Computations");
  BindRange<HloInstruction>(module, "Instructions")
      .def("by_opcode", &ByOpcode, py::arg("opcode"))
      .def("columns", &Columns);
}

}  // namespace tessera::python
