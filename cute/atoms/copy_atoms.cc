#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/recast.h"
#include "tessera/cute/atoms/atom_table.h"
#include "tessera/cute/atoms/fragment.h"
#include "tessera/cute/element_type.h"

namespace tessera::cute {
namespace {

enum class Reference : uint8_t { kSource, kDestination };

Atom CopyOf(Layout threads, Layout source, Layout destination,
            Reference reference) {
  Atom atom;
  atom.threads = std::move(threads);
  atom.element_bits = 1;
  Layout same = reference == Reference::kSource ? source : destination;
  atom.parts = {{"Src", std::move(source), ""},
                {"Dst", std::move(destination), ""},
                {"Ref", std::move(same), ""}};
  return atom;
}

Layout CopyThreads(int64_t count) {
  return count == 1 ? Layout() : *Layout::ColumnMajor(count);
}

// Returns `rows` rows of 16 bytes, at the addresses of the first lanes.
Layout RowAddresses(int64_t rows) {
  return ThreadValue({{rows, 128}, {32 / rows, 0}}, {{128, 1}});
}

// Returns the layout of the bits that each lane holds in registers of 32 bits.
// Eight lanes address the rows of an 8 x 8 matrix of 16-bit elements (PTX ISA,
// "ldmatrix").
Layout MatrixRegisters(MatrixForm form, int64_t matrices) {
  switch (form) {
    case MatrixForm::kTransposed16:
      return ThreadValue({{4, 256}, {8, 16}},
                         {{16, 1}, {2, 128}, {matrices, 1024}});
    case MatrixForm::kTransposed8:
      return ThreadValue({{4, 256}, {8, 8}},
                         {{8, 1}, {2, 128}, {2, 64}, {matrices, 1024}});
    case MatrixForm::kTransposed8x2:
      return ThreadValue({{4, 512}, {8, 8}},
                         {{8, 1}, {4, 128}, {2, 64}, {matrices, 2048}});
    case MatrixForm::kPlain:
      break;
  }
  return ThreadValue({{32, 32}}, {{32, 1}, {matrices, 1024}});
}

// A name of C++ with the matrices that it copies
// (include/cute/arch/copy_sm75.hpp, copy_sm90.hpp, copy_sm100.hpp).
struct MatrixCopyName {
  std::string_view name;
  MatrixForm form;
  int matrices;
  CopyDirection direction;
  std::string_view source;
};

constexpr MatrixForm kPlain = MatrixForm::kPlain;
constexpr MatrixForm k16 = MatrixForm::kTransposed16;
constexpr MatrixForm k8 = MatrixForm::kTransposed8;
constexpr CopyDirection kLoad = CopyDirection::kLoad;
constexpr CopyDirection kStore = CopyDirection::kStore;
constexpr std::string_view kSm75 = "copy_traits_sm75.hpp";
constexpr std::string_view kSm90 = "copy_traits_sm90.hpp";
constexpr std::string_view kSm100 = "copy_traits_sm100.hpp";

constexpr MatrixCopyName kMatrixCopies[] = {
    {"SM75_U32x1_LDSM_N", kPlain, 1, kLoad, kSm75},
    {"SM75_U32x2_LDSM_N", kPlain, 2, kLoad, kSm75},
    {"SM75_U32x4_LDSM_N", kPlain, 4, kLoad, kSm75},
    {"SM75_U16x2_LDSM_T", k16, 1, kLoad, kSm75},
    {"SM75_U16x4_LDSM_T", k16, 2, kLoad, kSm75},
    {"SM75_U16x8_LDSM_T", k16, 4, kLoad, kSm75},
    {"SM90_U32x1_STSM_N", kPlain, 1, kStore, kSm90},
    {"SM90_U32x2_STSM_N", kPlain, 2, kStore, kSm90},
    {"SM90_U32x4_STSM_N", kPlain, 4, kStore, kSm90},
    {"SM90_U16x2_STSM_T", k16, 1, kStore, kSm90},
    {"SM90_U16x4_STSM_T", k16, 2, kStore, kSm90},
    {"SM90_U16x8_STSM_T", k16, 4, kStore, kSm90},
    {"SM100_U8x8_LDSM_T", k8, 2, kLoad, kSm100},
    {"SM100_U8x16_LDSM_T", k8, 4, kLoad, kSm100},
    {"SM100_SU4_DU8x16_x1_LDSM_N", kPlain, 1, kLoad, kSm100},
    {"SM100_SU4_DU8x16_x2_LDSM_N", kPlain, 2, kLoad, kSm100},
    {"SM100_SU4_DU8x16_x4_LDSM_N", kPlain, 4, kLoad, kSm100},
    {"SM100_SU6_DU8x16_x1_LDSM_N", kPlain, 1, kLoad, kSm100},
    {"SM100_SU6_DU8x16_x2_LDSM_N", kPlain, 2, kLoad, kSm100},
    {"SM100_SU6_DU8x16_x4_LDSM_N", kPlain, 4, kLoad, kSm100},
    {"SM100_U8x4_STSM_T", k8, 1, kStore, kSm100},
    {"SM100_U8x8_STSM_T", k8, 2, kStore, kSm100},
    {"SM100_U8x16_STSM_T", k8, 4, kStore, kSm100},
};

// A copy between tensor memory and registers: the bits of a repetition in 16 or
// 32 lanes of tensor memory, and the most repetitions (PTX ISA, "tcgen05.ld").
struct TensorMemoryForm {
  std::string_view name;  // as in SM100_TMEM_LOAD_16dp256b4x
  std::string_view dsl;   // as in Ld16x256bOp
  int bits;
  int most;
};

constexpr TensorMemoryForm kTensorMemoryForms[] = {
    {"16dp256b", "16x256b", 4096, 32}, {"16dp128b", "16x128b", 2048, 64},
    {"16dp64b", "16x64b", 1024, 128},  {"16dp32b", "16x32bx2", 1024, 128},
    {"32dp32b", "32x32b", 1024, 128},
};

// A copy from shared to tensor memory; both of two CTAs read the same (PTX ISA,
// "tcgen05.cp").
struct SharedToTensorMemoryForm {
  std::string_view name;  // as in SM100_UTCCP_128dp256bit_1cta
  std::string_view dsl;   // as in Cp128x256bOp
};

constexpr SharedToTensorMemoryForm kSharedToTensorMemoryForms[] = {
    {"128dp256bit", "128x256b"},
    {"128dp128bit", "128x128b"},
    {"4dp256bit", "4x256b"},
    {"4x32dp128bit", "4x32x128b"},
    {"2x64dp128bitlw0213", "2x64x128b0213"},
    {"2x64dp128bitlw0123", "2x64x128b0123"},
};

struct DslMatrixCopy {
  std::string_view name;
  MatrixForm form;
  MatrixForm transposed;
  int bits;                   // of an element
  std::string_view matrices;  // how many there may be
  CopyDirection direction;
};

constexpr DslMatrixCopy kDslMatrixCopies[] = {
    {"LdMatrix8x8x16bOp", kPlain, k16, 16, "1 2 4", kLoad},
    {"LdMatrix8x16x8bOp", kPlain, kPlain, 8, "1 2 4", kLoad},
    {"LdMatrix16x8x8bOp", k8, k8, 8, "2 4", kLoad},
    {"LdMatrix16x16x8bOp", MatrixForm::kTransposed8x2,
     MatrixForm::kTransposed8x2, 8, "1 2", kLoad},
    {"StMatrix8x8x16bOp", kPlain, k16, 16, "1 2 4", kStore},
    {"StMatrix16x8x8bOp", k8, k8, 8, "1 2 4", kStore},
};

// Copies whose width is that of their type.
constexpr std::string_view kTypedCopies[] = {
    "UniversalCopy", "SM80_CP_ASYNC_CACHEALWAYS", "SM80_CP_ASYNC_CACHEGLOBAL",
    "SM80_CP_ASYNC_CACHEALWAYS_ZFILL", "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL"};

// Copies of one width, or of any.
struct WideCopy {
  std::string_view name;
  int bits;
  std::string_view source;
};

constexpr WideCopy kWideCopies[] = {
    {"SM100_LOAD_256bit_CACHE_NOALLOCATION", 256, kSm100},
    {"SM100_STORE_256bit_CACHE_NOALLOCATION", 256, kSm100},
    {"AutoVectorizingCopyWithAssumedAlignment", 1, "copy_traits.hpp"},
    {"AutoVectorizingCopy", 1, "copy_traits.hpp"},
    {"DefaultCopy", 1, "copy_traits.hpp"},
};

// Between the lanes of a warp (copy_sm50.hpp, copy_sm75.hpp).
constexpr std::string_view kShuffles[] = {"SM50_Shuffle_U32_2x2Trans_XOR1",
                                          "SM50_Shuffle_U32_2x2Trans_XOR4",
                                          "SM75_U32x1_MOVM_T"};

Atom ShuffleOf(std::string_view name) {
  Layout from = ThreadValue({{32, 64}}, {{64, 1}});
  if (EndsWith(name, "XOR1")) {
    return CopyOf(CopyThreads(32), from,
                  ThreadValue({{2, 32}, {16, 128}}, {{32, 1}, {2, 64}}),
                  Reference::kSource);
  }
  if (EndsWith(name, "XOR4")) {
    return CopyOf(
        CopyThreads(32), from,
        ThreadValue({{4, 64}, {2, 32}, {4, 512}}, {{32, 1}, {2, 256}}),
        Reference::kSource);
  }
  from = ThreadValue({{32, 32}}, {{32, 1}});
  return CopyOf(CopyThreads(32), from, from, Reference::kSource);
}

// SM100_TMEM_LOAD_16dp256b4x_16b, SM100_TMEM_LOAD_STAT_32dp32b32x.
bool FindTensorMemoryCopy(std::string_view name, absl::StatusOr<Atom>* atom) {
  if (!ConsumePrefix(&name, "SM100_TMEM_")) return false;
  const bool is_load = ConsumePrefix(&name, "LOAD_");
  if (!is_load && !ConsumePrefix(&name, "STORE_")) return false;
  const bool is_reduction = is_load && ConsumePrefix(&name, "STAT_");
  // Two elements of 16 bits in a register: the bits are the same.
  if (!is_reduction) ConsumeSuffix(&name, "_16b");
  for (const TensorMemoryForm& form : kTensorMemoryForms) {
    std::string_view repeats = name;
    if (!ConsumePrefix(&repeats, form.name) || !ConsumeSuffix(&repeats, "x")) {
      continue;
    }
    const std::vector<int64_t> count = Integers(repeats);
    if (count.size() != 1) return false;
    if (is_reduction &&
        (form.name != "32dp32b" || (count[0] != 32 && count[0] != 128))) {
      return false;
    }
    *atom = TensorMemoryCopy(form.name, count[0], is_load ? kLoad : kStore);
    return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<Atom> CopyInElements(Atom atom, int64_t bits) {
  if (bits < 1) {
    return InvalidArgumentError("an element has at least 1 bit, not ", bits);
  }
  for (AtomPart& part : atom.parts) {
    TESSERA_ASSIGN_OR_RETURN(part.layout,
                             Recast(part.layout, atom.element_bits, bits));
  }
  atom.element_bits = bits;
  return atom;
}

Atom MatrixCopy(MatrixForm form, int64_t matrices, CopyDirection direction) {
  Layout registers = MatrixRegisters(form, matrices);
  Layout rows = RowAddresses(8 * matrices);
  if (form == MatrixForm::kTransposed8x2) rows = RowAddresses(16 * matrices);
  if (form == MatrixForm::kTransposed8 && direction == kLoad) {
    // The addresses of a 16 x 16 matrix whose halves alternate.
    rows = ThreadValue(
        {{2, 128}, {2, 1024}, {4, 256}, {2, matrices == 4 ? 2048 : 0}},
        {{128, 1}});
  }
  return direction == kLoad
             ? CopyOf(CopyThreads(32), std::move(rows), std::move(registers),
                      Reference::kDestination)
             : CopyOf(CopyThreads(32), std::move(registers), std::move(rows),
                      Reference::kSource);
}

absl::StatusOr<Atom> TensorMemoryCopy(std::string_view form, int64_t repeats,
                                      CopyDirection direction) {
  const TensorMemoryForm* known = nullptr;
  for (const TensorMemoryForm& each : kTensorMemoryForms) {
    if (each.name == form || each.dsl == form) known = &each;
  }
  if (known == nullptr || repeats < 1 || repeats > known->most ||
      (repeats & (repeats - 1)) != 0) {
    return InvalidArgumentError("the repetitions are ", repeats, "; ", form,
                                " allows a power of two up to ",
                                known == nullptr ? 0 : known->most);
  }
  const int64_t x = repeats;
  Layout registers;
  if (known->name == "16dp256b") {
    registers = ThreadValue({{4, 64}, {8, 256 * x}},
                            {{64, 1}, {2, 2048 * x}, {x, 256}});
  } else if (known->name == "16dp128b") {
    registers = ThreadValue({{4, 32}, {8, 128 * x}},
                            {{32, 1}, {2, 1024 * x}, {x, 128}});
  } else if (known->name == "16dp64b") {
    registers =
        ThreadValue({{2, 512 * x}, {2, 32}, {8, 64 * x}}, {{32, 1}, {x, 64}});
  } else if (known->name == "16dp32b") {
    registers = ThreadValue({{16, 64 * x}, {2, 32 * x}}, {{32 * x, 1}});
  } else {
    registers = ThreadValue({{32, 32 * x}}, {{32 * x, 1}});
  }
  // Every lane addresses all of tensor memory.
  Layout memory = ThreadValue({{32, 0}}, {{known->bits * x, 1}});
  Atom atom = direction == kLoad
                  ? CopyOf(CopyThreads(32), std::move(memory),
                           std::move(registers), Reference::kSource)
                  : CopyOf(CopyThreads(32), std::move(registers),
                           std::move(memory), Reference::kDestination);
  atom.source = kSm100;
  return atom;
}

absl::StatusOr<Atom> SharedToTensorMemoryCopy(std::string_view form,
                                              int64_t ctas) {
  const FragmentMode cta = {ctas, 0};
  Layout from;
  Layout to = ThreadValue({cta}, {{16384, 1}});
  if (form == "128dp256bit" || form == "128x256b") {
    from = to = ThreadValue({cta}, {{32768, 1}});
  } else if (form == "128dp128bit" || form == "128x128b") {
    from = to;
  } else if (form == "4dp256bit" || form == "4x256b") {
    from = to = ThreadValue({cta}, {{4, 32}, {256, 128}});
  } else if (form == "4x32dp128bit" || form == "4x32x128b") {
    from = ThreadValue({cta}, {{32, 1}, {128, 32}, {4, 0}});
  } else if (form == "2x64dp128bitlw0213" || form == "2x64x128b0213") {
    from = ThreadValue({cta}, {{64, 1}, {128, 64}, {2, 0}});
  } else if (form == "2x64dp128bitlw0123" || form == "2x64x128b0123") {
    from = ThreadValue({cta}, {{32, 1}, {128, 32}, {2, 4096}, {2, 0}});
  } else {
    return InvalidArgumentError("tcgen05.cp has no form ", form);
  }
  Atom atom = CopyOf(CopyThreads(ctas), std::move(from), std::move(to),
                     Reference::kDestination);
  atom.source = kSm100;
  return atom;
}

Atom ThreadCopy(int64_t bits) {
  const Layout all = ThreadValue({}, {{bits, 1}});
  return CopyOf(Layout(), all, all, Reference::kSource);
}

bool FindCppCopy(const AtomText& text, absl::StatusOr<Atom>* atom) {
  const std::string_view name = text.name;
  for (const MatrixCopyName& known : kMatrixCopies) {
    if (known.name != name) continue;
    *atom = MatrixCopy(known.form, known.matrices, known.direction);
    (*atom)->source = known.source;
    return true;
  }
  for (const std::string_view known : kShuffles) {
    if (known != name) continue;
    *atom = ShuffleOf(name);
    (*atom)->source = StartsWith(name, "SM50") ? "copy_traits_sm50.hpp" : kSm75;
    return true;
  }
  for (const WideCopy& known : kWideCopies) {
    if (known.name != name) continue;
    *atom = ThreadCopy(known.bits);
    (*atom)->source = known.source;
    return true;
  }
  for (const std::string_view known : kTypedCopies) {
    if (known != name) continue;
    const std::optional<int64_t> bits =
        text.arguments.empty() ? std::nullopt
                               : ElementTypeBits(LastName(text.arguments[0]));
    if (!bits.has_value()) {
      *atom = InvalidArgumentError(
          name, " needs a type whose size is known: ", name, "<uint128_t>");
      return true;
    }
    *atom = ThreadCopy(*bits);
    (*atom)->source =
        StartsWith(name, "SM80") ? "copy_traits_sm80.hpp" : "copy_traits.hpp";
    return true;
  }
  if (FindTensorMemoryCopy(name, atom)) return true;
  std::string_view form = name;
  if (!ConsumePrefix(&form, "SM100_UTCCP_")) return false;
  const bool is_of_two = ConsumeSuffix(&form, "_2cta");
  if (!is_of_two && !ConsumeSuffix(&form, "_1cta")) return false;
  for (const SharedToTensorMemoryForm& known : kSharedToTensorMemoryForms) {
    if (known.name != form) continue;
    *atom = SharedToTensorMemoryCopy(form, is_of_two ? 2 : 1);
    return true;
  }
  return false;
}

bool FindDslCopy(const AtomText& text, absl::StatusOr<Atom>* atom) {
  const auto refuse = [&](std::string_view why) {
    *atom = InvalidArgumentError(text.name, ": ", why);
    return true;
  };
  std::vector<int64_t> integers;
  bool is_transposed = false;
  bool is_of_two = false;
  std::optional<int64_t> element_bits;
  for (const std::string_view argument : text.arguments) {
    const std::vector<int64_t> number = Integers(argument);
    const std::string_view last = LastName(argument);
    is_transposed |= last == "True";
    is_of_two |= last == "TWO";
    if (number.size() == 1) {
      integers.push_back(number[0]);
    } else if (StartsWith(argument, "Repetition(") ||
               StrContains(argument, ".Repetition(")) {
      const std::vector<int64_t> inner =
          Integers(argument.substr(argument.find('(')));
      if (inner.size() == 1) integers.push_back(inner[0]);
    } else if (!element_bits.has_value()) {
      element_bits = ElementTypeBits(last);
    }
  }
  const auto finish = [&](Atom bits_of, int64_t bits, std::string_view source) {
    // The DSL does not have a reference layout.
    bits_of.parts.pop_back();
    *atom = CopyInElements(std::move(bits_of), element_bits.value_or(bits));
    if (atom->ok()) (*atom)->source = source;
    return true;
  };
  const int64_t count = integers.empty() ? 1 : integers[0];
  for (const DslMatrixCopy& known : kDslMatrixCopies) {
    if (known.name != text.name) continue;
    bool is_known = false;
    for (const std::string_view matrices : SplitViews(known.matrices, ' ')) {
      is_known |= matrices == absl::StrCat(count);
    }
    if (!is_known) {
      return refuse(StrCat("the number of matrices is ", count, ", not one of ",
                           known.matrices));
    }
    return finish(MatrixCopy(is_transposed ? known.transposed : known.form,
                             count, known.direction),
                  known.bits, "cutlass.cute.nvgpu.warp");
  }
  if (text.name == "CopyUniversalOp" || text.name == "CopyG2SOp" ||
      text.name == "CopyG2ROp" || text.name == "CopyR2GOp" ||
      text.name == "CopyS2ROp" || text.name == "CopyR2SOp") {
    const bool is_universal = text.name == "CopyUniversalOp";
    if (!element_bits.has_value()) {
      return refuse(
          "expected the type of its elements, as in "
          "make_copy_atom(CopyUniversalOp(), Float16)");
    }
    if (integers.empty() && !is_universal) {
      return refuse(
          "expected the number of bits to copy, "
          "num_bits_per_copy=128");
    }
    // One element, if there is no number of bits.
    const int64_t bits = integers.empty() ? *element_bits : integers[0];
    if (bits < *element_bits || bits % *element_bits != 0) {
      return refuse(absl::StrCat(bits, " bits are not a multiple of the ",
                                 *element_bits, " of an element"));
    }
    return finish(ThreadCopy(bits), *element_bits, "cutlass.cute.nvgpu");
  }
  std::string_view form = text.name;
  if (!ConsumeSuffix(&form, "Op")) return false;
  const bool is_reduction = ConsumePrefix(&form, "LdRed");
  const bool is_load = is_reduction || ConsumePrefix(&form, "Ld");
  if (is_load || ConsumePrefix(&form, "St")) {
    for (const TensorMemoryForm& known : kTensorMemoryForms) {
      if (known.dsl != form) continue;
      if (is_reduction && !EndsWith(known.name, "32b")) return false;
      if (is_reduction && count == 1) {
        return refuse("the repetitions are 1; a reduction has 2 or more");
      }
      absl::StatusOr<Atom> bits =
          TensorMemoryCopy(form, count, is_load ? kLoad : kStore);
      if (!bits.ok()) {
        *atom = bits.status();
        return true;
      }
      return finish(*std::move(bits), 32, "cutlass.cute.nvgpu.tcgen05");
    }
    return false;
  }
  if (!ConsumePrefix(&form, "Cp")) return false;
  absl::StatusOr<Atom> bits = SharedToTensorMemoryCopy(form, is_of_two ? 2 : 1);
  return bits.ok() &&
         finish(*std::move(bits), 32, "cutlass.cute.nvgpu.tcgen05");
}

std::vector<std::string> CppCopyNames() {
  std::vector<std::string> names;
  for (const MatrixCopyName& known : kMatrixCopies) {
    names.emplace_back(known.name);
  }
  for (const std::string_view known : kShuffles) names.emplace_back(known);
  for (const WideCopy& known : kWideCopies) names.emplace_back(known.name);
  for (const std::string_view known : kTypedCopies) names.emplace_back(known);
  for (const TensorMemoryForm& form : kTensorMemoryForms) {
    for (int repeats = 1; repeats <= form.most; repeats *= 2) {
      for (const char* kind : {"LOAD", "STORE"}) {
        const std::string name =
            StrCat("SM100_TMEM_", kind, "_", form.name, repeats, "x");
        names.push_back(name);
        names.push_back(name + "_16b");
      }
    }
  }
  for (const char* repeats : {"32x", "128x"}) {
    names.push_back(absl::StrCat("SM100_TMEM_LOAD_STAT_32dp32b", repeats));
  }
  for (const SharedToTensorMemoryForm& form : kSharedToTensorMemoryForms) {
    for (const char* ctas : {"_1cta", "_2cta"}) {
      names.push_back(StrCat("SM100_UTCCP_", form.name, ctas));
    }
  }
  return names;
}

std::vector<std::string> DslCopyNames() {
  std::vector<std::string> names;
  for (const DslMatrixCopy& known : kDslMatrixCopies) {
    names.emplace_back(known.name);
  }
  for (const char* known : {"CopyUniversalOp", "CopyG2SOp", "CopyG2ROp",
                            "CopyR2GOp", "CopyS2ROp", "CopyR2SOp"}) {
    names.emplace_back(known);
  }
  for (const TensorMemoryForm& form : kTensorMemoryForms) {
    names.push_back(StrCat("Ld", form.dsl, "Op"));
    names.push_back(StrCat("St", form.dsl, "Op"));
    if (EndsWith(form.name, "32b")) {
      names.push_back(StrCat("LdRed", form.dsl, "Op"));
    }
  }
  for (const SharedToTensorMemoryForm& form : kSharedToTensorMemoryForms) {
    names.push_back(StrCat("Cp", form.dsl, "Op"));
  }
  return names;
}

}  // namespace tessera::cute
