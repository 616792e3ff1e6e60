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

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/log_prefixes.h"
#include "tessera/hlo/model/hlo_builder.h"
#include "tessera/hlo/model/hlo_store.h"
#include "tessera/hlo/model/piece_reader.h"
#include "tessera/hlo/model/shape_inference.h"
#include "tessera/hlo/proto/hlo_proto_text.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/hlo/reader/diagnostic_maker.h"
#include "tessera/hlo/strict_rules.h"

namespace tessera {
namespace {

using hlo_internal::DiagnosticMaker;
using hlo_internal::HloBuilder;
using hlo_internal::HloProtoText;
using hlo_internal::HloStore;
using hlo_internal::StrictWatcher;

// Reads `store->text` on several threads. Returns false if that is for one
// thread.
bool ReadOnThreads(const HloParseOptions& options, HloStore* store) {
  // Threads cost more than they save on less.
  constexpr int64_t kLeastPiece = int64_t{1} << 20;
  const int64_t size = store->text.size();
  if (options.threads == 1 || size < 2 * kLeastPiece) return false;
  const int threads = options.threads > 1
                          ? options.threads
                          : std::max(std::thread::hardware_concurrency(), 1u);
  if (threads < 2) return false;
  // Several for each thread, because pieces are not equal.
  const int64_t piece = std::max(kLeastPiece, size / (int64_t{8} * threads));
  if (hlo_internal::ReadInPieces(piece, threads, options.progress, store)) {
    return true;
  }
  store->Clear();
  return false;
}

// Says of a text in which nothing is found that nothing was found, unless other
// diagnostics say why.
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

// `proto` is what the text was made of, if it was.
absl::StatusOr<HloDump> Parse(std::unique_ptr<HloStore> owned_store,
                              const HloParseOptions& options,
                              HloProtoText proto = {}) {
  HloStore* const store = owned_store.get();
  HloDump dump(std::move(owned_store));
  std::optional<StrictWatcher> watcher;
  if (!ReadOnThreads(options, store)) {
    // Strict reading needs the first.
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
  if (store->lacks_shapes) {
    hlo_internal::InferShapes(store);
  }
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
  // What was judged before its shapes were inferred may be better now.
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
