#include "tessera/hlo/dataflow/aliasing_operands.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera::hlo_internal {
namespace {

// Of an instruction with two operands: "1>0" for operand 1 and element 0.
std::string PairsOf(const std::string& backend_config) {
  const HloDump dump = *ParseHlo(
      absl::StrCat("ENTRY e {\n x = f32[8] parameter(0)\n"
                   "ROOT y = (f32[8], f32[8]) sort(x, x), dimensions={0}, "
                   "backend_config=",
                   backend_config, "\n}"));
  std::string pairs;
  for (const AliasingOperand& pair : FindAliasingOperands(
           dump.modules()[0].computations()[0].instructions()[1])) {
    absl::StrAppend(&pairs, pairs.empty() ? "" : " ", pair.operand, ">",
                    pair.output);
  }
  return pairs;
}

TEST(AliasingOperands, AreReadFromTheBackendConfig) {
  struct Case {
    const char* config;
    const char* pairs;
  };
  const Case kCases[] = {
      {R"({"flag_configs":[],"aliasing_operands":{"lists":[]}})", ""},
      {R"({"aliasing_operands":{"lists":[{"indices":["0","2"]}]},"k":"v"})",
       "0>0"},
      {R"({"aliasing_operands":{"lists":[{"indices":["0","2"]},)"
       R"({"indices":["1","3"]}]}})",
       "0>0 1>1"},
      {R"({"aliasing_operands":{"lists":[{"indices":["1","2","3"]}]}})",
       "1>0 1>1"},
      // One of two operands.
      {R"({"aliasing_operands":{"lists":[{"indices":["0","1","2"]}]}})",
       "0>0 1>0"},
      // Operands only, and results only.
      {R"({"aliasing_operands":{"lists":[{"indices":["0","1"]},)"
       R"({"indices":["2","3"]},{"indices":["0","3"]}]}})",
       "0>1"},
      // Not of the compiler's form.
      {R"({"aliasing_operands":{"lists":[{"indices":["-1","2"]}]}})", ""},
      {R"({"aliasing_operands":{"lists":[{"indices":[0,2]}]}})", ""},
      {R"({"aliasing_operands":{"lists":[{"indices":["0","2"]},{}]}})", "0>0"},
      {R"({"aliasing_operands":{"lists":[{"indices":["0",)"
       R"("99999999999999999999"]}]}})",
       ""},
      {R"({"aliasing_operands":{}})", ""},
      {R"({"text":"\"aliasing_operands\":{\"lists\":[{\"indices\":[]}]}"})",
       ""},
      {"{}", ""},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(PairsOf(c.config), c.pairs) << c.config;
}

}  // namespace
}  // namespace tessera::hlo_internal
