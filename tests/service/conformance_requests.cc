#include "tessera/tests/service/conformance_requests.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera {
namespace {

constexpr uint64_t kSeed = 20260707;
constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

template <size_t n>
std::string OneOf(const char* const (&texts)[n], RandomBits* random) {
  return texts[Uniform(0, n - 1, random)];
}

// A layout with the bounds of its indices and a number of positions that need
// not be right.
struct Sample {
  std::string text;
  std::vector<int64_t> bounds;
  int64_t positions = 0;
};

Sample RandomXla(RandomBits* random) {
  const bool is_large = Uniform(0, 4, random) == 0;
  const LiteralLayout layout = RandomLayout(
      is_large ? LargeLayoutOptions() : RandomLayoutOptions(), random);
  return {layout.ToString(), layout.bounds, 5000};
}

Sample RandomCute(RandomBits* random) {
  const cute::LiteralLayout layout =
      cute::RandomCuteLayout(cute::RandomCuteOptions(), random);
  Sample sample{layout.ToString(), {}, layout.Size()};
  if (layout.is_leaf) sample.bounds = {layout.shape};
  for (const cute::LiteralLayout& mode : layout.modes) {
    sample.bounds.push_back(mode.Size());
  }
  if (Uniform(0, 3, random) == 0) {
    sample.text = absl::StrCat("Sw<2,0,3> o 0 o ", sample.text);
  }
  return sample;
}

// Of shards that keep the rules, and now and then of one that does not.
Sample RandomTensor(RandomBits* random) {
  const int64_t rows = Uniform(1, 100, random);
  const int64_t columns = Uniform(1, 100, random);
  const int64_t grid_rows = Uniform(1, 4, random);
  const int64_t grid_columns = Uniform(1, 4, random);
  const bool is_tiled = Uniform(0, 1, random) == 0;
  const bool is_wrong = Uniform(0, 7, random) == 0;
  const int64_t tile = is_tiled ? 32 : 1;
  const auto memref = [&](int64_t size, int64_t grid) {
    const int64_t shard = (size + grid - 1) / grid;
    return (shard + tile - 1) / tile;
  };
  const std::string text = absl::StrCat(
      "tensor<", rows, "x", columns,
      "xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), ",
      OneOf({"undef", "zero", "neginf"}, random), ", <", grid_rows, "x",
      grid_columns, ">, memref<", memref(rows, grid_rows) + is_wrong, "x",
      memref(columns, grid_columns),
      is_tiled ? "x!tt.tile<32x32, f32>" : "xf32", ", #tt.memory_space<",
      OneOf({"l1", "dram"}, random), ">>>>");
  return {text, {rows, columns}, rows * columns};
}

// Text with a byte more, less or other.
std::string Damaged(std::string text, RandomBits* random) {
  if (text.empty()) return "{";
  const int64_t at = Uniform(0, text.size() - 1, random);
  switch (Uniform(0, 2, random)) {
    case 0:
      return text.erase(at, 1);
    case 1:
      return text.insert(at, OneOf({"(", "}", ",", "\"", "\xC3\xA9"}, random));
    default:
      return text.substr(0, at);
  }
}

Sample RandomSample(RandomBits* random) {
  Sample sample;
  switch (Uniform(0, 2, random)) {
    case 0:
      sample = RandomXla(random);
      break;
    case 1:
      sample = RandomCute(random);
      break;
    default:
      sample = RandomTensor(random);
  }
  if (Uniform(0, 9, random) == 0) sample.text = Damaged(sample.text, random);
  return sample;
}

// Indices, one after the other; now and then one outside, or too few entries.
std::vector<int64_t> RandomIndices(const Sample& sample, int64_t count,
                                   RandomBits* random) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < count; ++i) {
    for (const int64_t bound : sample.bounds) {
      indices.push_back(Uniform(0, bound > 0 ? bound - 1 : 0, random));
    }
  }
  if (!indices.empty() && Uniform(0, 7, random) == 0) {
    const int64_t at = Uniform(0, indices.size() - 1, random);
    indices[at] = Uniform(0, 1, random) == 0 ? -1 : kHuge;
  }
  if (!indices.empty() && Uniform(0, 15, random) == 0) indices.pop_back();
  return indices;
}

template <typename List>
void Assign(const std::vector<int64_t>& numbers, List* list) {
  list->Add(numbers.begin(), numbers.end());
}

PositionUnits RandomUnits(RandomBits* random) {
  return static_cast<PositionUnits>(
      Uniform(0, 4, random) == 0 ? Uniform(1, 2, random) : 0);
}

