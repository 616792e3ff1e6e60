#include "tessera/hlo/parse_hlo.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_opcode.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/log_prefixes.h"
#include "tessera/hlo/model/hlo_builder.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/hlo/model/piece_reader.h"
#include "tessera/hlo/proto/hlo_proto_text.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/hlo/reader/diagnostic_maker.h"
#include "tessera/hlo/strict_rules.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

using hlo_internal::DiagnosticMaker;
using hlo_internal::HloBuilder;
using hlo_internal::HloProtoText;
using hlo_internal::HloStore;
using hlo_internal::StrictWatcher;

// Infers the shapes that are missing in the text from those of the operands:
// for elementwise opcodes, copy, while, tuple and get-tuple-element. Shapes
// stay unknown if they depend on more than the operands, or on a layout or
// memory space that only the compiler chooses. The rules are those of
// xla/service/shape_inference.cc. Takes linear time: the texts of the shapes
// that are built or compared take at most 4 times the memory of the text.
// Shapes beyond this limit stay unknown.
class ShapeInference {
 public:
  explicit ShapeInference(HloStore* store)
      : store_(*store), work_left_(4 * store->text.size()) {}

  void Infer() && {
    const HloRange<HloInstruction> instructions(&store_, 0,
                                                store_.instructions.size());
    for (const HloInstruction instruction : instructions) {
      if (instruction.has_shape()) continue;
      const int64_t shape = ShapeOf(instruction);
      if (shape < 0) continue;
      HloStore::Instruction& entry = store_.instructions[instruction.index()];
      entry.shape = shape;
      entry.is_shape_inferred = true;
    }
  }

 private:
  // In the shape table; -1 if it is unknown, like all that depend on it.
  int64_t ShapeOf(HloInstruction instruction) {
    const std::string_view opcode = instruction.opcode();
    if (opcode == "tuple") return ShapeOfTuple(instruction);
    if (opcode == "get-tuple-element") return ShapeOfElement(instruction);
    if (opcode == "clamp" || opcode == "select") {
      return instruction.operand_count() == 3 ? Laid(instruction.operand(1))
                                              : -1;
    }
    const std::optional<HloOpcodeFacts> facts = FindHloOpcode(opcode);
    if (!facts.has_value() || !facts->has_shape_of_operands) return -1;
    int64_t shape = -1;
    for (const HloOperand operand : instruction.operands()) {
      const int64_t of_operand = Laid(operand);
      if (of_operand < 0 || (shape >= 0 && !AreEqual(shape, of_operand))) {
        return -1;
      }
      shape = of_operand;
    }
    return shape;
  }

  // A shape can be written in two ways.
  bool AreEqual(int64_t a, int64_t b) {
    if (a == b) return true;
    work_left_ -= store_.shapes.text(a).size();
    return work_left_ >= 0 && store_.shapes.shape(a) == store_.shapes.shape(b);
  }

  // Returns the shape of an operand that is the whole result of an instruction.
  int64_t Whole(HloOperand operand) const {
    const std::optional<HloInstruction> instruction = operand.instruction();
    if (!instruction.has_value() || !operand.tuple_path().empty()) return -1;
    return instruction->shape_index();
  }

  // Like Whole, unless the compiler may choose another place for the result.
  int64_t Laid(HloOperand operand) const {
    const int64_t shape = Whole(operand);
    if (shape < 0) return -1;
    const Shape& of_operand = store_.shapes.shape(shape);
    const bool is_elsewhere =
        of_operand.IsArray() && of_operand.layout().memory_space() != 0;
    return is_elsewhere ? -1 : shape;
  }

  int64_t ShapeOfTuple(HloInstruction tuple) {
    std::string text = "(";
    for (const HloOperand operand : tuple.operands()) {
      const int64_t shape = Whole(operand);
      if (shape < 0) return -1;
      StrAppend(&text, text.size() > 1 ? ", " : "", store_.shapes.text(shape));
      // Tuples of tuples may double in size with every line.
      if (static_cast<int64_t>(text.size()) > work_left_) return -1;
    }
    work_left_ -= text.size();
    return Intern(StrCat(text, ")"));
  }

  int64_t ShapeOfElement(HloInstruction instruction) {
    int64_t index = -1;
    const std::optional<std::string_view> text = instruction.attribute("index");
    if (instruction.operand_count() != 1 || !text.has_value() ||
        !absl::SimpleAtoi(AbslView(*text), &index)) {
      return -1;
    }
    const int64_t tuple = Whole(instruction.operand(0));
    if (tuple < 0) return -1;
    const Shape& shape = store_.shapes.shape(tuple);
    if (!shape.IsTuple() || index < 0 ||
        index >= static_cast<int64_t>(shape.tuple_shapes().size())) {
      return -1;
    }
    const auto [known, is_new] = elements_.try_emplace({tuple, index}, -1);
    if (is_new) {
      std::string text = shape.tuple_shapes(index).ToString();
      work_left_ -= text.size();
      if (work_left_ >= 0) known->second = Intern(std::move(text));
    }
    return known->second;
  }

  int64_t Intern(std::string text) {
    const int64_t known = store_.shapes.Find(text);
    if (known >= 0) return known;
    store_.inferred_shape_texts.push_back(std::move(text));
    return store_.shapes.Intern(store_.inferred_shape_texts.back())
        .value_or(-1);
  }

  HloStore& store_;
  int64_t work_left_;  // in bytes of the texts of shapes
  // By tuple, in the shape table, and index.
  absl::flat_hash_map<std::pair<int64_t, int64_t>, int64_t> elements_;
};

