#include "tessera/cute/atoms/atom.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/layout_function.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Part(std::string_view name, std::string_view part) {
  const absl::StatusOr<Atom> atom = FindAtom(name);
  if (!atom.ok()) return std::string(atom.status().message());
  const absl::StatusOr<Layout> layout = LayoutOf(*atom, part);
  return layout.ok() ? layout->ToString()
                     : std::string(layout.status().message());
}

std::string Refusal(std::string_view name) {
  return std::string(FindAtom(name).status().message());
}

// The first (thread, value) at which the two have other places; "" if none.
std::string Difference(const Layout& ours, const Layout& theirs) {
  if (ours == theirs) return "";
  if (ours.rank() != 2 || ours.Mode(0).size() != theirs.Mode(0).size() ||
      ours.size() != theirs.size()) {
    return absl::StrCat(ours.ToString(), " has other sizes than ",
                        theirs.ToString());
  }
  const LayoutFunction f(ours);
  const LayoutFunction g(theirs);
  for (int64_t i = 0; i < ours.size(); ++i) {
    if (f(i) != g(i)) {
      return absl::StrCat(ours.ToString(), " differs from ", theirs.ToString(),
                          " at ", i);
    }
  }
  return "";
}

// The place in the tile that no thread has, or -1.
int64_t Uncovered(const Layout& all, int64_t tile) {
  // What all threads have in common, they have once.
  const Layout layout = FilterZeros(all);
  std::vector<bool> is_covered(tile);
  const LayoutFunction f(layout);
  for (int64_t i = 0; i < layout.size(); ++i) {
    if (f(i) >= tile) return f(i);
    is_covered[f(i)] = true;
  }
  for (int64_t i = 0; i < tile; ++i) {
    if (!is_covered[i]) return i;
  }
  return -1;
}

// What C++ prints and the DSL traces (data/README.md says how): all rows, as
// functions.
TEST(Atoms, AreThoseOfCppAndOfTheDsl) {
  const absl::StatusOr<FileBytes> file =
      FileBytes::Open("tests/cute/data/atoms.tsv.gz");
  ASSERT_THAT(file, IsOk());
  std::map<std::string, int> rows;
  for (const std::string_view row :
       SplitViews(file->text(), '\n', absl::SkipEmpty())) {
    const std::vector<std::string_view> cells = SplitViews(row, '\t');
    ASSERT_GE(cells.size(), 3) << row;
    const std::string_view kind = cells[1];
    const absl::StatusOr<Atom> atom = FindAtom(cells[2]);
    ++rows[absl::StrCat(AbslView(cells[0]), " ", AbslView(kind))];
    if (kind == "refused") {
      EXPECT_FALSE(atom.ok()) << row;
      continue;
    }
    ASSERT_THAT(atom, IsOk()) << row;
    EXPECT_EQ(atom->threads.ToString(), cells[3]) << row;
    const bool is_mma = kind == "mma";
    if (is_mma) {
      EXPECT_EQ(atom->shape->ToString(), cells[4]) << row;
    } else {
      EXPECT_EQ(absl::StrCat(atom->element_bits, "b"), cells[4]) << row;
    }
    ASSERT_EQ(atom->parts.size(), cells.size() - 5) << row;
    for (size_t i = 0; i < atom->parts.size(); ++i) {
      const AtomPart& part = atom->parts[i];
      const absl::StatusOr<Layout> theirs = ParseLayout(cells[5 + i]);
      // Upstream has a stride that no layout has, where we refuse.
      EXPECT_EQ(theirs.ok(), part.refusal.empty()) << row;
      if (theirs.ok()) {
        EXPECT_EQ(Difference(part.layout, *theirs), "") << row;
      }
      if (is_mma) {
        const IntTuple shape = *atom->shape;
        const int64_t m = shape.Mode(0).value();
        const int64_t n = shape.Mode(1).value();
        const int64_t k = shape.Mode(2).value();
        const int64_t tile = i == 0 ? m * k : i == 1 ? n * k : m * n;
        EXPECT_EQ(Uncovered(part.layout, tile), -1) << row;
      }
    }
  }
  EXPECT_EQ(rows["cpp mma"], 2438);
  EXPECT_EQ(rows["cpp copy"], 199);
  EXPECT_EQ(rows["dsl mma"], 599);
  EXPECT_EQ(rows["dsl copy"], 148);
  EXPECT_EQ(rows["dsl refused"], 254);
}

