// Builds the module model from the calls of ReadHlo. Only for hlo/parse_hlo.h.

#ifndef TESSERA_HLO_MODEL_HLO_BUILDER_H_
#define TESSERA_HLO_MODEL_HLO_BUILDER_H_

#include <array>
#include <atomic>
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
#include "tessera/hlo/reader/diagnostic_maker.h"
#include "tessera/hlo/strict_rules.h"

namespace tessera {
namespace hlo_internal {

class HloBuilder : public HloHandler {
 public:
  // Precondition: `store->text` is set. At most `diagnostic_limit` diagnostics
  // are kept. `progress` is HloParseOptions::progress.
  HloBuilder(int64_t diagnostic_limit,
             const std::function<void(int64_t)>& progress, HloStore* store);

  // The calls are for a piece of `store->text`. A module without a name may
  // have begun before the piece. Calls from that module to computations outside
  // the piece stay unresolved. Reading stops at the first diagnostic, or once
  // `*is_refused`, which says whether another piece has one.
  void set_is_piece(const std::atomic<bool>* is_refused) {
    is_refused_ = is_refused;
  }
  void set_watcher(StrictWatcher* watcher) { watcher_ = watcher; }

  void OnModule(const HloModuleText& module) override;
  void OnFrameTable(std::string_view text) override;
  void OnComputation(const HloComputationText& computation) override;
  void OnInstruction(const HloInstructionText& instruction) override;
  void OnComputationEnd(const HloComputationText& computation,
                        absl::Span<const HloAttribute> attributes) override;
  void OnDiagnostic(const Diagnostic& diagnostic) override;
  bool goes_on() const override {
    return is_refused_ == nullptr ||
           (store_->diagnostic_count == 0 && !*is_refused_);
  }

  // Resolves all open references and sorts the diagnostics.
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

  // A computation whose end has not been read. It is below the computations
  // that are written inline in its instructions. Those wait until the lowest
  // one has ended, so that the instructions of each have consecutive numbers.
  struct OpenComputation {
    uint32_t index;
    Names names;
    std::vector<HloStore::Instruction> waiting;
    // Names that no earlier instruction has.
    std::vector<std::string_view> missing;
    // The computations written inline in the current instruction.
    std::vector<InlineCall> inline_calls;
    bool has_skipped = false;
  };

  void AddOperands(const HloInstructionText& text, OpenComputation* open,
                   HloStore::Instruction* instruction);
  void AddOperand(const HloInstructionText& text, const HloOperandText& operand,
                  OpenComputation* open);
  void AddCalls(const HloInstructionText& text, OpenComputation* open,
                HloStore::Instruction* instruction);
  // `name` is empty for a computation written inline.
  void AddCall(HloCallKind kind, std::string_view name, int64_t computation);
  void ReportMissingNames(const OpenComputation& open);
  // Whether the first computation, which has ended, is one instruction outside
  // any module and computation.
  bool FirstIsOneInstruction() const;
  // Called if more text follows an instruction that seemed to be the whole
  // text.
  void ReportNamesOfFirst();
  // Numbers the waiting instructions of `open`.
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
  // Computations that have ended, but are inside one that has not.
  std::vector<OpenComputation> ended_inline_;
  Names computations_;  // of the module
  Names spare_names_;   // of an ended computation, for reuse
  std::vector<PendingCall> pending_calls_;
  // The computation of the instruction that is the whole text so far.
  std::optional<OpenComputation> first_;
  bool module_has_skipped_ = false;
  const std::atomic<bool>* is_refused_ = nullptr;  // set if this is a piece
  StrictWatcher* watcher_ = nullptr;
  bool is_too_large_ = false;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_HLO_BUILDER_H_
