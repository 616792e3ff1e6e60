#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/math/byte_count.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/files/mapped_output.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/layout/tensor_argument.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/progress.h"
#include "tessera/cli/relayout/element_value.h"
#include "tessera/cli/relayout/npy_file.h"
#include "tessera/cli/relayout/relayout_array.h"
#include "tessera/cli/relayout/relayout_verification.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/shape/shape.h"

namespace tessera::cli {
namespace {

constexpr char kRelayoutFooter[] =
    R"(A file holds the bytes of the array in the order of memory, including
padding, or it is a NumPy .npy file: IN if it begins like one, OUT if its name
ends in .npy. Arrays in .npy files are row-major or column-major, without
padding. The header of IN has the order; --from gives type and bounds. Types
that NumPy lacks are written as integers of the same size (bf16 as <u2), and are
also read as V2 and V1. If --from or --to is left out, that side has the
row-major array of the other side, transposed or cut to the extent by the
options.

LAYOUT is an XLA array shape, a CuTe layout, a Tenstorrent tensor or a strided
array. The file of a tensor holds the memory of all cells of its grid, with
tiles stored by faces. Tensors of block floats are refused, since their elements
share exponents. The file of a strided array begins at its position 0. Gaps in
OUT become zeros, or the --pad-value. A CuTe layout has the element type of the
other side.

A slice is an --extent smaller than IN; a pad is a --to larger than the extent.
The part of OUT outside the box is padding. With --transpose 2,0,1 the first
dimension of OUT is the last of IN, as in XLA and NumPy.

OUT is overwritten, with padding of 0 unless --pad-value sets another value. An
existing file is replaced only when the new one is complete. --verify moves
every element back and compares. It also checks 65,536 positions of OUT one by
one, chosen at random if OUT has more.

Examples:
  tessera relayout --to 'f32[1000,1000]{1,0:T(8,128)}' host.npy device.bin
  tessera relayout --from 'bf16[9,130]{1,0:T(8,128)(2,1)}' device.bin host.npy
  tessera relayout --from 'f32[64,64]' --to 'f32[64,64]{0,1}' - - <a >b
  tessera relayout --from 'f32[64,64]' --to 'tensor<64x64xf32, #tt.metal_layout<
    (d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>,
    #tt.memory_space<l1>>>>' host.bin tiles.bin
  tessera relayout --from 'f32[4,8] strides (64, 8) bytes' \
    --to 'f32[4,8]{1,0:T(8,128)}' view.bin tiles.bin
  tessera relayout --from 'f32[64,64]' --from-begin 8,0 --extent 16,64 a b
  tessera relayout --from 'f32[60,60]' --to 'f32[64,64]' --to-begin 2,2 a b
  tessera relayout --from 'f32[2,3,4]' --transpose 2,0,1 a b
  tessera relayout --to 'f32[1000,1000]{1,0:T(8,128)}' --plan)";

constexpr std::string_view kNpyExtension = ".npy";
// The bytes to move between two updates of the progress line.
constexpr int64_t kPieceBytes = int64_t{1} << 24;

using NumberList = std::vector<int64_t>;

struct RelayoutCommandOptions {
  bool has_box() const {
    return from_begin.has_value() || to_begin.has_value() || extent.has_value();
  }

  std::optional<std::string> from, to, in, out, pad_value, aliases;
  std::optional<NumberList> transpose, from_begin, to_begin, extent;
  ParseOptions parse;
  bool verify = false;
  bool plan = false;
  OutputFormat format = OutputFormat::kText;
};

bool HasNpyExtension(const std::string& name) {
  return EndsWith(name, kNpyExtension);
}

std::string_view SourceName(const std::string& file,
                            std::string_view standard) {
  return file == kStdinArgument ? standard : std::string_view(file);
}

// -- Shapes ------------------------------------------------------------------

Layout UntiledLayout(int64_t rank, bool is_column_major, int64_t element_bits) {
  Layout::MinorToMajor order(static_cast<size_t>(rank));
  for (int64_t i = 0; i < rank; ++i) {
    order[i] = is_column_major ? i : rank - 1 - i;
  }
  return Layout(std::move(order)).WithElementSizeInBits(element_bits);
}

// Returns the array untiled, with the storage of its elements unchanged.
Shape Untiled(const Shape& array, bool is_column_major) {
  return array.WithLayout(UntiledLayout(array.rank(), is_column_major,
                                        array.layout().element_size_in_bits()));
}

// Returns a row-major array of other bounds, with the element storage of
// `array`.
Shape WithBounds(const Shape& array, const NumberList& bounds) {
  return Shape::Array(array.element_type(),
                      Shape::Dimensions(bounds.begin(), bounds.end()),
                      UntiledLayout(static_cast<int64_t>(bounds.size()), false,
                                    array.layout().element_size_in_bits()));
}

// Returns whether `array` lies in memory like an untiled array without padding.
absl::StatusOr<bool> IsUntiled(const RelayoutArray& array,
                               bool is_column_major) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap untiled,
                           ToIndexMap(Untiled(array.shape, is_column_major)));
  if (array.map.position_count() != untiled.position_count()) return false;
  return SameFunction(array.map, untiled);
}

