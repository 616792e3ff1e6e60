#include "tessera/cute/atoms/atom.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/nearest_names.h"
#include "tessera/cute/atoms/atom_table.h"
#include "tessera/cute/atoms/atom_text.h"
#include "tessera/cute/element_type.h"

namespace tessera::cute {
namespace {

constexpr std::pair<std::string_view, std::string_view> kPartNames[] = {
    {"Thr", "Thr"},
    {"ThrID", "Thr"},
    {"thr_id", "Thr"},
    {"Shape", "Shape"},
    {"Shape_MNK", "Shape"},
    {"shape_mnk", "Shape"},
    {"A", "A"},
    {"ALayout", "A"},
    {"LayoutA_TV", "A"},
    {"tv_layout_A", "A"},
    {"B", "B"},
    {"BLayout", "B"},
    {"LayoutB_TV", "B"},
    {"tv_layout_B", "B"},
    {"C", "C"},
    {"CLayout", "C"},
    {"LayoutC_TV", "C"},
    {"tv_layout_C", "C"},
    {"Src", "Src"},
    {"SrcLayout", "Src"},
    {"ValLayoutSrc", "Src"},
    {"layout_src_tv", "Src"},
    {"Dst", "Dst"},
    {"DstLayout", "Dst"},
    {"ValLayoutDst", "Dst"},
    {"layout_dst_tv", "Dst"},
    {"Ref", "Ref"},
    {"RefLayout", "Ref"},
    {"ValLayoutRef", "Ref"},
};

// Returns the reason why there is no table for such a name; "" if there is one.
std::string_view WhyNotYet(std::string_view name) {
  if (StrContains(name, "TMA") || StrContains(name, "BULK_COPY") ||
      StartsWith(name, "CopyBulk") || StartsWith(name, "CopyReduceBulk") ||
      StartsWith(name, "CopyDsmem")) {
    return "a bulk copy's layout depends on its tensor; print the atom that "
           "make_tma_copy returns";
  }
  for (const std::string_view amd : {"CDNA", "RDNA", "MFMA", "WMMA"}) {
    if (StartsWith(name, amd)) return "atoms of AMD are not in the table";
  }
  return "";
}

int64_t ColumnsOf(std::string_view name) {
  const size_t begin = name.find("_64x");
  if (begin == std::string_view::npos) return 64;
  name.remove_prefix(begin + 4);
  const std::vector<int64_t> columns =
      Integers(name.substr(0, std::min(name.find('x'), name.size())));
  return columns.size() == 1 ? columns[0] : 64;
}

absl::StatusOr<Atom> FindByText(const AtomText& text) {
  if (const std::string_view why = WhyNotYet(text.name); !why.empty()) {
    return UnimplementedError("'", text.name, "': ", why);
  }
  absl::StatusOr<Atom> atom = absl::InternalError("not looked up");
  if (FindCppMma(text, &atom) || FindCppCopy(text, &atom) ||
      FindDslMma(text, &atom) || FindDslCopy(text, &atom)) {
    return atom;
  }
  std::string near;
  for (const std::string& name : NearestAtoms(text.name)) {
    absl::StrAppend(&near, near.empty() ? "; did you mean " : ", ", name);
  }
  return InvalidArgumentError("no atom '", text.name, "' is in the table",
                              near);
}

}  // namespace

std::string Atom::ToString(const TextForm& form) const {
  std::string text = absl::StrCat("Thr: ", threads.ToString(form));
  if (shape.has_value()) {
    absl::StrAppend(&text, "\nShape: ", shape->ToString(form));
  }
  for (const AtomPart& part : parts) {
    StrAppend(&text, "\n", part.name, ": ",
              part.refusal.empty() ? part.layout.ToString(form)
                                   : absl::StrCat("refused: ", part.refusal));
  }
  return text;
}

absl::StatusOr<Atom> FindAtom(std::string_view name) {
  name = StripAsciiWhitespace(name);
  AtomText text = ReadAtomText(name);
  if (text.length != name.size() || text.name.empty()) {
    return InvalidArgumentError("'", name, "' is not the name of an atom");
  }
  // MMA_Atom<MMA_Traits<X>>, Copy_Atom<Copy_Traits<X>, half_t>,
  // make_copy_atom(X(), Float16, num_bits_per_copy=128).
  std::vector<std::string_view> outer;
  AtomText inner = text;
  while (inner.name == "MMA_Atom" || inner.name == "MMA_Traits" ||
         inner.name == "Copy_Atom" || inner.name == "Copy_Traits" ||
         inner.name == "make_mma_atom" || inner.name == "make_copy_atom") {
    if (inner.arguments.empty()) {
      return InvalidArgumentError("'", inner.name,
                                  "' needs the name of an operation: ",
                                  "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>");
    }
    if (inner.arguments.size() > 1 && outer.empty()) outer = inner.arguments;
    const std::string_view argument = inner.arguments[0];
    inner = ReadAtomText(argument);
    if (inner.length != argument.size() || inner.name.empty()) {
      return InvalidArgumentError("'", argument,
                                  "' is not the name of an atom");
    }
  }
  // An operation of the DSL has a layout only with these.
  std::string with_type;
  if (outer.size() > 1 && EndsWith(inner.name, "Op")) {
    std::vector<std::string_view> all = inner.arguments;
    all.insert(all.end(), outer.begin() + 1, outer.end());
    with_type = StrCat(inner.name, "(", JoinViews(all, ","), ")");
    inner = ReadAtomText(with_type);
    outer.clear();
  }
  TESSERA_ASSIGN_OR_RETURN(Atom atom, FindByText(inner));
  if (outer.size() > 1 && atom.element_bits != 0) {
    const std::optional<int64_t> bits = ElementTypeBits(LastName(outer[1]));
    if (!bits.has_value()) {
      return InvalidArgumentError("the size of the type '", outer[1],
                                  "' is not known");
    }
    TESSERA_ASSIGN_OR_RETURN(atom, CopyInElements(std::move(atom), *bits));
  }
  atom.name = std::string(name);
  return atom;
}

std::string_view AtomPartName(std::string_view name) {
  for (const auto& [known, part] : kPartNames) {
    if (known == name) return part;
  }
  return "";
}

absl::StatusOr<Layout> LayoutOf(const Atom& atom, std::string_view part) {
  const std::string_view name = AtomPartName(part);
  if (name == "Thr") return atom.threads;
  std::string known = "Thr";
  for (const AtomPart& each : atom.parts) {
    StrAppend(&known, ", ", each.name);
    if (each.name != name) continue;
    if (!each.refusal.empty()) return absl::InvalidArgumentError(each.refusal);
    return each.layout;
  }
  return InvalidArgumentError("'", part, "' is not a layout of ", atom.name,
                              ", which has ", known);
}

size_t AtomNameLength(std::string_view text) {
  return ReadAtomText(text).length;
}

std::vector<std::string> NearestAtoms(std::string_view name) {
  std::vector<std::string> names = CppMmaNames(ColumnsOf(name));
  for (auto* more : {CppCopyNames, DslMmaNames, DslCopyNames}) {
    for (std::string& each : more()) names.push_back(std::move(each));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string_view> near = NearestNames(
      name, std::vector<std::string_view>(names.begin(), names.end()));
  std::vector<std::string> result(near.begin(), near.end());
  // The beginning of a name, such as SM80_16x8x16.
  constexpr size_t kMost = 3;
  auto begins = std::lower_bound(names.begin(), names.end(), name);
  while (near.empty() && !name.empty() && begins != names.end() &&
         StartsWith(*begins, name) && result.size() < kMost) {
    result.push_back(*begins++);
  }
  return result;
}

}  // namespace tessera::cute