std::string RandomHlo(RandomBits* random) {
  std::string text = absl::StrCat(
      "HloModule m", Uniform(0, 1, random) == 0 ? ", is_scheduled=true" : "",
      "\n\nENTRY main {\n");
  const int64_t size = Uniform(1, 6, random);
  for (int64_t i = 0; i < size; ++i) {
    const std::string shape = RandomXla(random).text;
    absl::StrAppend(&text, "  ", i + 1 == size ? "ROOT " : "", "x", i, " = ",
                    shape, i == 0 ? " parameter(0)" : " copy(x0)", "\n");
  }
  text += "}\n";
  return Uniform(0, 3, random) == 0 ? Damaged(text, random) : text;
}

void FillParse(RandomBits* random, ParseRequest* question) {
  question->set_text(RandomSample(random).text);
  if (Uniform(0, 3, random) == 0) {
    question->set_text(
        OneOf({"{1,0:T(8,128)}", "(x: f32[2]) -> f32[2]", "F32[2]{}", "(8,128)",
               "", "<3:4, 8:2>", "(f32[2], token[])", "\xE2\x82\xAC"},
              random));
  }
  if (Uniform(0, 3, random) == 0) {
    question->set_kind(static_cast<ParseRequest::Kind>(Uniform(0, 6, random)));
  }
  question->set_lenient(Uniform(0, 1, random) == 0);
}

void FillRegion(const Sample& sample, RandomBits* random,
                RunsRequest* question) {
  question->set_layout(sample.text);
  question->set_max_runs(Uniform(0, 20, random));
  if (Uniform(0, 1, random) == 0) return;
  for (const int64_t bound : sample.bounds) {
    const int64_t start = Uniform(0, bound, random);
    question->add_start(start);
    question->add_limit(Uniform(start, bound, random));
  }
}

void FillPicture(const Sample& sample, RandomBits* random,
                 PictureRequest* question) {
  question->set_layout(sample.text);
  if (Uniform(0, 3, random) == 0) question->set_rows(Uniform(0, 2, random));
  if (Uniform(0, 3, random) == 0) question->set_columns(Uniform(0, 2, random));
  if (Uniform(0, 3, random) == 0) {
    Assign(RandomIndices(sample, 1, random), question->mutable_index());
  }
  const auto window = [random](CellRange* range) {
    range->set_first(Uniform(-1, 40, random));
    range->set_count(Uniform(-1, 20, random));
  };
  if (Uniform(0, 1, random) == 0) window(question->mutable_row_window());
  if (Uniform(0, 1, random) == 0) window(question->mutable_column_window());
  if (Uniform(0, 1, random) == 0) window(question->mutable_memory());
}

void FillDerive(RandomBits* random, DeriveRequest* question) {
  const int64_t rank = Uniform(0, 4, random);
  for (int64_t i = 0; i < rank; ++i) {
    question->add_shape(Uniform(0, 70, random));
  }
  question->add_grid(Uniform(1, 4, random));
  question->add_grid(Uniform(1, 4, random));
  question->set_element(OneOf(
      {"", "bf16", "tile<32x32,bf16>", "tile<32x32,bfp_bf8>", "f99"}, random));
  question->set_memory_space_name(OneOf({"", "dram", "moon"}, random));
  question->set_oob_value(OneOf({"", "zero"}, random));
  question->set_reference_2024(Uniform(0, 5, random) == 0);
}

void FillTtnn(RandomBits* random, TtnnRequest* question) {
  const int64_t rank = Uniform(0, 4, random);
  for (int64_t i = 0; i < rank; ++i) {
    question->add_shape(Uniform(0, 15, random) > 0 ? Uniform(1, 70, random)
                                                   : 0);
  }
  question->set_pad(Uniform(0, 2, random) == 0);
  if (Uniform(0, 3, random) == 0) {
    Assign({Uniform(1, 8, random) * 16, 16, 1}, question->mutable_strides());
  }
  Assign({Uniform(1, 40, random), Uniform(1, 40, random)},
         question->mutable_shard_shape());
  if (Uniform(0, 1, random) == 0) {
    Assign({Uniform(1, 2, random), 32}, question->mutable_tile_shape());
  }
}

