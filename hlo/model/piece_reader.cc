#include "tessera/hlo/model/piece_reader.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/model/hlo_builder.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {
namespace {

void AddCounts(const HloCounts& counts, HloCounts* sum) {
  sum->modules += counts.modules;
  sum->computations += counts.computations;
  sum->instructions += counts.instructions;
  sum->roots += counts.roots;
  sum->operands += counts.operands;
}

// Whether the first module of `piece` is the rest of an earlier one.
bool ContinuesModule(const HloStore& piece, const HloStore& joined) {
  return !piece.modules.empty() && !piece.modules[0].has_header &&
         !joined.modules.empty();
}

// Joins the stores of separately read pieces of a text into the store that
// reading the whole text gives.
class StoreJoiner {
 public:
  // `pieces` are in the order of the text, without diagnostics, and their
  // offsets count from its start. `store` is empty except for the text.
  StoreJoiner(std::vector<HloStore>* pieces, HloStore* store)
      : pieces_(*pieces), store_(*store), places_(pieces->size()) {}

  // Joins everything except instructions, operands and calls, and makes room
  // for these. Returns false if the whole text has an error that no piece has,
  // such as a call of a missing computation, or more entries than a store can
  // count. `store` is then unspecified.
  bool Prepare() {
    if (!MakeRoom()) return false;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      HloStore& piece = pieces_[i];
      places_[i].computation = store_.computations.size();
      AddCounts(piece.counts, &store_.counts);
      store_.counts.modules -= ContinuesModule(piece, store_);
      if (!ResolveCalls(&piece, places_[i]) ||
          !JoinModules(&piece, places_[i]) || !JoinShapes(piece, &places_[i])) {
        return false;
      }
      JoinOpcodes(piece, &places_[i]);
    }
    return true;
  }

  // Moves the instructions, operands and calls of a piece into the store. Call
  // it once per piece, after Prepare(); several calls may run at once.
  void Move(size_t i) {
    HloStore& piece = pieces_[i];
    const Place& place = places_[i];
    piece.instructions.MoveTo(
        &store_.instructions, place.instruction,
        [&place](HloStore::Instruction instruction) {
          instruction.opcode = place.opcodes[instruction.opcode];
          if (instruction.shape >= 0) {
            instruction.shape = place.shapes[instruction.shape];
          }
          instruction.computation += place.computation;
          instruction.first_operand += place.operand;
          instruction.first_call += place.call;
          return instruction;
        });
    piece.operands.MoveTo(&store_.operands, place.operand,
                          [&place](HloStore::Operand operand) {
                            operand.owner += place.instruction;
                            return operand;
                          });
    piece.calls.MoveTo(&store_.calls, place.call,
                       [&place](HloStore::Call call) {
                         call.instruction += place.instruction;
                         return call;
                       });
  }

 private:
  using Names = TextMap<std::string_view, int64_t>;

  // The place of a piece's entries in the store.
  struct Place {
    uint32_t instruction = 0;
    uint32_t operand = 0;
    uint32_t call = 0;
    uint32_t computation = 0;
    std::vector<int32_t> shapes;
    std::vector<uint32_t> opcodes;
  };

  bool MakeRoom() {
    size_t instructions = 0;
    size_t operands = 0;
    size_t calls = 0;
    size_t computations = 0;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const HloStore& piece = pieces_[i];
      places_[i].instruction = instructions;
      places_[i].operand = operands;
      places_[i].call = calls;
      instructions += piece.instructions.size();
      operands += piece.operands.size();
      calls += piece.calls.size();
      computations += piece.computations.size();
      if (instructions > HloStore::kMaxCount ||
          operands > HloStore::kMaxCount ||
          computations > HloStore::kMaxCount || calls > HloStore::kMaxCalls) {
        return false;
      }
    }
    store_.instructions.Grow(instructions);
    store_.operands.Grow(operands);
    store_.calls.Grow(calls);
    return true;
  }

  // Each function joins one kind of entry of one piece.
  bool JoinModules(HloStore* piece, const Place& place) {
    const bool continues_module = ContinuesModule(*piece, store_);
    const size_t first_module = store_.modules.size() - continues_module;
    for (HloStore::Module& module : piece->modules) {
      if (continues_module && &module == &piece->modules[0]) {
        if (!module.frame_tables_text.empty()) return false;
        store_.modules.back().computation_count += module.computation_count;
        continue;
      }
      module.first_computation += place.computation;
      store_.modules.push_back(module);
      computations_.clear();
    }
    for (HloStore::Computation& computation : piece->computations) {
      // Instructions outside a computation may continue in the next piece.
      if (computation.name.empty() && !computation.is_inline) return false;
      computation.module += first_module;
      computation.first_instruction += place.instruction;
      if (computation.caller >= 0) computation.caller += place.instruction;
      const bool may_be_called_later =
          computation.module + 1 == store_.modules.size();
      if (may_be_called_later && !computation.is_inline &&
          !computations_
               .try_emplace(computation.name, store_.computations.size())
               .second) {
        return false;
      }
      store_.computations.push_back(computation);
    }
    return true;
  }

  bool ResolveCalls(HloStore* piece, const Place& place) {
    const bool continues_module = ContinuesModule(*piece, store_);
    for (size_t i = 0; i < piece->calls.size(); ++i) {
      HloStore::Call& call = piece->calls[i];
      if (call.computation >= 0) {
        call.computation += place.computation;
        continue;
      }
      if (!continues_module) return false;
      const auto found =
          computations_.find(store_.View(call.name_begin, call.name_size));
      if (found == computations_.end()) return false;
      call.computation = found->second;
    }
    return true;
  }

  bool JoinShapes(const HloStore& piece, Place* place) {
    store_.lacks_shapes |= piece.lacks_shapes;
    place->shapes.reserve(piece.shapes.size());
    for (int64_t i = 0; i < piece.shapes.size(); ++i) {
      const absl::StatusOr<int64_t> index =
          store_.shapes.Intern(piece.shapes.text(i));
      if (!index.ok()) return false;
      place->shapes.push_back(*index);
    }
    return true;
  }

  void JoinOpcodes(const HloStore& piece, Place* place) {
    place->opcodes.reserve(piece.opcodes.size());
    for (const std::string_view opcode : piece.opcodes) {
      const auto [entry, is_new] =
          opcodes_.try_emplace(opcode, store_.opcodes.size());
      if (is_new) store_.opcodes.push_back(opcode);
      place->opcodes.push_back(entry->second);
    }
  }

  std::vector<HloStore>& pieces_;
  HloStore& store_;
  std::vector<Place> places_;
  TextMap<std::string_view, uint32_t> opcodes_;
  Names computations_;  // of the module that continues
};

