// Builds the module model from the calls of ReadHlo. Only for hlo/parse_hlo.h.

#ifndef TESSERA_HLO_MODEL_HLO_BUILDER_H_
#define TESSERA_HLO_MODEL_HLO_BUILDER_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/hlo/model/hlo_watcher.h"
#include "tessera/hlo/reader/diagnostic_maker.h"

namespace tessera {
namespace hlo_internal {

class HloBuilder : public HloHandler {
 public:
  // `store->text` is set. At most `diagnostic_limit` diagnostics are kept.
  // `progress` is HloParseOptions::progress.
  HloBuilder(int64_t diagnostic_limit,
             const std::function<void(int64_t)>& progress, HloStore* store);

  // What is read is a piece of `store->text`, and a module without a name may
  // have begun before it: calls from that of computations that the piece does
  // not have stay unresolved.
  void set_is_piece() { is_piece_ = true; }
  void set_watcher(HloWatcher* watcher) { watcher_ = watcher; }

  void OnModule(const HloModuleText& module) override;
  void OnFrameTable(std::string_view text) override;
  void OnComputation(const HloComputationText& computation) override;
  void OnInstruction(const HloInstructionText& instruction) override;
  void OnComputationEnd(const HloComputationText& computation,
                        absl::Span<const HloAttribute> attributes) override;
  void OnDiagnostic(const Diagnostic& diagnostic) override;

  // Resolves what is still open and puts the diagnostics in order.
  void Finish();

  // Whether the text has more of something than the store can count.
  bool is_too_large() const { return is_too_large_; }

 private:
  using Names = TextMap<std::string_view, int32_t>;

  struct PendingCall {
    uint32_t call;
    std::string_view name;
  };

  // A computation written inline, and the attribute whose value it is.
  struct InlineCall {
    const char* key;
    uint32_t computation;
  };

  // A computation whose end has not come. That of an instruction with
  // computations written inline is below theirs; so that the instructions of
  // each have consecutive numbers, those written inline wait until the lowest
  // has ended.
  struct OpenComputation {
    uint32_t index;
    Names names;
    std::vector<HloStore::Instruction> waiting;
    // Names that stood for no instruction before them.
    std::vector<std::string_view> missing;
    // Those written inline in the instruction that is being read.
    std::vector<InlineCall> inline_calls;
    bool has_skipped = false;
  };

  void AddOperands(const HloInstructionText& text, OpenComputation* open,
                   HloStore::Instruction* instruction);
  void AddOperand(const HloInstructionText& text, const HloOperandText& operand,
                  OpenComputation* open);
  void AddCalls(const HloInstructionText& text, OpenComputation* open,
                HloStore::Instruction* instruction);
  void AddNamedCall(HloCallKind kind, std::string_view name);
  void ReportMissingNames(const OpenComputation& open);
  // Whether the first computation, which has ended, is one instruction that
  // stands in no module and no computation.
  bool FirstIsOneInstruction() const;
  // Something follows the instruction that seemed to be all of the text.
  void ReportNamesOfFirst();
  // Gives the waiting instructions of `open` their numbers.
  void Place(OpenComputation* open);
  void FinishModule();
  uint32_t OpcodeIndex(std::string_view opcode);
  int64_t Offset(std::string_view view) const {
    return view.data() - store_->text.data();
  }
  void Report(std::string_view at, const std::string& message);
  void Keep(const Diagnostic& diagnostic);

  const int64_t diagnostic_limit_;
  const std::function<void(int64_t)>& progress_;
  int64_t next_progress_ = 0;  // in bytes of the text
  HloStore* const store_;
  DiagnosticMaker diagnostics_;
  TextMap<std::string_view, uint32_t> opcodes_;
  struct RecentOpcode {
    std::string_view name;
    uint32_t index = 0;
  };
  std::array<RecentOpcode, 64> recent_opcodes_;
  std::vector<OpenComputation> open_;
  // Ended, but written inline in one that has not.
  std::vector<OpenComputation> ended_inline_;
  Names computations_;  // of the module
  Names spare_names_;   // of a computation that has ended, to be used again
  std::vector<PendingCall> pending_calls_;
  // The computation of the instruction that is all of the text so far.
  std::optional<OpenComputation> first_;
  bool module_has_skipped_ = false;
  bool is_piece_ = false;
  HloWatcher* watcher_ = nullptr;
  bool is_too_large_ = false;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_HLO_BUILDER_H_