struct Arrays {
  RelayoutArray from;
  RelayoutArray to;
};

// Accepts a number of any element type.
std::string ReadPadValue(const std::string& text,
                         std::optional<std::string>* pad_value) {
  for (const PrimitiveType type : {F64, PRED}) {
    const absl::Status status = ParseElementValue(text, type).status();
    if (absl::IsInvalidArgument(status)) continue;
    *pad_value = text;
    return "";
  }
  return absl::StrCat(text, " is not a number, true or false");
}

// Returns an error message about the arguments and options; "" if there is
// none.
std::string RelayoutUsageError(const RelayoutCommandOptions& options) {
  if (!options.plan && !options.out.has_value())
    return "IN and OUT are required";
  if (!options.plan && options.format == OutputFormat::kJson) {
    return "--format=json needs --plan";
  }
  if (options.transpose.has_value()) {
    const std::string error =
        PermutationError("--transpose", *options.transpose);
    if (!error.empty()) return error;
  }
  if (options.from.has_value()) return "";
  if (!options.to.has_value()) return "--from, --to or both are required";
  return options.has_box()
             ? "--from is required with --from-begin, --to-begin or --extent"
             : "";
}

absl::Status CheckHasEntryEach(std::string_view option,
                               const NumberList& numbers, const Shape& array) {
  if (static_cast<int64_t>(numbers.size()) == array.rank()) {
    return absl::OkStatus();
  }
  return InvalidArgumentError(
      option, " has ", Counted(numbers.size(), "entry", "entries"), ", but ",
      array.ToString(), " has ", Counted(array.rank(), "dimension"));
}

// Returns the shape that is left out, of the input or the output.
absl::StatusOr<Shape> OtherShape(const RelayoutCommandOptions& options,
                                 const Shape& given, bool is_input) {
  NumberList bounds(given.dimensions().begin(), given.dimensions().end());
  if (options.extent.has_value()) {
    TESSERA_RETURN_IF_ERROR(
        CheckHasEntryEach("--extent", *options.extent, given));
    bounds = *options.extent;
  }
  if (options.transpose.has_value()) {
    const NumberList& permutation = *options.transpose;
    TESSERA_RETURN_IF_ERROR(
        CheckHasEntryEach("--transpose", permutation, given));
    const NumberList before = bounds;
    for (size_t i = 0; i < permutation.size(); ++i) {
      if (is_input) {
        bounds[i] = before[permutation[i]];
      } else {
        bounds[permutation[i]] = before[i];
      }
    }
  } else if (!options.extent.has_value()) {
    return Untiled(given, false);
  }
  return WithBounds(given, bounds);
}

// Returns the box to move and its destination.
RelayoutOptions OptionsOf(const RelayoutCommandOptions& options) {
  RelayoutOptions relayout;
  if (options.transpose.has_value()) {
    relayout.to_dimensions.resize(options.transpose->size());
    for (size_t i = 0; i < options.transpose->size(); ++i) {
      relayout.to_dimensions[(*options.transpose)[i]] = static_cast<int64_t>(i);
    }
  }
  relayout.from_begins = options.from_begin.value_or(NumberList());
  relayout.to_begins = options.to_begin.value_or(NumberList());
  relayout.extents = options.extent.value_or(NumberList());
  return relayout;
}