// Calls `work` once for each number below `count`, on so many threads, or on
// fewer if the system does not provide them.
void ForEachOnThreads(size_t count, int threads,
                      absl::FunctionRef<void(size_t)> work) {
  std::atomic<size_t> next{0};
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> others;
  const size_t wanted = std::min<size_t>(threads, count);
  try {
    while (others.size() + 1 < wanted) others.emplace_back(run);
  } catch (const std::system_error&) {
  }
  run();
  for (std::thread& other : others) other.join();
}

class PieceReader {
 public:
  PieceReader(std::string_view text, std::vector<std::string_view> pieces,
              const std::function<void(int64_t)>& progress)
      : pieces_(std::move(pieces)),
        stores_(pieces_.size()),
        progress_(progress) {
    for (HloStore& store : stores_) store.text = text;
  }

  // Reads a piece, unless an error was found in another one.
  void Read(size_t piece) {
    if (is_refused_) return;
    HloStore& store = stores_[piece];
    const std::function<void(int64_t)> progress;
    Builder builder(progress, this, &store);
    store.counts = ReadHlo(pieces_[piece], &store.shapes, &builder);
    builder.Finish();
    if (store.diagnostic_count > 0 || builder.is_too_large()) {
      is_refused_ = true;
    }
    read_bytes_ += pieces_[piece].size();
    // A handler of progress need not be thread-safe.
    if (progress_ && std::this_thread::get_id() == caller_) {
      progress_(read_bytes_);
    }
  }

  bool is_refused() const { return is_refused_; }
  std::vector<HloStore>* stores() { return &stores_; }

 private:
  class Builder : public HloBuilder {
   public:
    Builder(const std::function<void(int64_t)>& progress,
            const PieceReader* reader, HloStore* store)
        : HloBuilder(/*diagnostic_limit=*/0, progress, store),
          reader_(*reader),
          store_(*store) {
      set_is_piece();
    }
    bool goes_on() const override {
      return store_.diagnostic_count == 0 && !reader_.is_refused();
    }

   private:
    const PieceReader& reader_;
    const HloStore& store_;
  };

  const std::vector<std::string_view> pieces_;
  std::vector<HloStore> stores_;
  const std::function<void(int64_t)>& progress_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<int64_t> read_bytes_{0};
  std::atomic<bool> is_refused_{false};
};

// `line` is not the end of `text`.
bool StartsPiece(std::string_view text, const char* line) {
  // Text in a computation is usually indented.
  if (HloScanner::Is(HloScanner::kBlank, *line)) return false;
  const char* const end = text.data() + text.size();
  const HloScanner scanner(
      HloScanner::Between(line, HloScanner(text).PastLine(line, end)));
  const std::string_view word = scanner.WordAt(line);
  return word == "HloModule" || word == "ENTRY" ||
         (!scanner.StartsInstruction(line) &&
          scanner.StartsComputation(line, scanner.end()));
}

// Returns the first byte from `from` on where a piece may begin, or the end.
size_t NextCut(std::string_view text, size_t from) {
  while (true) {
    const size_t brace = text.find("}\n", from);
    if (brace == std::string_view::npos) return text.size();
    const size_t line = text.find_first_not_of('\n', brace + 1);
    if (line == std::string_view::npos) return text.size();
    if (StartsPiece(text, text.data() + line)) return line;
    from = line;
  }
}

}  // namespace

std::vector<std::string_view> CutBetweenComputations(std::string_view text,
                                                     int64_t piece_bytes) {
  std::vector<std::string_view> pieces;
  while (text.size() > static_cast<size_t>(piece_bytes)) {
    // The brace may be the second-to-last byte of the piece.
    const size_t cut = NextCut(text, piece_bytes < 2 ? 0 : piece_bytes - 2);
    if (cut == text.size()) break;
    pieces.push_back(text.substr(0, cut));
    text.remove_prefix(cut);
  }
  if (!text.empty() || pieces.empty()) pieces.push_back(text);
  return pieces;
}

bool ReadInPieces(int64_t piece_bytes, int threads,
                  const std::function<void(int64_t)>& progress,
                  HloStore* store) {
  std::vector<std::string_view> pieces =
      CutBetweenComputations(store->text, piece_bytes);
  const size_t count = pieces.size();
  if (count < 2) return false;
  PieceReader reader(store->text, std::move(pieces), progress);
  ForEachOnThreads(count, threads, [&reader](size_t i) { reader.Read(i); });
  if (reader.is_refused()) return false;
  // The other threads may have read everything.
  if (progress) progress(store->text.size());
  StoreJoiner joiner(reader.stores(), store);
  if (!joiner.Prepare()) return false;
  ForEachOnThreads(count, threads, [&joiner](size_t i) { joiner.Move(i); });
  return true;
}

}  // namespace hlo_internal
}  // namespace tessera
