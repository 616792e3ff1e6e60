#include "tessera/service/questions/tenstorrent/tt_report_question.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/service/error.h"
#include "tessera/tenstorrent/mlir_file/size_search.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera {
namespace {

using tenstorrent::FileItem;
using tenstorrent::FilePlace;
using tenstorrent::ItemSizes;
using tenstorrent::LayoutFile;
using tenstorrent::MemorySpace;

int64_t AddTo(int64_t sum, int64_t bytes) {
  return CheckedAdd(sum, bytes).value_or(std::numeric_limits<int64_t>::max());
}

void FillSizes(const ItemSizes& sizes, TtSizes* filled) {
  if (sizes.written_per_bank.has_value()) {
    filled->set_written_per_bank(*sizes.written_per_bank);
  }
  filled->set_content_per_bank(sizes.content_per_bank);
  filled->set_content(sizes.content);
  filled->set_taken_per_bank(sizes.taken_per_bank);
  filled->set_taken(sizes.taken);
  if (sizes.pages.has_value()) filled->set_pages(*sizes.pages);
  if (sizes.page.has_value()) filled->set_page(*sizes.page);
  filled->set_banks_in_use(sizes.banks_in_use);
  if (sizes.data.has_value()) filled->set_data(*sizes.data);
  filled->set_tile_padding(sizes.tile_padding);
  filled->set_grid_padding(sizes.grid_padding);
  filled->set_gaps(sizes.gaps);
  filled->set_page_padding(sizes.page_padding);
}

void FillItem(const FileItem& item, TtItem* filled) {
  filled->set_written(item.first_text);
  filled->set_text(item.text);
  filled->set_line(item.first.line);
  filled->set_column(item.first.column);
  filled->set_uses(item.uses);
  filled->set_alias_uses(item.alias_uses);
  filled->set_form(item.form);
  filled->set_memory(item.memory);
  filled->set_memory_layout(item.memory_layout);
  filled->set_shape(item.shape);
  filled->set_element(item.element);
  filled->set_grid(item.grid);
  if (item.sizes.has_value()) FillSizes(*item.sizes, filled->mutable_sizes());
}

void FillItems(const LayoutFile& file, FileItem::Kind kind, int64_t rows,
               google::protobuf::RepeatedPtrField<TtItem>* list) {
  std::vector<const FileItem*> items;
  for (const FileItem& item : file.items) {
    if (item.kind == kind) items.push_back(&item);
  }
  const auto need = [](const FileItem* item) {
    return item->sizes.has_value() ? item->sizes->taken_per_bank : -1;
  };
  if (kind != FileItem::kLayout) {
    std::stable_sort(items.begin(), items.end(),
                     [need](const FileItem* a, const FileItem* b) {
                       return need(a) > need(b);
                     });
  }
  for (const FileItem* item : items) {
    if (list->size() == rows) return;
    FillItem(*item, list->Add());
  }
}

void FillCounts(const LayoutFile& file, TtCounts* counts) {
  int64_t distinct[3] = {};
  for (const FileItem& item : file.items) ++distinct[item.kind];
  counts->set_tensors(distinct[FileItem::kTensor]);
  counts->set_tensor_uses(file.Uses(FileItem::kTensor));
  counts->set_layouts(distinct[FileItem::kLayout]);
  counts->set_layout_uses(file.Uses(FileItem::kLayout));
  counts->set_memrefs(distinct[FileItem::kMemRef]);
  counts->set_memref_uses(file.Uses(FileItem::kMemRef));
  counts->set_functions(file.functions.size() + file.functions_left_out);
}

void FillMemory(const LayoutFile& file, TtReportResult* result) {
  // L1 and DRAM come first.
  std::vector<std::string> order = {"l1", "dram"};
  TextMap<std::string, TtMemory> memory;
  for (const FileItem& item : file.items) {
    if (item.kind == FileItem::kLayout || !item.sizes.has_value()) continue;
    TtMemory& sum = memory[std::string(item.memory)];
    if (std::find(order.begin(), order.end(), item.memory) == order.end()) {
      order.push_back(item.memory);
    }
    const ItemSizes& sizes = *item.sizes;
    sum.set_memory(item.memory);
    sum.set_items(sum.items() + 1);
    sum.set_uses(sum.uses() + item.uses);
    sum.set_largest_per_bank(
        std::max<int64_t>(sum.largest_per_bank(), sizes.taken_per_bank));
    sum.set_taken(AddTo(sum.taken(), sizes.taken));
    sum.set_data(AddTo(sum.data(), sizes.data.value_or(0)));
    sum.set_tile_padding(AddTo(sum.tile_padding(), sizes.tile_padding));
    sum.set_grid_padding(AddTo(sum.grid_padding(), sizes.grid_padding));
    sum.set_gaps(AddTo(sum.gaps(), sizes.gaps));
    sum.set_page_padding(AddTo(sum.page_padding(), sizes.page_padding));
  }
  for (const std::string& name : order) {
    const auto found = memory.find(name);
    if (found != memory.end()) *result->add_memory() = found->second;
  }
}

// -- Findings ----------------------------------------------------------------

// Joins findings with the same words.
class FindingGroups {
 public:
  FindingGroups(std::string_view text,
                google::protobuf::RepeatedPtrField<TtFinding>* list)
      : text_(text), list_(*list) {}

