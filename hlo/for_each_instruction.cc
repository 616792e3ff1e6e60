#include "tessera/hlo/for_each_instruction.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tessera/hlo/byte_source.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/window_reader.h"

namespace tessera {
namespace {

// Tells the visitor, until it has enough, and whoever else listens.
class Forwarder : public HloHandler {
 public:
  Forwarder(HloInstructionVisitor visit, HloHandler* next)
      : visit_(visit), next_(next == nullptr ? &nobody_ : next) {}

  void OnModule(const HloModuleText& module) override {
    if (goes_on_) next_->OnModule(module);
  }
  void OnComputation(const HloComputationText& computation) override {
    if (goes_on_) next_->OnComputation(computation);
  }
  void OnInstruction(const HloInstructionText& instruction) override {
    if (!goes_on_) return;
    next_->OnInstruction(instruction);
    goes_on_ = visit_(instruction);
  }
  void OnComputationEnd(const HloComputationText& computation,
                        absl::Span<const HloAttribute> attributes) override {
    if (goes_on_) next_->OnComputationEnd(computation, attributes);
  }
  void OnDiagnostic(const Diagnostic& diagnostic) override {
    if (goes_on_) next_->OnDiagnostic(diagnostic);
  }

  bool goes_on() const override { return goes_on_; }

 private:
  HloInstructionVisitor visit_;
  HloHandler nobody_;
  HloHandler* const next_;
  bool goes_on_ = true;
};

}  // namespace

absl::StatusOr<HloCounts> ForEachInstruction(ByteSource* source,
                                             HloInstructionVisitor visit,
                                             const HloStreamOptions& options) {
  HloShapeTable shapes(HloShapeTable::kCopiesTexts);
  Forwarder forwarder(visit, options.handler);
  WindowReader reader(&shapes, &forwarder);
  const size_t step = std::max<size_t>(options.window_bytes, 1);
  // Not a vector, which would fill it with zeros.
  std::unique_ptr<char[]> buffer;
  size_t capacity = 0;
  size_t size = 0;  // how much of `buffer` is text that was not read
  bool is_last = false;
  while (!is_last && forwarder.goes_on()) {
    if (capacity - size < step) {
      capacity = std::max(size + step, 2 * size);
      std::unique_ptr<char[]> larger(new char[capacity]);
      std::copy_n(buffer.get(), size, larger.get());
      buffer = std::move(larger);
    }
    // A pipe gives little at a time; a long item is read once for each window.
    while (!is_last && size < capacity) {
      absl::StatusOr<size_t> got =
          source->Read(buffer.get() + size, capacity - size);
      if (!got.ok()) return got.status();
      size += *got;
      is_last = *got == 0;
    }
    const size_t done =
        reader.Read(absl::string_view(buffer.get(), size), is_last);
    size -= done;
    if (!is_last && size > options.max_instruction_bytes) {
      reader.GiveUp(absl::StrCat("an instruction of more than ",
                                 options.max_instruction_bytes, " bytes"));
      size = 0;
    }
    std::memmove(buffer.get(), buffer.get() + done, size);
    if (options.progress) options.progress(source->bytes_consumed());
  }
  return reader.counts();
}

absl::StatusOr<HloCounts> ForEachInstruction(int file_descriptor,
                                             HloInstructionVisitor visit,
                                             const HloStreamOptions& options) {
  return ForEachInstruction(MakeByteSource(file_descriptor).get(), visit,
                            options);
}

absl::StatusOr<HloCounts> ForEachInstruction(absl::string_view text,
                                             HloInstructionVisitor visit,
                                             const HloStreamOptions& options) {
  if (IsGzip(text)) {
    return ForEachInstruction(MakeByteSource(text).get(), visit, options);
  }
  HloShapeTable shapes;
  Forwarder forwarder(visit, options.handler);
  return ReadHlo(text, &shapes, &forwarder);
}

}  // namespace tessera