TEST(Atoms, AreFoundUnderAllTheirNames) {
  const std::string c = "((4,8),(2,2)):((32,1),(16,8))";
  for (const char* name :
       {"SM80_16x8x16_F32F16F16F32_TN", "cute::SM80_16x8x16_F32F16F16F32_TN{}",
        "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>",
        "cute::MMA_Atom<cute::MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>>{}",
        "warp.MmaF16BF16Op(Float16,Float32,(16,8,16))",
        "cute.nvgpu.warp.MmaF16BF16Op(ab_dtype=cutlass.Float16, "
        "acc_dtype=cutlass.Float32, shape_mnk=(16, 8, 16))",
        "MmaF16BF16Op(Float16, Float32, (16, 8, 16))",
        "cute.make_mma_atom(warp.MmaF16BF16Op(Float16,Float32,(16,8,16)))"}) {
    for (const char* part : {"C", "CLayout", "LayoutC_TV", "tv_layout_C"}) {
      EXPECT_EQ(Part(name, part), c) << name;
    }
    EXPECT_EQ(FindAtom(name)->shape->ToString(), "(16,8,16)") << name;
    EXPECT_EQ(FindAtom(name)->name, name);
  }
  for (const char* name :
       {"SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>",
        "SM90::GMMA::MMA_64x128x16_F32F16F16_SS<>",
        "warpgroup.MmaF16BF16Op(Float16,Float32,(64,128),SMEM,K,MN)",
        "MmaF16BF16Op(Float16, Float32, (64, 128, 16), "
        "warpgroup.OperandSource.SMEM, OperandMajorMode.K, "
        "OperandMajorMode.MN)"}) {
    EXPECT_EQ(Part(name, "A"), "(128,(64,16)):(0,(1,64))") << name;
    EXPECT_EQ(Part(name, "B"), "(128,(128,16)):(0,(1,128))") << name;
  }
  EXPECT_EQ(Part("SM100_MMA_F16BF16_SS<cutlass::complex<half_t>, half_t, "
                 "float, 64, 8, UMMA::Major::K, UMMA::Major::K>",
                 "A"),
            "(1,(64,8)):(0,(1,64))");
}

TEST(Atoms, CopiesCountBitsOrElements) {
  EXPECT_EQ(Part("SM75_U16x4_LDSM_T", "Dst"),
            "((4,8),(16,2,2)):((256,16),(1,128,1024))");
  EXPECT_EQ(Part("Copy_Atom<SM75_U16x4_LDSM_T, half_t>", "Dst"),
            "((4,8),(1,2,2)):((16,1),(1,8,64))");
  EXPECT_EQ(Part("Copy_Atom<Copy_Traits<SM75_U32x4_LDSM_N>, float>", "Src"),
            "(32,4):(4,1)");
  EXPECT_EQ(
      Part("warp.LdMatrix8x8x16bOp(transpose=True, num_matrices=2)", "Dst"),
      "((4,8),(1,2,2)):((16,1),(1,8,64))");
  EXPECT_EQ(Part("cute.make_copy_atom(tcgen05.Ld32x32bOp("
                 "tcgen05.Repetition(8)), cutlass.BFloat16)",
                 "Dst"),
            "(32,16):(16,1)");
  EXPECT_EQ(Part("UniversalCopy<cute::uint128_t>", "Ref"), "(1,128):(0,1)");
  EXPECT_EQ(Part("cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), "
                 "cutlass.Float16, num_bits_per_copy=64)",
                 "Src"),
            "(1,4):(0,1)");
  EXPECT_EQ(FindAtom("SM75_U16x4_LDSM_T")->element_bits, 1);
  EXPECT_EQ(FindAtom("Copy_Atom<SM75_U16x4_LDSM_T, half_t>")->element_bits, 16);
}