  void Add(std::string_view rule, std::string_view message,
           const FileItem& item) {
    constexpr int kMaxLines = 16;
    const auto [found, is_new] =
        groups_.emplace(StrCat(rule, "\n", message), groups_.size());
    if (is_new) {
      TtFinding& added = *list_.Add();
      added.mutable_finding()->set_rule(std::string(rule));
      added.mutable_finding()->set_message(std::string(message));
      SetPlace(item.first, &added);
    }
    TtFinding& group = *list_.Mutable(found->second);
    group.set_items(group.items() + 1);
    group.set_uses(group.uses() + item.uses);
    if (!is_new && group.more_lines_size() < kMaxLines) {
      group.add_more_lines(item.first.line);
    }
  }

  // Cuts the list to the groups with most uses, in their order in the text.
  void KeepMost(int64_t rows) {
    if (list_.size() <= rows) return;
    std::vector<int64_t> uses;
    for (const TtFinding& group : list_) uses.push_back(group.uses());
    std::sort(uses.rbegin(), uses.rend());
    const int64_t least = rows == 0 ? 0 : uses[rows - 1];
    google::protobuf::RepeatedPtrField<TtFinding> kept;
    for (TtFinding& group : list_) {
      if (kept.size() < rows && group.uses() >= least) {
        kept.Add()->Swap(&group);
      }
    }
    list_.Swap(&kept);
  }

 private:
  void SetPlace(const FilePlace& place, TtFinding* added) {
    const int64_t begin = place.offset - place.column + 1;
    const std::string_view line =
        text_.substr(begin, text_.find('\n', begin) - begin);
    const Diagnostic diagnostic = MakeDiagnostic(line, place.column - 1, "");
    added->set_line(place.line);
    added->set_column(place.column);
    added->set_excerpt(diagnostic.excerpt);
    added->set_caret(diagnostic.caret);
  }