std::optional<Arrays> ReadArrays(const RelayoutCommandOptions& options,
                                 Console* console) {
  std::optional<RelayoutArray> arrays[2];
  const std::optional<std::string>* const texts[] = {&options.from,
                                                     &options.to};
  // A CuTe layout has the type of the other side, which is read before it.
  const bool is_from_last = options.from.has_value() &&
                            FamilyOf(*options.from) == LayoutFamily::kCute;
  std::optional<PrimitiveType> type;
  for (const int i : {is_from_last ? 1 : 0, is_from_last ? 0 : 1}) {
    if (!texts[i]->has_value()) continue;
    arrays[i] = ReadRelayoutArray(**texts[i], options.parse, type, console);
    if (!arrays[i].has_value()) return std::nullopt;
    type = arrays[i]->shape.element_type();
  }
  for (int i = 0; i < 2; ++i) {
    if (arrays[i].has_value()) continue;
    const absl::StatusOr<Shape> shape =
        OtherShape(options, arrays[1 - i]->shape, /*is_input=*/i == 1);
    absl::StatusOr<RelayoutArray> other =
        shape.ok() ? RelayoutArrayOf(AnyLayout(*shape)) : shape.status();
    if (!other.ok()) {
      PrintError({kArgumentName}, other.status(), console);
      return std::nullopt;
    }
    arrays[i] = *std::move(other);
  }
  return Arrays{*std::move(arrays[0]), *std::move(arrays[1])};
}

// -- .npy files --------------------------------------------------------------

absl::Status CheckNpyElements(const Shape& array) {
  const int64_t bits = StorageBits(array);
  if (bits == 8 * ByteWidth(array.element_type()) &&
      !NpyDescrs(array.element_type()).empty()) {
    return absl::OkStatus();
  }
  return UnimplementedError("a .npy file has no elements of ",
                            PrimitiveTypeName(array.element_type()), " in ",
                            Counted(bits, "bit"));
}

// Returns `array` in the layout that the file has.
absl::StatusOr<RelayoutArray> NpyInput(const NpyHeader& header,
                                       const RelayoutArray& array) {
  const Shape& from = array.shape;
  TESSERA_RETURN_IF_ERROR(CheckNpyElements(from));
  const absl::Span<const std::string_view> descrs =
      NpyDescrs(from.element_type());
  if (!absl::c_linear_search(descrs, header.descr)) {
    return InvalidArgumentError("expected elements of type '", descrs[0],
                                "' for ", array.text, ", found '", header.descr,
                                "'");
  }
  if (absl::MakeConstSpan(header.shape) != from.dimensions()) {
    return InvalidArgumentError(
        "expected the bounds [", absl::StrJoin(from.dimensions(), ","), "] of ",
        array.text, ", found [", absl::StrJoin(header.shape, ","), "]");
  }
  const Shape stored = Untiled(from, header.fortran_order);
  // Tries row-major first: a shape without a layout is row-major by default,
  // which does not express a choice.
  for (const bool is_column_major : {false, header.fortran_order}) {
    TESSERA_ASSIGN_OR_RETURN(const bool is_same,
                             IsUntiled(array, is_column_major));
    if (is_same) return RelayoutArrayOf(AnyLayout(stored));
  }
  return InvalidArgumentError("holds ", stored.ToString(),
                              ", and --from asks for ", array.text);
}

absl::StatusOr<NpyHeader> NpyOutputHeader(const RelayoutArray& array) {
  const Shape& to = array.shape;
  TESSERA_RETURN_IF_ERROR(CheckNpyElements(to));
  NpyHeader header;
  header.descr = std::string(NpyDescrs(to.element_type())[0]);
  header.shape.assign(to.dimensions().begin(), to.dimensions().end());
  for (const bool is_column_major : {false, true}) {
    TESSERA_ASSIGN_OR_RETURN(const bool is_same,
                             IsUntiled(array, is_column_major));
    header.fortran_order = is_column_major;
    if (is_same) return header;
  }
  return InvalidArgumentError(
      "a .npy file holds arrays in row-major or column-major "
      "order without padding, not ",
      array.text);
}

// -- The input ---------------------------------------------------------------

struct Input {
  absl::Span<const uint8_t> array() const {
    return file.bytes().subspan(static_cast<size_t>(begin));
  }

  FileBytes file;
  std::optional<FileIdentity> identity;
  RelayoutArray from;
  int64_t begin = 0;  // of the array
};

// The plan has proven that this fits.
int64_t BufferBytes(const RelayoutArray& array) {
  return *CheckedByteCount(array.map.position_count(),
                           StorageBits(array.shape));
}

// Returns the number of bytes of an input that are used.
int64_t InputLimit(const RelayoutPlan& plan) {
  // One more than expected.
  constexpr int64_t kMore = kMaxNpyHeaderBytes + 1;
  return std::min(plan.from_bytes(),
                  std::numeric_limits<int64_t>::max() - kMore) +
         kMore;
}