TEST(Atoms, SayWhatIsWrong) {
  EXPECT_EQ(Refusal("SM80_16x8x16_F32F16F16F33_TN"),
            "no atom 'SM80_16x8x16_F32F16F16F33_TN' is in the table; did you "
            "mean SM80_16x8x16_F32F16F16F32_TN, "
            "SM80_16x8x16_F32BF16BF16F32_TN, SM80_16x8x8_F32F16F16F32_TN");
  EXPECT_EQ(Refusal("SM90_64x264x16_F16F16F16_SS<>"),
            "N is 264; a warpgroup's MMA has a multiple of 8 up to 256");
  EXPECT_EQ(Refusal("SM90_64x40x32_S32S8S8_SS_TN"),
            "N is 40; a warpgroup's MMA has a multiple of 16 past 32, up to "
            "256");
  EXPECT_EQ(Refusal("SM100_MMA_F16BF16_SS"),
            "SM100_MMA_F16BF16_SS needs its template arguments, M and N among "
            "them: <half_t, half_t, float, 128, 256, ...>");
  EXPECT_EQ(Refusal("SM100_MMA_TF32_SS<tfloat32_t,tfloat32_t,float,256,64>"),
            "M is 256; with 1 CTA it is 64 or 128");
  EXPECT_EQ(Refusal("tcgen05.MmaF16BF16Op(Float16,Float32,(128,24,16),ONE,"
                    "SMEM,K,K)"),
            "tcgen05.MmaF16BF16Op: N is 24; with M = 128 and 1 CTA it is a "
            "multiple of 16 up to 256");
  EXPECT_EQ(Refusal("warp.MmaF16BF16Op(Float16,Float32,(16,8,32))"),
            "warp.MmaF16BF16Op: the shape (16,8,32) is not 16x8x16 or 16x8x8");
  EXPECT_EQ(Refusal("warp.MmaF16BF16Op(Float32,Float32,(16,8,16))"),
            "warp.MmaF16BF16Op: the type Float32 is not one of Float16 "
            "BFloat16");
  EXPECT_EQ(Refusal("warp.MmaF16BF16Op"),
            "warp.MmaF16BF16Op: expected a shape (M,N,K) among the arguments");
  EXPECT_EQ(Refusal("UniversalCopy<T>"),
            "UniversalCopy needs a type whose size is known: "
            "UniversalCopy<uint128_t>");
  EXPECT_EQ(Refusal("tcgen05.Ld16x256bOp(x64)"),
            "the repetitions are 64; 16x256b allows a power of two up to 32");
  EXPECT_EQ(Refusal("MMA_Atom"),
            "'MMA_Atom' needs the name of an operation: "
            "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>");
  EXPECT_EQ(Refusal("(4,8):(8,1)"), "'(4,8):(8,1)' is not the name of an atom");
  EXPECT_EQ(Refusal(""), "'' is not the name of an atom");
  EXPECT_EQ(Refusal("SM90_TMA_LOAD"),
            "'SM90_TMA_LOAD': a bulk copy's layout depends on its tensor; "
            "print the atom that make_tma_copy returns");
  EXPECT_EQ(Refusal("CDNA_32x32x8_F32F16F16_MFMA"),
            "'CDNA_32x32x8_F32F16F16_MFMA': atoms of AMD are not in the table");
  EXPECT_EQ(Part("SM61_DP4A", "Src"),
            "'Src' is not a layout of SM61_DP4A, which has Thr, A, B, C");
}

// A stride ((16,8)) where the shape is (32,2).
TEST(Atoms, FaultyLayoutsOfCuteAreRefused) {
  for (const char* name : {"SM80_16x8x128_S32U1U1S32_TN_XORPOPC",
                           "SM80_16x8x128_S32U1U1S32_TN_ANDPOPC"}) {
    EXPECT_EQ(Part(name, "A"),
              "CuTe's own layout, ((4,8),(32,2)):((512,1),((16,8))), has a "
              "stride that is not nested like its shape; the instruction "
              "means ((4,8),(32,2)):((512,1),(16,8))");
    EXPECT_EQ(Part(name, "B"), "((4,8),32):((256,1),8)");
    EXPECT_THAT(FindAtom(name)->ToString(), HasSubstr("\nA: refused: CuTe's"));
  }
}

TEST(Atoms, LengthOfAName) {
  EXPECT_EQ(AtomNameLength("SM61_DP4A.A"), 9);
  EXPECT_EQ(AtomNameLength("cute::SM61_DP4A{} o 4"), 17);
  EXPECT_EQ(AtomNameLength("warp.MmaTF32Op((16,8,4)).C"), 24);
  // The bracket is not closed, and belongs to what comes next.
  EXPECT_EQ(AtomNameLength("SM120_16x8x32_TN<float_e4m3_t"), 16);
  EXPECT_EQ(AtomNameLength("coalesce(SM61_DP4A.A)"), 0);
  EXPECT_EQ(AtomNameLength("GMMA::Layout_K_SW128_Atom<half_t>"), 0);
  EXPECT_EQ(AtomNameLength(""), 0);
}

TEST(Atoms, Nearest) {
  EXPECT_THAT(NearestAtoms("SM61_DP4"), ElementsAre("SM61_DP4A", "SM61_DP2A"));
  EXPECT_THAT(
      NearestAtoms("SM90_64x32x16_F16F16F16_S"),
      ElementsAre("SM90_64x32x16_F16F16F16_RS", "SM90_64x32x16_F16F16F16_SS",
                  "SM90_64x32x16_F32F16F16_RS"));
  // The beginning of names.
  EXPECT_THAT(NearestAtoms("SM90_U32x"),
              ElementsAre("SM90_U32x1_STSM_N", "SM90_U32x2_STSM_N",
                          "SM90_U32x4_STSM_N"));
  EXPECT_EQ(NearestAtoms("SM80_16x8x16").size(), 3);
  EXPECT_THAT(NearestAtoms("wholly_other"), ElementsAre());
  EXPECT_THAT(NearestAtoms(""), ElementsAre());
}

}  // namespace
}  // namespace tessera::cute
