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
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/model/hlo_builder.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/hlo/model/store_joiner.h"
#include "tessera/hlo/reader/text_pieces.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Calls `work` with the numbers below `count`, each once, on so many threads.
// Where the system gives no more threads, those that there are do it all.
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

// Reads the pieces of one text.
class PieceReader {
 public:
  PieceReader(std::string_view text, std::vector<std::string_view> pieces,
              const std::function<void(int64_t)>& progress)
      : pieces_(std::move(pieces)),
        stores_(pieces_.size()),
        progress_(progress) {
    for (HloStore& store : stores_) store.text = text;
  }

  // Reads a piece unless one was found in which something is wrong.
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
    // A handler of progress need not know of threads.
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

}  // namespace

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
  // The other threads may have read all of it.
  if (progress) progress(store->text.size());
  StoreJoiner joiner(reader.stores(), store);
  if (!joiner.Prepare()) return false;
  ForEachOnThreads(count, threads, [&joiner](size_t i) { joiner.Move(i); });
  return true;
}

}  // namespace hlo_internal
}  // namespace tessera