absl::StatusOr<Input> OpenInput(const std::string& name,
                                const RelayoutArray& from,
                                const RelayoutPlan& plan, Console* console) {
  FileOptions options;
  options.memory_limit = InputLimit(plan);
  options.cut_at_limit = true;
  options.unpack_gzip = false;
  TESSERA_ASSIGN_OR_RETURN(FileBytes file,
                           OpenInputFile(name, options, console));
  Input input{std::move(file), IdentityOf(name, console), from};
  if (HasNpyExtension(name) || HasNpyMagic(input.file.text())) {
    TESSERA_ASSIGN_OR_RETURN(const NpyHeader header,
                             ReadNpyHeader(input.file.text()));
    TESSERA_ASSIGN_OR_RETURN(input.from, NpyInput(header, from));
    input.begin = header.data_begin;
  }
  const int64_t expected = BufferBytes(input.from);
  const int64_t found = static_cast<int64_t>(input.array().size());
  if (found != expected || input.file.is_cut()) {
    return InvalidArgumentError("expected ", Counted(expected, "byte"),
                                input.begin > 0 ? " after the header" : "",
                                " for ", input.from.text, ", found ",
                                input.file.is_cut() ? "more than " : "", found);
  }
  return input;
}

// -- Moving ------------------------------------------------------------------

absl::Status RunPlan(const RelayoutPlan& plan, const std::string& name,
                     const char* activity, Console* console,
                     absl::Span<const uint8_t> from, absl::Span<uint8_t> to) {
  const int64_t bytes = std::max(plan.from_bytes(), plan.to_bytes());
  const int64_t pieces = bytes / kPieceBytes + 1;
  Progress progress(name, bytes, console, activity);
  for (int64_t i = 0; i < pieces; ++i) {
    progress.Update(bytes / pieces * i);
    TESSERA_RETURN_IF_ERROR(plan.ExecutePiece(i, pieces, from, to));
  }
  return absl::OkStatus();
}

std::string PlanToText(const RelayoutPlan& plan, const Arrays& arrays) {
  const auto sized = [](const RelayoutArray& array, int64_t bytes) {
    return absl::StrCat(array.text, ", ", Counted(bytes, "byte"), " (",
                        HumanBytes(bytes), ")\n");
  };
  return absl::StrCat("from   ", sized(arrays.from, plan.from_bytes()),  //
                      "to     ", sized(arrays.to, plan.to_bytes()),      //
                      "moves  ", Counted(plan.bytes_moved(), "byte"),
                      ", most of them ", plan.contiguous_bytes(),
                      " or more at a time\n", plan.ToString());
}

bool Move(const RelayoutCommandOptions& options, const RelayoutPlan& plan,
          const ElementBytes& pad_value, const Input& input,
          const RelayoutArray& to, Console* console) {
  const std::string& out = *options.out;
  const std::string_view out_name = SourceName(out, "<stdout>");
  std::string header;
  if (HasNpyExtension(out)) {
    const absl::StatusOr<NpyHeader> npy = NpyOutputHeader(to);
    if (!npy.ok()) return PrintError({out_name}, npy.status(), console);
    header = NpyHeaderBytes(*npy);
  }
  const int64_t header_size = static_cast<int64_t>(header.size());
  if (plan.to_bytes() > std::numeric_limits<int64_t>::max() - header_size) {
    return PrintError({out_name},
                      absl::OutOfRangeError("has more than 2^63-1 bytes"),
                      console);
  }
  absl::StatusOr<MappedOutput> output = MappedOutput::Create(
      out, header_size + plan.to_bytes(), input.identity, console);
  if (!output.ok()) return PrintError({out_name}, output.status(), console);
  std::copy(header.begin(), header.end(), output->bytes().begin());
  const absl::Span<uint8_t> array = output->bytes().subspan(header.size());

  const std::string in_name(SourceName(*options.in, kStdinName));
  absl::Status status =
      RunPlan(plan, in_name, "moving", console, input.array(), array);
  if (!status.ok()) return PrintError({out_name}, status, console);
  if (!input.file.IsWhole()) {
    return PrintError({in_name},
                      absl::UnavailableError("was cut short while it was read"),
                      console);
  }
  if (options.verify) {
    const absl::StatusOr<int64_t> positions = VerifyRelayout(
        {input.from.map, to.map, StorageBits(to.shape), plan.box(), pad_value,
         input.array(), array},
        [&](const RelayoutPlan& back, absl::Span<const uint8_t> from,
            absl::Span<uint8_t> target) {
          return RunPlan(back, std::string(out_name), "verifying", console,
                         from, target);
        });
    if (!positions.ok()) {
      return PrintError({out_name}, positions.status(), console);
    }
    PrintNote({out_name},
              absl::StrCat("verified: ", Counted(plan.bytes_moved(), "byte"),
                           " there and back, ", Counted(*positions, "position"),
                           " one by one"),
              console);
  }
  status = output->Finish();
  return status.ok() || PrintError({out_name}, status, console);
}