// Reads `store->text` on several threads. Returns false if it needs one thread.
bool ReadOnThreads(const HloParseOptions& options, HloStore* store) {
  // For less text, threads cost more than they save.
  constexpr int64_t kLeastPiece = int64_t{1} << 20;
  const int64_t size = store->text.size();
  if (options.threads == 1 || size < 2 * kLeastPiece) return false;
  const int threads = options.threads > 1
                          ? options.threads
                          : std::max(std::thread::hardware_concurrency(), 1u);
  if (threads < 2) return false;
  // Several per thread, because pieces take unequal time.
  const int64_t piece = std::max(kLeastPiece, size / (int64_t{8} * threads));
  if (hlo_internal::ReadInPieces(piece, threads, options.progress, store)) {
    return true;
  }
  store->Clear();
  return false;
}

// Reports that the text has no module or computation, unless other diagnostics
// explain it.
void SayIfNothingIsThere(int64_t limit, HloStore* store) {
  const HloCounts& counts = store->counts;
  const bool is_told = store->diagnostic_count > 0 &&
                       !(counts.is_merely_cut_off() &&
                         store->diagnostic_count == counts.diagnostics);
  if (counts.computations > 0 || is_told) return;
  ++store->diagnostic_count;
  if (static_cast<int64_t>(store->diagnostics.size()) >= limit) return;
  Diagnostic diagnostic;
  diagnostic.line = 0;
  diagnostic.column = 0;
  diagnostic.message = counts.modules == 0 ? "the text has no HLO module"
                                           : "the text has no computation";
  store->diagnostics.push_back(std::move(diagnostic));
}

// `proto` is the source of the text, if it has one.
absl::StatusOr<HloDump> Parse(std::unique_ptr<HloStore> owned_store,
                              const HloParseOptions& options,
                              HloProtoText proto = {}) {
  HloStore* const store = owned_store.get();
  HloDump dump(std::move(owned_store));
  std::optional<StrictWatcher> watcher;
  if (!ReadOnThreads(options, store)) {
    // Strict reading needs the first diagnostic.
    const int64_t kept =
        std::max<int64_t>(options.diagnostic_limit, options.strict);
    HloBuilder builder(kept, options.progress, store);
    if (options.strict) builder.set_watcher(&watcher.emplace(dump));
    store->counts = ReadHlo(store->text, &store->shapes, &builder);
    builder.Finish();
    if (builder.is_too_large()) {
      return absl::ResourceExhaustedError(
          "the text has more than 2^31-1 computations, instructions or "
          "operands, more than 2^30-1 calls, or an instruction of at least "
          "1 GiB");
    }
  }
  if (store->lacks_shapes) ShapeInference(store).Infer();
  if (proto.problem_count > 0) {
    store->diagnostics = std::move(proto.problems);
    store->diagnostic_count = proto.problem_count;
  }
  SayIfNothingIsThere(
      std::max<int64_t>(options.diagnostic_limit, options.strict), store);
  if (!options.strict) return dump;
  if (!store->diagnostics.empty()) {
    return DiagnosticStatus(store->diagnostics.front());
  }
  // Shapes that were inferred later may change a judgement.
  if (watcher.has_value() && !store->lacks_shapes && watcher->Approves()) {
    return dump;
  }
  const std::vector<HloObjection> objections = FindHloObjections(dump, 1);
  if (objections.empty()) return dump;
  DiagnosticMaker diagnostics(dump.text());
  return DiagnosticStatus(diagnostics.At(
      objections[0].at.data() - dump.text().data(), objections[0].message));
}

}  // namespace

absl::StatusOr<HloDump> ParseHlo(FileBytes file,
                                 const HloParseOptions& options) {
  if (HasLogPrefixes(file.text())) {
    std::string text(file.text());
    file = FileBytes();
    return ParseHlo(std::move(text), options);
  }
  auto store = std::make_unique<HloStore>();
  store->file = std::move(file);
  store->text = store->file.text();
  return Parse(std::move(store), options);
}

absl::StatusOr<HloDump> ParseHlo(std::string text,
                                 const HloParseOptions& options) {
  if (HasLogPrefixes(text)) BlankLogPrefixes(&text);
  return ParseHlo(FileBytes::OfText(std::move(text)), options);
}

absl::StatusOr<HloDump> ParseHloView(std::string_view text,
                                     const HloParseOptions& options) {
  if (HasLogPrefixes(text)) return ParseHlo(std::string(text), options);
  auto store = std::make_unique<HloStore>();
  store->text = text;
  return Parse(std::move(store), options);
}

bool IsHloProto(std::string_view bytes) {
  return hlo_internal::IsHloProto(bytes);
}

absl::StatusOr<HloDump> ParseHloProto(std::string_view bytes,
                                      const HloParseOptions& options) {
  hlo_internal::HloProtoText proto = hlo_internal::PrintHloProto(
      bytes, std::max<int64_t>(options.diagnostic_limit, options.strict));
  if (options.strict && proto.problem_count > 0) {
    return absl::InvalidArgumentError(proto.problems[0].message);
  }
  auto store = std::make_unique<HloStore>();
  store->is_from_proto = true;
  store->file = FileBytes::OfText(std::move(proto.text));
  store->text = store->file.text();
  HloParseOptions text_options = options;
  text_options.progress = nullptr;
  return Parse(std::move(store), text_options, std::move(proto));
}

}  // namespace tessera
