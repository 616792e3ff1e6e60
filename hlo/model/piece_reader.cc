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
  // The place of a piece's entries in the store.
  struct Place {
    size_t instruction = 0;
    size_t operand = 0;
    size_t call = 0;
    size_t computation = 0;
    std::vector<int32_t> shapes;
    std::vector<uint32_t> opcodes;
  };

  bool MakeRoom() {
    Place end;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const HloStore& piece = pieces_[i];
      places_[i] = end;
      end.instruction += piece.instructions.size();
      end.operand += piece.operands.size();
      end.call += piece.calls.size();
      end.computation += piece.computations.size();
      if (end.instruction > HloStore::kMaxCount ||
          end.operand > HloStore::kMaxCount || end.call > HloStore::kMaxCalls ||
          end.computation > HloStore::kMaxCount) {
        return false;
      }
    }
    store_.instructions.Grow(end.instruction);
    store_.operands.Grow(end.operand);
    store_.calls.Grow(end.call);
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
  // Of the module that continues.
  TextMap<std::string_view, int64_t> computations_;
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
  const std::vector<std::string_view> pieces =
      CutBetweenComputations(store->text, piece_bytes);
  if (pieces.size() < 2) return false;
  std::vector<HloStore> stores(pieces.size());
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int64_t> read_bytes{0};
  std::atomic<bool> is_refused{false};
  ForEachOnThreads(pieces.size(), threads, [&](size_t i) {
    if (is_refused) return;
    HloStore& piece = stores[i];
    piece.text = store->text;
    const std::function<void(int64_t)> no_progress;
    HloBuilder builder(/*diagnostic_limit=*/0, no_progress, &piece);
    builder.set_is_piece(&is_refused);
    piece.counts = ReadHlo(pieces[i], &piece.shapes, &builder);
    builder.Finish();
    if (piece.diagnostic_count > 0 || builder.is_too_large()) {
      is_refused = true;
    }
    read_bytes += pieces[i].size();
    // A handler of progress need not be thread-safe.
    if (progress && std::this_thread::get_id() == caller) progress(read_bytes);
  });
  if (is_refused) return false;
  // The other threads may have read everything.
  if (progress) progress(store->text.size());
  StoreJoiner joiner(&stores, store);
  if (!joiner.Prepare()) return false;
  ForEachOnThreads(pieces.size(), threads,
                   [&joiner](size_t i) { joiner.Move(i); });
  return true;
}

}  // namespace hlo_internal
}  // namespace tessera
