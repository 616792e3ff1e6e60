#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/atoms/atom_table.h"
#include "tessera/cute/atoms/fragment.h"

namespace tessera::cute {
namespace {

Atom MmaOf(const MmaShape& shape, Layout threads, Layout a, Layout b,
           Layout c) {
  Atom atom;
  atom.threads = std::move(threads);
  atom.shape = IntTuple{shape.m, shape.n, shape.k};
  atom.parts = {{"A", std::move(a), ""},
                {"B", std::move(b), ""},
                {"C", std::move(c), ""}};
  return atom;
}

Layout Threads(int64_t count) {
  return count == 1 ? Layout() : *Layout::ColumnMajor(count);
}

// Returns the consecutive values of one thread.
Layout OneThread(int64_t values) { return ThreadValue({}, {{values, 1}}); }

// Quads of a warp whose lanes are 16 apart. `a` and `b` are T or N, as BLAS has
// them (PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16").
Atom VoltaMma(std::string_view a_and_b, bool accumulates_in_f32) {
  const Layout by_row = ThreadValue({{8, 1}}, {{4, 8}});
  const Layout by_quad = ThreadValue({{4, 8}, {2, 4}}, {{4, 1}});
  return MmaOf({8, 8, 4}, *Layout::Create({4, 2}, {1, 16}),
               a_and_b[0] == 'T' ? by_row : by_quad,
               a_and_b[1] == 'N' ? by_row : by_quad,
               accumulates_in_f32 ? ThreadValue({{2, 1}, {2, 16}, {2, 4}},
                                                {{2, 8}, {2, 2}, {2, 32}})
                                  : ThreadValue({{8, 1}}, {{8, 8}}));
}

enum class MmaRule : uint8_t { kVolta, kWarp, kWarpgroup };

// Names of C++: prefix, one of the shapes, one of the types, one of the ends,
// with `_` between them. The source is include/cute/atom/mma_traits_*.hpp.
struct MmaFamily {
  std::string_view prefix;
  std::string_view shapes;  // N is any number of columns
  std::string_view types;   // "" if they are template arguments
  std::string_view ends;
  MmaRule rule;
  int a_per_register;
  int b_per_register;
  std::string_view source;
};

constexpr std::string_view kIntegers8 =
    "S32S8S8S32 S32S8U8S32 S32U8S8S32 S32U8U8S32";
constexpr std::string_view kIntegers4 =
    "S32S4S4S32 S32S4U4S32 S32U4S4S32 S32U4U4S32";
constexpr std::string_view kFp8 =
    "F32E4M3E4M3F32 F32E4M3E5M2F32 F32E5M2E4M3F32 F32E5M2E5M2F32 "
    "F16E4M3E4M3F16 F16E4M3E5M2F16 F16E5M2E4M3F16 F16E5M2E5M2F16";
constexpr std::string_view kGroup16 = "F16F16F16 F32F16F16 F32BF16BF16";
constexpr std::string_view kGroup8 =
    "F32E4M3E4M3 F32E4M3E5M2 F32E5M2E4M3 F32E5M2E5M2 "
    "F16E4M3E4M3 F16E4M3E5M2 F16E5M2E4M3 F16E5M2E5M2";
constexpr std::string_view kGroupIntegers = "S32S8S8 S32S8U8 S32U8S8 S32U8U8";
constexpr std::string_view kSaturating = "TN TN_SATURATE";
constexpr std::string_view kGroupTn = "SS_TN RS_TN";
constexpr std::string_view kGroupSaturating =
    "SS_TN RS_TN SS_TN_SATURATE RS_TN_SATURATE";

constexpr MmaFamily kMmaFamilies[] = {
    {"SM70", "8x8x4", "F16F16F16F16 F32F16F16F32", "TN NT NN TT",
     MmaRule::kVolta, 0, 0, "mma_traits_sm70.hpp"},
    {"SM75", "16x8x8", "F32F16F16F32 F16F16F16F16", "TN", MmaRule::kWarp, 2, 2,
     "mma_traits_sm75.hpp"},
    {"SM75", "8x8x16", "S32S8S8S32", "TN", MmaRule::kWarp, 4, 4,
     "mma_traits_sm75.hpp"},
    {"SM80", "16x8x8 16x8x16", "F16F16F16F16 F32F16F16F32 F32BF16BF16F32", "TN",
     MmaRule::kWarp, 2, 2, "mma_traits_sm80.hpp"},
    {"SM80", "16x8x4 16x8x8", "F32TF32TF32F32", "TN", MmaRule::kWarp, 1, 1,
     "mma_traits_sm80.hpp"},
    {"SM80", "8x8x4", "F64F64F64F64 C64C64C64C64 GC64C64C64GC64", "TN",
     MmaRule::kWarp, 1, 1, "mma_traits_sm80.hpp"},
    {"SM80", "8x8x16 16x8x16 16x8x32", kIntegers8, kSaturating, MmaRule::kWarp,
     4, 4, "mma_traits_sm80.hpp"},
    {"SM80", "8x8x32 16x8x32 16x8x64", kIntegers4, kSaturating, MmaRule::kWarp,
     8, 8, "mma_traits_sm80.hpp"},
    {"SM80", "8x8x128 16x8x128 16x8x256", "S32U1U1S32", "TN_XORPOPC TN_ANDPOPC",
     MmaRule::kWarp, 32, 32, "mma_traits_sm80.hpp"},
    {"SM89", "16x8x32", kFp8, "TN", MmaRule::kWarp, 4, 4,
     "mma_traits_sm89.hpp"},
    {"SM90", "16x8x4 16x8x8 16x8x16", "F64F64F64F64 C64C64C64C64", "TN",
     MmaRule::kWarp, 1, 1, "mma_traits_sm90.hpp"},
    {"SM120", "16x8x32", "", "TN TN_VS", MmaRule::kWarp, 4, 4,
     "mma_traits_sm120.hpp"},
    {"SM120", "16x8x64", "", "TN_VS", MmaRule::kWarp, 8, 8,
     "mma_traits_sm120.hpp"},
    {"SM120_SPARSE", "16x8x64", "", "TN TN_VS", MmaRule::kWarp, 8, 4,
     "mma_traits_sm120_sparse.hpp"},
    {"SM120_SPARSE", "16x8x128", "", "TN_VS", MmaRule::kWarp, 16, 8,
     "mma_traits_sm120_sparse.hpp"},
    {"SM90", "64xNx16", kGroup16, "SS RS", MmaRule::kWarpgroup, 2, 2,
     "mma_traits_sm90_gmma.hpp"},
    {"SM90", "64xNx8", "F32TF32TF32", kGroupTn, MmaRule::kWarpgroup, 1, 1,
     "mma_traits_sm90_gmma.hpp"},
    {"SM90", "64xNx32", kGroup8, kGroupTn, MmaRule::kWarpgroup, 4, 4,
     "mma_traits_sm90_gmma.hpp"},
    {"SM90", "64xNx32", kGroupIntegers, kGroupSaturating, MmaRule::kWarpgroup,
     4, 4, "mma_traits_sm90_gmma.hpp"},
    // A has only every second element.
    {"GMMA", "64xNx32", kGroup16, "SS RS", MmaRule::kWarpgroup, 4, 2,
     "mma_traits_sm90_gmma_sparse.hpp"},
    {"GMMA", "64xNx16", "F32TF32TF32", kGroupTn, MmaRule::kWarpgroup, 2, 1,
     "mma_traits_sm90_gmma_sparse.hpp"},
    {"GMMA", "64xNx64", kGroup8, kGroupTn, MmaRule::kWarpgroup, 8, 4,
     "mma_traits_sm90_gmma_sparse.hpp"},
    {"GMMA", "64xNx64", kGroupIntegers, kGroupSaturating, MmaRule::kWarpgroup,
     8, 4, "mma_traits_sm90_gmma_sparse.hpp"},
};

// SM100_MMA_, the kind, and one of the ends; M and N are the first integers
// among the template arguments. (include/cute/atom/mma_traits_sm100.hpp)
struct TensorMemoryFamily {
  std::string_view kind;
  int k;
  bool is_block_scaled;
  std::string_view ends;
};

constexpr std::string_view kSparse = "SS_SPARSE 2x1SM_SS_SPARSE";
constexpr std::string_view kOfBothSources = "SS TS 2x1SM_SS 2x1SM_TS";

constexpr TensorMemoryFamily kTensorMemoryFamilies[] = {
    {"SM100_MMA_TF32", 8, false,
     "SS TS TS_SCALED 2x1SM_SS 2x1SM_TS 2x1SM_TS_SCALED"},
    {"SM100_MMA_TF32", 16, false, kSparse},
    {"SM100_MMA_TF32", 4, false,
     "TS_INTERLEAVED_CF32CTF32CTF32CF32_TN "
     "2x1SM_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN"},
    {"SM100_MMA_F16BF16", 16, false,
     "SS TS SS_SCALED TS_SCALED 2x1SM_SS 2x1SM_TS 2x1SM_SS_SCALED "
     "2x1SM_TS_SCALED"},
    {"SM100_MMA_F16BF16", 32, false, kSparse},
    {"SM100_MMA_S8", 32, false, kOfBothSources},
    {"SM100_MMA_S8", 64, false, kSparse},
    {"SM100_MMA_F8F6F4", 32, false, kOfBothSources},
    {"SM100_MMA_F8F6F4", 64, false, kSparse},
    {"SM100_MMA_MXF8F6F4", 32, true, "SS 2x1SM_SS"},
    {"SM100_MMA_MXF8F6F4", 64, true, kSparse},
    {"SM100_MMA_MXF4", 64, true, "SS 2x1SM_SS"},
    {"SM100_MMA_MXF4NVF4", 128, true, kSparse},
    {"SM103_MXF4_ULTRA", 96, true, "SS_VS 2x1SM_SS_VS"},
};

struct ThreadAtom {
  std::string_view name;
  MmaShape shape;
  std::string_view source;
};

constexpr ThreadAtom kThreadAtoms[] = {
    {"SM61_DP4A", {1, 1, 4}, "mma_traits_sm61.hpp"},
    {"SM61_DP2A", {1, 1, 2}, "mma_traits_sm61.hpp"},
    {"SM100_2x1x1_F32F32F32F32", {2, 1, 1}, "mma_traits_sm100.hpp"},
    {"SM100_1x2x1_F32F32F32F32", {1, 2, 1}, "mma_traits_sm100.hpp"},
    {"UniversalFMA", {1, 1, 1}, "mma_traits.hpp"},
};

// Operations of the DSL (cutlass/cute/nvgpu/warp, warpgroup, tcgen05).
struct DslMma {
  std::string_view module;
  std::string_view name;
  std::string_view types;   // that A may have; "" if it has no such argument
  std::string_view shapes;  // the first if none is given
  int per_register;         // 0 in tensor memory
  bool is_block_scaled;
};

constexpr std::string_view kDslFp8 = "Float8E4M3FN Float8E5M2 E4M3 E5M2";
constexpr std::string_view kDslFloats =
    "Float8E4M3FN Float8E5M2 Float6E3M2FN Float6E2M3FN Float4E2M1FN E4M3 E5M2 "
    "E3M2 E2M3 E2M1";

constexpr DslMma kDslMmas[] = {
    {"warp", "MmaF16BF16Op", "Float16 BFloat16", "16x8x16 16x8x8", 2, false},
    {"warp", "MmaTF32Op", "", "16x8x8 16x8x4", 1, false},
    {"warp", "MmaFP8Op", kDslFp8, "16x8x32 16x8x16", 4, false},
    {"warp", "MmaMXF4Op", "", "16x8x64", 8, false},
    {"warp", "MmaMXF4NVF4Op", "", "16x8x64", 8, false},
    {"warp", "MmaMXF8Op", "", "16x8x32", 4, false},
    {"warp", "MmaMXF8F6F4Op", "", "16x8x32", 4, false},
    {"warpgroup", "MmaF16BF16Op", "Float16 BFloat16", "64xNx16", 2, false},
    {"warpgroup", "MmaF8Op", kDslFp8, "64xNx32", 4, false},
    {"warpgroup", "MmaI8Op", "Int8 Uint8", "64xNx32", 4, false},
    {"tcgen05", "MmaTF32Op", "", "MxNx8", 0, false},
    {"tcgen05", "MmaF16BF16Op", "Float16 BFloat16", "MxNx16", 0, false},
    {"tcgen05", "MmaI8Op", "Int8 Uint8", "MxNx32", 0, false},
    {"tcgen05", "MmaFP8Op", kDslFp8, "MxNx32", 0, false},
    {"tcgen05", "MmaF8F6F4Op", kDslFloats, "MxNx32", 0, false},
    {"tcgen05", "MmaMXF8Op", kDslFp8, "MxNx32", 0, true},
    {"tcgen05", "MmaMXF8F6F4Op", kDslFloats, "MxNx32", 0, true},
    {"tcgen05", "MmaMXF4Op", "", "MxNx64", 0, true},
    {"tcgen05", "MmaMXF4NVF4Op", "", "MxNx64", 0, true},
    {"tcgen05", "SM103MmaMXF4Op", "", "MxNx96", 0, true},
    {"tcgen05", "SM103MmaMXF4NVF4Op", "", "MxNx96", 0, true},
};

bool HasWord(std::string_view words, std::string_view word) {
  for (const std::string_view known : SplitViews(words, ' ')) {
    if (known == word) return true;
  }
  return false;
}

// Reads "16x8x16". Returns three zeros if it is not a shape.
MmaShape ShapeOf(std::string_view text) {
  const std::vector<std::string_view> numbers = SplitViews(text, 'x');
  if (numbers.size() != 3) return {};
  std::array<int64_t, 3> sizes{};
  for (int i = 0; i < 3; ++i) {
    const std::vector<int64_t> number = Integers(numbers[i]);
    if (number.size() != 1) return {};
    sizes[i] = number[0];
  }
  return {sizes[0], sizes[1], sizes[2]};
}

// Returns whether `shapes` contains this shape; M and N match any number.
bool HasShape(std::string_view shapes, const MmaShape& shape) {
  for (const std::string_view known : SplitViews(shapes, ' ')) {
    const std::vector<std::string_view> numbers = SplitViews(known, 'x');
    const std::string m = absl::StrCat(shape.m);
    const std::string n = absl::StrCat(shape.n);
    if ((numbers[0] == "M" || numbers[0] == m) &&
        (numbers[1] == "N" || numbers[1] == n) &&
        numbers[2] == absl::StrCat(shape.k)) {
      return true;
    }
  }
  return false;
}

std::string ShapeText(const MmaShape& shape) {
  return absl::StrCat("(", shape.m, ",", shape.n, ",", shape.k, ")");
}

absl::StatusOr<Atom> AtomOf(const MmaFamily& family, const MmaShape& shape,
                            std::string_view types, std::string_view end) {
  switch (family.rule) {
    case MmaRule::kVolta:
      return VoltaMma(end, StartsWith(types, "F32"));
    case MmaRule::kWarpgroup:
      return WarpgroupMma(shape, StartsWith(end, "SS"), family.a_per_register,
                          StartsWith(types, "S32"));
    case MmaRule::kWarp:
      break;
  }
  Atom atom = WarpMma(shape, family.a_per_register, family.b_per_register);
  if (family.a_per_register == 32 && shape.m == 16 && shape.k == 128) {
    // The only atom that is wrong upstream (both ends).
    atom.parts[0].refusal = absl::StrCat(
        "CuTe's own layout, ((4,8),(32,2)):((512,1),((16,8))), has a stride "
        "that is not nested like its shape; the instruction means ",
        atom.parts[0].layout.ToString());
  }
  return atom;
}

// Returns the position after `_` at which the shape begins in a name; npos if
// it does not have one.
size_t ShapeBegin(std::string_view name) {
  size_t begin = 0;
  while (true) {
    const size_t end = std::min(name.find('_', begin), name.size());
    if (ShapeOf(name.substr(begin, end - begin)).m != 0) return begin;
    if (end == name.size()) return std::string_view::npos;
    begin = end + 1;
  }
}

bool FindTensorMemoryMma(const AtomText& text, absl::StatusOr<Atom>* atom) {
  for (const TensorMemoryFamily& family : kTensorMemoryFamilies) {
    std::string_view end = text.name;
    if (!ConsumePrefix(&end, family.kind) || !ConsumePrefix(&end, "_") ||
        !HasWord(family.ends, end)) {
      continue;
    }
    std::vector<int64_t> sizes;
    bool is_complex = false;
    for (const std::string_view argument : text.arguments) {
      const std::vector<int64_t> integers = Integers(argument);
      if (integers.size() == 1) sizes.push_back(integers[0]);
      is_complex |= StrContains(argument, "complex<");
    }
    if (sizes.size() < 2) {
      *atom =
          InvalidArgumentError(text.name,
                               " needs its template arguments, M and N among "
                               "them: <half_t, half_t, float, 128, 256, ...>");
      return true;
    }
    *atom = TensorMemoryMma(
        {sizes[0], sizes[1], is_complex ? family.k / 2 : family.k},
        StartsWith(end, "2x1SM") ? 2 : 1, family.is_block_scaled);
    if (atom->ok()) (*atom)->source = "mma_traits_sm100.hpp";
    return true;
  }
  return false;
}

}  // namespace

Atom ThreadMma(const MmaShape& shape) {
  return MmaOf(shape, Layout(), OneThread(shape.m * shape.k),
               OneThread(shape.n * shape.k), OneThread(shape.m * shape.n));
}

Atom WarpMma(const MmaShape& shape, int64_t a_per_register,
             int64_t b_per_register) {
  return MmaOf(shape, Threads(32), Fragment(shape.m, shape.k, a_per_register),
               Fragment(shape.n, shape.k, b_per_register),
               Fragment(shape.m, shape.n, 2));
}

absl::StatusOr<Atom> WarpgroupMma(const MmaShape& shape, bool a_is_shared,
                                  int64_t a_per_register, bool of_integers) {
  const int64_t step = of_integers && shape.n > 32 ? 16 : 8;
  if (shape.n < 8 || shape.n > 256 || shape.n % step != 0) {
    return InvalidArgumentError("N is ", shape.n,
                                "; a warpgroup's MMA has a multiple of ", step,
                                step == 16 ? " past 32," : "", " up to 256");
  }
  return MmaOf(shape, Threads(128),
               a_is_shared ? SharedTile(shape.m, shape.k, 128, 1)
                           : Fragment(shape.m, shape.k, a_per_register),
               SharedTile(shape.n, shape.k, 128, 1),
               Fragment(shape.m, shape.n, 2));
}

absl::StatusOr<Atom> TensorMemoryMma(const MmaShape& shape, int64_t ctas,
                                     bool is_block_scaled) {
  const bool has_m =
      shape.m == 128 ||
      (ctas == 1 ? shape.m == 64 && !is_block_scaled : shape.m == 256);
  if (!has_m) {
    return InvalidArgumentError("M is ", shape.m, "; with ", ctas,
                                ctas == 1 ? " CTA" : " CTAs", " it is ",
                                ctas == 2         ? "128 or 256"
                                : is_block_scaled ? "128"
                                                  : "64 or 128");
  }
  const int64_t step = ctas == 1 && (shape.m == 64 || is_block_scaled) ? 8 : 16;
  if (shape.n < step || shape.n > 256 || shape.n % step != 0) {
    return InvalidArgumentError("N is ", shape.n, "; with M = ", shape.m,
                                " and ", ctas, ctas == 1 ? " CTA" : " CTAs",
                                " it is a multiple of ", step, " up to 256");
  }
  return MmaOf(shape, Threads(ctas), SharedTile(shape.m, shape.k, 1, ctas),
               SharedTile(shape.n, shape.k, 1, ctas),
               SharedTile(shape.m, shape.n, 1, ctas));
}

bool FindCppMma(const AtomText& text, absl::StatusOr<Atom>* atom) {
  for (const ThreadAtom& known : kThreadAtoms) {
    if (known.name != text.name) continue;
    *atom = ThreadMma(known.shape);
    (*atom)->source = known.source;
    return true;
  }
  if (FindTensorMemoryMma(text, atom)) return true;
  const size_t begin = ShapeBegin(text.name);
  if (begin == std::string_view::npos || begin == 0) return false;
  std::string_view prefix = text.name.substr(0, begin - 1);
  if (prefix == "MMA") prefix = "SM90";  // SM90::GMMA::MMA_64x...
  const size_t end = text.name.find('_', begin);
  if (end == std::string_view::npos) return false;
  const MmaShape shape = ShapeOf(text.name.substr(begin, end - begin));
  const std::string_view rest = text.name.substr(end + 1);
  for (const MmaFamily& family : kMmaFamilies) {
    if (family.prefix != prefix || !HasShape(family.shapes, shape)) continue;
    for (const std::string_view types : SplitViews(family.types, ' ')) {
      std::string_view ending = rest;
      if (!types.empty() &&
          (!ConsumePrefix(&ending, types) || !ConsumePrefix(&ending, "_"))) {
        continue;
      }
      if (!HasWord(family.ends, ending)) continue;
      *atom = AtomOf(family, shape, types, ending);
      if (atom->ok()) (*atom)->source = family.source;
      return true;
    }
  }
  return false;
}

bool FindDslMma(const AtomText& text, absl::StatusOr<Atom>* atom) {
  if (text.name == "MmaUniversalOp") {
    *atom = ThreadMma({1, 1, 1});
    (*atom)->source = "cutlass.cute.nvgpu";
    return true;
  }
  MmaShape shape;
  std::string_view memory;
  std::string_view group;
  std::vector<std::string_view> types;
  for (const std::string_view argument : text.arguments) {
    const std::vector<int64_t> sizes = Integers(argument);
    const std::string_view name = LastName(argument);
    if (sizes.size() == 2 || sizes.size() == 3) {
      shape = {sizes[0], sizes[1], sizes.size() == 3 ? sizes[2] : 0};
    } else if (name == "SMEM" || name == "RMEM" || name == "TMEM") {
      memory = name;
    } else if (name == "ONE" || name == "TWO") {
      group = name;
    } else if (!name.empty() && name != "K" && name != "MN") {
      types.push_back(name);
    }
  }
  // A name of three modules, without its module.
  std::string_view module = text.qualifier;
  if (module != "warp" && module != "warpgroup" && module != "tcgen05") {
    module = !group.empty()    ? "tcgen05"
             : !memory.empty() ? "warpgroup"
                               : "warp";
  }
  for (const DslMma& known : kDslMmas) {
    if (known.name != text.name || known.module != module) continue;
    const auto refuse = [&](const std::string& why) {
      *atom = InvalidArgumentError(module, ".", text.name, ": ", why);
      return true;
    };
    const std::vector<std::string_view> shapes = SplitViews(known.shapes, ' ');
    const MmaShape first = ShapeOf(shapes[0]);
    if (shape.m == 0 && shapes.size() == 1 && first.m != 0) shape = first;
    if (shape.m == 0) {
      return refuse("expected a shape (M,N,K) among the arguments");
    }
    if (shape.k == 0)
      shape.k = Integers(shapes[0].substr(shapes[0].rfind('x') + 1))[0];
    if (!HasShape(known.shapes, shape)) {
      return refuse(absl::StrCat("the shape ", ShapeText(shape), " is not ",
                                 JoinViews(shapes, " or ")));
    }
    if (!known.types.empty()) {
      if (types.empty()) return refuse("expected the type of A and B");
      if (!HasWord(known.types, types[0])) {
        return refuse(
            StrCat("the type ", types[0], " is not one of ", known.types));
      }
      if (types[0] == "BFloat16" && types.size() > 1 && types[1] != "Float32") {
        return refuse("BFloat16 accumulates in Float32");
      }
    }
    if (module == "warp") {
      *atom = WarpMma(shape, known.per_register, known.per_register);
    } else if (module == "warpgroup") {
      if (memory.empty() || memory == "TMEM") {
        return refuse("expected the source of A, SMEM or RMEM");
      }
      *atom = WarpgroupMma(shape, memory == "SMEM", known.per_register,
                           known.name == "MmaI8Op");
    } else {
      if (group.empty()) return refuse("expected the CTAs, ONE or TWO");
      *atom =
          TensorMemoryMma(shape, group == "TWO" ? 2 : 1, known.is_block_scaled);
    }
    if (!atom->ok()) return refuse(std::string(atom->status().message()));
    (*atom)->source = module == "warp"        ? "cutlass.cute.nvgpu.warp"
                      : module == "warpgroup" ? "cutlass.cute.nvgpu.warpgroup"
                                              : "cutlass.cute.nvgpu.tcgen05";
    return true;
  }
  return false;
}

std::vector<std::string> CppMmaNames(int64_t gmma_columns) {
  std::vector<std::string> names;
  for (const ThreadAtom& known : kThreadAtoms) names.emplace_back(known.name);
  for (const MmaFamily& family : kMmaFamilies) {
    for (const std::string_view shape : SplitViews(family.shapes, ' ')) {
      std::string sizes(shape);
      const size_t columns = sizes.find('N');
      if (columns != std::string::npos) {
        sizes.replace(columns, 1, absl::StrCat(gmma_columns));
      }
      for (const std::string_view types : SplitViews(family.types, ' ')) {
        for (const std::string_view end : SplitViews(family.ends, ' ')) {
          names.push_back(StrCat(family.prefix, "_", sizes, "_", types,
                                 types.empty() ? "" : "_", end));
        }
      }
    }
  }
  for (const TensorMemoryFamily& family : kTensorMemoryFamilies) {
    for (const std::string_view end : SplitViews(family.ends, ' ')) {
      names.push_back(StrCat(family.kind, "_", end));
    }
  }
  return names;
}

std::vector<std::string> DslMmaNames() {
  std::vector<std::string> names = {"MmaUniversalOp"};
  for (const DslMma& known : kDslMmas) names.emplace_back(known.name);
  return names;
}

}  // namespace tessera::cute