bool RunRelayout(RelayoutCommandOptions options, Console* console) {
  for (std::optional<std::string>* layout : {&options.from, &options.to}) {
    if (layout->has_value() &&
        !ExpandTensorArgument(options.aliases, OutputFormat::kText, console,
                              &**layout)) {
      return false;
    }
  }
  std::optional<Arrays> arrays = ReadArrays(options, console);
  if (!arrays.has_value()) return false;

  ElementBytes pad_value = {};
  RelayoutOptions relayout = OptionsOf(options);
  if (options.pad_value.has_value()) {
    const absl::StatusOr<ElementBytes> value =
        ParseElementValue(*options.pad_value, arrays->to.shape.element_type());
    if (!value.ok()) {
      return PrintError({kArgumentName}, value.status(), console);
    }
    pad_value = *value;
    // The output is all zeros to begin with.
    if (pad_value != ElementBytes{}) relayout.pad_value = pad_value;
  }
  // Errors of the arrays are reported before anything is read.
  absl::StatusOr<RelayoutPlan> plan =
      PlanRelayout(arrays->from, arrays->to, relayout);
  if (!plan.ok()) return PrintError({kArgumentName}, plan.status(), console);

  std::optional<Input> input;
  if (options.in.has_value()) {
    absl::StatusOr<Input> opened =
        OpenInput(*options.in, arrays->from, *plan, console);
    if (!opened.ok()) {
      return PrintError({SourceName(*options.in, kStdinName)}, opened.status(),
                        console);
    }
    input = *std::move(opened);
    if (input->from.shape != arrays->from.shape) {
      arrays->from = input->from;
      plan = PlanRelayout(arrays->from, arrays->to, relayout);
      if (!plan.ok()) {
        return PrintError({kArgumentName}, plan.status(), console);
      }
    }
  }
  if (options.plan) {
    *console->out << (options.format == OutputFormat::kJson
                          ? JsonLineOf(RelayoutCostOf(*plan))
                          : PlanToText(*plan, *arrays));
    return true;
  }
  return Move(options, *plan, pad_value, *input, arrays->to, console);
}

}  // namespace

void AddRelayoutCommand(CommandLine* command_line) {
  auto options = std::make_shared<RelayoutCommandOptions>();
  Subcommand command = command_line->Add(
      "relayout", "Move an array from one layout to another, file to file",
      kRelayoutFooter);
  command.OptionalArgument(
      "IN", "the file with the array; - for standard input", &options->in);
  command.OptionalArgument("OUT", "the file to write; - for standard output",
                           &options->out);
  command.Text("--from", "LAYOUT", "the layout of the array in IN",
               &options->from);
  command.Text("--to", "LAYOUT", "the layout of the array in OUT",
               &options->to);
  AddAliasesOption(&command, &options->aliases);
  command.Value("--transpose", "D,E,...",
                "the dimensions of IN, in the order of OUT",
                ReadIndexInto(&options->transpose));
  command.Value(
      "--extent", "N,M,...",
      "the sizes of the box to move, one for each dimension of IN (all of IN)",
      ReadIndexInto(&options->extent));
  command.Value("--from-begin", "I,J,...",
                "where the box begins in IN (0,0,...)",
                ReadIndexInto(&options->from_begin));
  command.Value("--to-begin", "I,J,...",
                "where the box begins in OUT, one number for each dimension of "
                "OUT (0,0,...)",
                ReadIndexInto(&options->to_begin));
  command.Value(
      "--pad-value", "VALUE",
      "the value of padding, as a number of the element type (zero bytes)",
      [options](const std::string& text) {
        return ReadPadValue(text, &options->pad_value);
      });
  command.Flag("--verify", "check that every element is in its place",
               &options->verify);
  command.Flag("--plan,--dry-run",
               "print the plan and its cost without writing anything; IN and "
               "OUT are optional",
               &options->plan);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  AddLenientFlag(&options->parse, &command);
  command.Run(options, RunRelayout, RelayoutUsageError);
}

}  // namespace tessera::cli