void FillClassify(const Sample& sample, RandomBits* random,
                  ClassifyRequest* question) {
  question->set_tensor(sample.text);
  const int64_t places = Uniform(1, 5, random);
  for (int64_t i = 0; i < places; ++i) {
    TensorPlace& place = *question->add_places();
    const bool is_far = Uniform(0, 15, random) == 0;
    Assign({is_far ? 3 : 0, 0}, place.mutable_cell());
    if (Uniform(0, 2, random) > 0) {
      Assign({0, Uniform(0, 8, random)}, place.mutable_offset());
    } else {
      Assign({0, 0}, place.mutable_tile());
      Assign({0, Uniform(0, 1, random)}, place.mutable_in_tile());
    }
  }
}

std::string RandomExpression(RandomBits* random) {
  const std::string a = RandomCute(random).text;
  const std::string b = RandomCute(random).text;
  const std::string text = absl::StrCat(
      "A = ", a, "; ",
      OneOf({"coalesce(A)", "size(A)", "A(0)", "complement(A, 4096)", "A o A",
             "logical_divide(A, 2:1)", "rank(A) ;", "nonsense(A)"},
            random),
      Uniform(0, 2, random) == 0 ? absl::StrCat("; ", b) : "");
  return Uniform(0, 7, random) == 0 ? Damaged(text, random) : text;
}

void FillPeak(RandomBits* random, PeakRequest* question) {
  question->set_hlo(RandomHlo(random));
  question->set_rows(Uniform(-1, 5, random));
  question->set_strict(Uniform(0, 3, random) == 0);
  question->set_series(Uniform(0, 1, random) == 0);
  question->set_file(OneOf({"", "dump.txt"}, random));
}

// A message with a list, an instruction, or a layout of JAX, now and then with
// damage.
void FillExplainText(const Sample& sample, RandomBits* random,
                     ExplainTextRequest* question) {
  const std::string size = absl::StrCat(Uniform(1, 4000, random), ".00M");
  const std::string list = absl::StrCat(
      "Ran out of memory in memory space hbm. Used 2.00G of 1.00G hbm.\n"
      "  Largest program allocations in hbm:\n  1. Size: ",
      size, "\n     Shape: ", sample.text,
      "\n  2. Size: 4.0K\n     Shape: ", "f32[", Uniform(1, 200, random), ",",
      Uniform(1, 200, random), "]\n");
  const std::string copy =
      absl::StrCat("%y = ", sample.text, " copy(", sample.text, " %x)");
  const std::string text =
      OneOf({"", "list", "copy", "Layout(major_to_minor=(1, 0), tiling=((8,))",
             "f32[8,130] Layout(major_to_minor=(1, 0), tiling=((8, 128),))",
             "BufferAssignment:\nallocation 0: size 648, preallocated-temp:\n "
             "value: <85 x @0> (size=512,offset=128): f64[64]{0}\n",
             "module @m {}"},
            random);
  question->set_text(text == "list" ? list : text == "copy" ? copy : text);
  if (Uniform(0, 7, random) == 0) {
    question->set_text(Damaged(question->text(), random));
  }
  question->set_rows(Uniform(-1, 5, random));
}

void FillDiff(RandomBits* random, DiffRequest* question) {
  question->set_before(RandomHlo(random));
  question->set_after(RandomHlo(random));
  question->set_rows(Uniform(-1, 5, random));
  question->set_strict(Uniform(0, 3, random) == 0);
  question->set_after_file(OneOf({"", "after.txt"}, random));
}