  std::string_view text_;
  google::protobuf::RepeatedPtrField<TtFinding>& list_;
  TextMap<std::string, int> groups_;
};

void FillFindings(const LayoutFile& file, std::string_view text, int64_t rows,
                  TtReportResult* result) {
  FindingGroups errors(text, result->mutable_errors());
  FindingGroups warnings(text, result->mutable_warnings());
  for (const FileItem& item : file.items) {
    if (!item.status.ok()) {
      const std::optional<Diagnostic> diagnostic = DiagnosticOf(item.status);
      errors.Add("unread",
                 diagnostic.has_value() ? std::string_view(diagnostic->message)
                                        : StdView(item.status.message()),
                 item);
    }
    for (const tenstorrent::Finding& finding : item.errors) {
      errors.Add(NameOf(finding.rule), finding.message, item);
    }
    for (const tenstorrent::Finding& finding : item.warnings) {
      warnings.Add(NameOf(finding.rule), finding.message, item);
    }
  }
  result->mutable_counts()->set_errors(result->errors_size());
  result->mutable_counts()->set_warnings(result->warnings_size());
  errors.KeepMost(rows);
  warnings.KeepMost(rows);
}

// -- Functions ---------------------------------------------------------------

double Percentage(int64_t part, int64_t whole) {
  return whole == 0
             ? 0
             : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

void FillOperations(const tenstorrent::OperationCounts& counts,
                    TtOperations* filled) {
  filled->set_total_ops(counts.operations);
  filled->set_total_shardable_ops(counts.shardable);
  filled->set_sharded_ops(counts.sharded);
  filled->set_sharded_and_spilled_ops(counts.sharded_and_spilled);
  filled->set_dram_spilled_ops(counts.dram_spilled);
  filled->set_system_memory_ops(counts.system_memory);
  filled->set_sharded_percentage(Percentage(counts.sharded, counts.shardable));
  filled->set_sharded_and_spilled_percentage(
      Percentage(counts.sharded_and_spilled, counts.shardable));
  filled->set_spilled_percentage(
      Percentage(counts.dram_spilled, counts.shardable));
  filled->set_system_memory_percentage(
      Percentage(counts.system_memory, counts.shardable));
}

void FillPeak(const LayoutFile& file, const tenstorrent::SpacePeak& peak,
              MemorySpace space, int64_t rows, TtPeak* filled) {
  filled->set_bytes_per_bank(peak.peak);
  filled->set_fits(peak.peak <= file.card.BankBytes(space));
  filled->set_operation(peak.operation);
  filled->set_operation_name(peak.operation_name);
  filled->set_line(peak.place.line);
  filled->set_live_count(peak.live_count);
  for (const tenstorrent::LiveTensor& live : peak.live) {
    if (filled->live_size() == rows) break;
    TtLiveTensor& added = *filled->add_live();
    added.set_name(live.name);
    added.set_bytes_per_bank(live.bytes);
    added.set_line(live.line);
    added.set_type(file.items[live.item].first_text);
  }
  for (const int64_t bytes : peak.series) filled->add_series(bytes);
}

void FillFunctions(const LayoutFile& file, int64_t rows,
                   TtReportResult* result) {
  std::vector<const tenstorrent::FunctionMemory*> functions;
  for (const tenstorrent::FunctionMemory& function : file.functions) {
    functions.push_back(&function);
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [](const auto* a, const auto* b) {
                     return std::make_pair(a->l1.peak, a->dram.peak) >
                            std::make_pair(b->l1.peak, b->dram.peak);
                   });
  // None of the omitted ones needs more DRAM.
  const auto dram = std::max_element(
      functions.begin(), functions.end(),
      [](const auto* a, const auto* b) { return a->dram.peak < b->dram.peak; });
  if (rows > 0 && dram - functions.begin() >= rows) {
    std::swap(*dram, functions[rows - 1]);
  }
  for (const tenstorrent::FunctionMemory* function : functions) {
    if (result->functions_size() == rows) return;
    TtFunction& filled = *result->add_functions();
    filled.set_name(function->name);
    filled.set_line(function->place.line);
    FillOperations(function->counts, filled.mutable_operations());
    FillPeak(file, function->l1, MemorySpace::kDeviceL1, rows,
             filled.mutable_l1());
    FillPeak(file, function->dram, MemorySpace::kDeviceDRAM, rows,
             filled.mutable_dram());
  }
}

}  // namespace

void FillTtReport(const LayoutFile& file, std::string_view text,
                  std::string_view name, int64_t rows, TtReportResult* result) {
  result->set_file(std::string(name));
  TtCard& card = *result->mutable_card();
  card.set_source(file.card.source);
  card.set_assumed(file.card.is_assumed);
  card.set_l1_banks(BanksOf(tenstorrent::BufferType::kL1, file.card.chip));
  card.set_l1_bank_bytes(file.card.l1_bank_bytes);
  card.set_dram_banks(BanksOf(tenstorrent::BufferType::kDram, file.card.chip));
  card.set_dram_bank_bytes(file.card.dram_bank_bytes);
  FillCounts(file, result->mutable_counts());
  FillMemory(file, result);
  FillItems(file, FileItem::kTensor, rows, result->mutable_tensors());
  FillItems(file, FileItem::kLayout, rows, result->mutable_layouts());
  FillItems(file, FileItem::kMemRef, rows, result->mutable_memrefs());
  FillFindings(file, text, rows, result);
  FillOperations(file.counts, result->mutable_operations());
  FillFunctions(file, rows, result);
  for (const tenstorrent::UndefinedName& undefined : file.undefined) {
    if (result->undefined_size() == rows) break;
    TtUndefinedName& added = *result->add_undefined();
    added.set_name(undefined.name);
    added.set_uses(undefined.uses);
    added.set_line(undefined.first.line);
    added.set_column(undefined.first.column);
  }
  for (const std::string& note : file.notes) result->add_notes(note);
}

absl::Status FillTtMatches(const LayoutFile& file,
                           const TtReportRequest& question, int64_t rows,
                           TtReportResult* result) {
  tenstorrent::MemoryRequest request;
  if (!question.out_of_memory().empty()) {
    const absl::StatusOr<tenstorrent::MemoryRequest> read =
        tenstorrent::ParseOutOfMemory(question.out_of_memory());
    if (!read.ok()) return InField("out_of_memory", read.status());
    request = *read;
  } else if (question.bytes() != 0) {
    request.bytes = question.bytes();
  } else {
    return absl::OkStatus();
  }
  TESSERA_RETURN_IF_ERROR(CheckFromZero("bytes", request.bytes));
  result->set_size_asked(true);
  result->set_asked_bytes(request.bytes);
  for (const tenstorrent::SizeMatch& match : FindBySize(file.items, request)) {
    if (result->matches_size() == rows) break;
    TtSizeMatch& added = *result->add_matches();
    FillItem(file.items[match.item], added.mutable_item());
    added.set_what(std::string(NameOf(match.what)));
  }
  return absl::OkStatus();
}

absl::Status ReadCardOptions(const TtReportRequest& question,
                             tenstorrent::CardOptions* options) {
  if (!question.arch().empty()) {
    options->architecture = tenstorrent::ArchitectureOf(question.arch());
    if (!options->architecture.has_value()) {
      return InvalidField("arch", "expected wormhole_b0 or blackhole, found ",
                          question.arch());
    }
  }
  const auto take = [](std::string_view field, int64_t number,
                       std::optional<int64_t>* value) {
    if (number > 0) *value = number;
    return CheckFromZero(field, number);
  };
  TESSERA_RETURN_IF_ERROR(
      take("l1_bytes", question.l1_bytes(), &options->l1_bank_bytes));
  return take("l1_banks", question.l1_banks(), &options->l1_banks);
}

absl::Status AnswerTtReport(const ServiceOptions& options,
                            const TtReportRequest& question,
                            TtReportResult* result) {
  const absl::Status status = CheckLimit(
      "hlo_bytes", "bytes", question.text().size(), options.hlo_bytes);
  if (!status.ok()) return InField("text", status);
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.rows(), /*if_not_asked=*/10);
  if (!rows.ok()) return InField("rows", rows.status());
  tenstorrent::CardOptions card;
  TESSERA_RETURN_IF_ERROR(ReadCardOptions(question, &card));
  const LayoutFile file = tenstorrent::ReadLayoutFile(question.text(), card);
  FillTtReport(file, question.text(), question.file(), *rows, result);
  return FillTtMatches(file, question, *rows, result);
}

}  // namespace tessera