// The question of a kind, by the number of its field.
void FillQuestion(int kind, RandomBits* random, Request* request) {
  const Sample sample = RandomSample(random);
  const Sample tensor = RandomTensor(random);
  switch (kind) {
    case Request::kParse:
      return FillParse(random, request->mutable_parse());
    case Request::kDescribe:
      return request->mutable_describe()->set_layout(sample.text);
    case Request::kLinearize: {
      LinearizeRequest& question = *request->mutable_linearize();
      question.set_layout(sample.text);
      question.set_units(RandomUnits(random));
      Assign(RandomIndices(sample, Uniform(0, 40, random), random),
             question.mutable_indices());
      return;
    }
    case Request::kDelinearize: {
      DelinearizeRequest& question = *request->mutable_delinearize();
      question.set_layout(sample.text);
      question.set_units(RandomUnits(random));
      const int64_t count = Uniform(0, 40, random);
      for (int64_t i = 0; i < count; ++i) {
        question.add_linear_indices(Uniform(0, sample.positions / 50, random));
      }
      return;
    }
    case Request::kExplain: {
      ExplainRequest& question = *request->mutable_explain();
      question.set_layout(sample.text);
      Assign(RandomIndices(sample, 1, random), question.mutable_index());
      return;
    }
    case Request::kRuns:
      return FillRegion(sample, random, request->mutable_runs());
    case Request::kPadding:
      request->mutable_padding()->set_layout(sample.text);
      return request->mutable_padding()->set_max_ranges(Uniform(0, 20, random));
    case Request::kCompare: {
      CompareRequest& question = *request->mutable_compare();
      const LiteralLayout from = RandomLayout(RandomLayoutOptions(), random);
      question.set_from(from.ToString());
      question.set_to(Uniform(0, 3, random) == 0
                          ? sample.text
                          : RewrittenLayout(from, random).ToString());
      if (Uniform(0, 3, random) == 0) {
        question.set_to(Damaged(question.to(), random));
      }
      return question.set_element_bits(Uniform(-1, 2, random) * 16);
    }
    case Request::kEvaluate:
      request->mutable_evaluate()->set_expression(RandomExpression(random));
      return request->mutable_evaluate()->set_max_values(
          Uniform(0, 30, random));
    case Request::kAccess: {
      AccessRequest& question = *request->mutable_access();
      question.set_layout(
          Uniform(0, 1, random) == 0
              ? RandomExpression(random)
              : absl::StrCat("(40,4):(", Uniform(0, 64, random), ",1)"));
      question.set_threads(absl::StrCat("(", Uniform(1, 40, random), ",2):(",
                                        Uniform(0, 2, random), ",1)"));
      question.set_max_swizzles(Uniform(0, 5, random));
      question.set_max_collisions(Uniform(0, 5, random));
      return question.set_element_bytes(Uniform(0, 4, random));
    }
    case Request::kDerive:
      return FillDerive(random, request->mutable_derive());
    case Request::kTtnn:
      return FillTtnn(random, request->mutable_ttnn());
    case Request::kCheck:
      return request->mutable_check()->set_tensor(tensor.text);
    case Request::kLocate: {
      LocateRequest& question = *request->mutable_locate();
      question.set_tensor(tensor.text);
      Assign(RandomIndices(tensor, Uniform(0, 5, random), random),
             question.mutable_indices());
      return;
    }
    case Request::kClassify:
      return FillClassify(tensor, random, request->mutable_classify());
    case Request::kSummarize:
      request->mutable_summarize()->set_hlo(RandomHlo(random));
      return request->mutable_summarize()->set_rows(Uniform(0, 5, random));
    case Request::kPicture:
      return FillPicture(sample, random, request->mutable_picture());
    case Request::kExplainText:
      return FillExplainText(sample, random, request->mutable_explain_text());
    case Request::kParts:
      return request->mutable_parts()->set_layout(sample.text);
    case Request::kPeak:
      return FillPeak(random, request->mutable_peak());
    case Request::kDiff:
      return FillDiff(random, request->mutable_diff());
    case Request::kPasses: {
      PassesRequest& question = *request->mutable_passes();
      for (int64_t i = Uniform(0, 3, random); i > 0; --i) {
        PassText& pass = *question.add_dumps();
        pass.set_file(
            absl::StrCat("module_0001.f.000", i, ".a.after_b.before_c.txt"));
        pass.set_hlo(RandomHlo(random));
      }
      return question.set_rows(Uniform(0, 5, random));
    }
    case Request::kKernelVmem: {
      KernelVmemRequest& question = *request->mutable_kernel_vmem();
      if (Uniform(0, 3, random) == 0) question.add_blocks(sample.text);
      question.add_scratch(
          absl::StrCat("bf16[", Uniform(1, 2000, random), "]"));
      return question.set_buffers(Uniform(-1, 3, random));
    }
    case Request::kTtReport: {
      TtReportRequest& question = *request->mutable_tt_report();
      question.set_text(
          absl::StrCat("%0 = \"ttnn.empty\"() : () -> ", tensor.text));
      question.set_rows(Uniform(0, 5, random));
      return question.set_bytes(Uniform(0, 1, random) * 4096);
    }
    default:
      return;  // nothing is asked
  }
}

}  // namespace

std::vector<Request> ConformanceRequests() {
  RandomBits random(kSeed);
  const google::protobuf::OneofDescriptor& kinds =
      *Request::descriptor()->FindOneofByName("question");
  std::vector<Request> requests(kConformanceRequests);
  for (int i = 0; i < kConformanceRequests; ++i) {
    requests[i].set_id(absl::StrCat(i));
    // Each kind equally often, and as often a request without a question.
    const int kind = i % (kinds.field_count() + 1);
    FillQuestion(kind < kinds.field_count() ? kinds.field(kind)->number()
                                            : Request::QUESTION_NOT_SET,
                 &random, &requests[i]);
  }
  return requests;
}

}  // namespace tessera
