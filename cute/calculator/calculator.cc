#include "tessera/cute/calculator/calculator.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/atoms/atom.h"
#include "tessera/cute/calculator/calculator_arguments.h"
#include "tessera/cute/calculator/calculator_function.h"
#include "tessera/cute/calculator/calculator_functions.h"
#include "tessera/cute/calculator/explanation.h"
#include "tessera/cute/calculator/line_reader.h"
#include "tessera/cute/calculator/pointer.h"
#include "tessera/cute/calculator/printed_block.h"
#include "tessera/cute/calculator/shared_memory_atom.h"
#include "tessera/cute/calculator/triton_encoding.h"
#include "tessera/cute/calculator/unknown_sizes.h"
#include "tessera/cute/element_type.h"
#include "tessera/cute/parse.h"

namespace tessera::cute {

namespace {

// Returns "1 or 2 arguments, coalesce(A[, profile])", for a message.
std::string Signature(const CalculatorFunction& function) {
  std::string count =
      function.least == function.most ? absl::StrCat(function.least)
      : function.most == CalculatorFunction::kAnyNumber
          ? absl::StrCat("at least ", function.least)
          : absl::StrCat(function.least,
                         function.most > function.least + 1 ? " to " : " or ",
                         function.most);
  return StrCat(
      count,
      count == "1" || count == "at least 1" ? " argument, " : " arguments, ",
      function.name, "(", function.parameters, ")");
}

std::optional<Major> MajorOfName(std::string_view name) {
  if (name == "LayoutLeft" || name == "GenColMajor") return Major::kLeft;
  if (name == "LayoutRight" || name == "GenRowMajor") return Major::kRight;
  return std::nullopt;
}

bool IsInteger(const CalculatorValue& value) {
  const auto* tuple = std::get_if<IntTuple>(&value);
  return tuple != nullptr && tuple->is_integer() && !HasUnderscore(*tuple);
}

// Returns whether such a value addresses elements that have a size.
bool HasElements(const CalculatorValue& value) {
  return std::holds_alternative<Layout>(value) ||
         std::holds_alternative<ComposedLayout>(value) ||
         std::holds_alternative<Swizzle>(value) ||
         std::holds_alternative<Pointer>(value);
}

bool IsTupleType(std::string_view name) {
  return name == "Shape" || name == "Stride" || name == "Step" ||
         name == "Coord" || name == "Tile" || name == "tuple" ||
         name == "ArithmeticTuple" || name == "IntTuple";
}

// The words that cute/parse.h reads: names of types, and of functions that make
// the written value.
bool IsTypeOfLiteral(std::string_view name) {
  return name == "Layout" || name == "Int" || name == "C" ||
         name == "Swizzle" || name == "integral_constant" ||
         name == "constant" || name == "Underscore" || IsTupleType(name);
}
bool IsMakerOfLiteral(std::string_view name) {
  return name == "make_layout" || name == "make_shape" ||
         name == "make_stride" || name == "make_coord" || name == "make_step" ||
         name == "make_tuple" || name == "make_tile" || name == "make_tiler";
}

// The functions after which people name their results: layout = ....
bool IsNameOfValue(std::string_view name) {
  return name == "layout" || name == "shape" || name == "stride";
}

// Returns the parameters of a function in the CuTe DSL, in the DSL's order; ""
// if there is no such function, or if its parameters have the same names.
std::string_view PythonParameters(std::string_view function) {
  static constexpr struct {
    std::string_view functions;  // with a space before and after each
    std::string_view parameters;
  } kParameters[] = {
      {" coalesce filter filter_zeros ", "input,target_profile"},
      {" right_inverse left_inverse make_layout_like ", "input"},
      {" append prepend ", "input,elem,up_to_rank"},
      {" group_modes ", "input,begin,end"},
      {" complement ", "input,cotarget"},
      {" composition shape_div elem_less ", "lhs,rhs"},
      {" logical_divide zipped_divide tiled_divide flat_divide ",
       "target,tiler"},
      {" logical_product zipped_product tiled_product flat_product "
       "blocked_product raked_product ",
       "block,tiler"},
      {" ceil_div ", "input,tiler"},
      {" make_composed_layout ", "inner,offset,outer"},
      {" tile_to_shape ", "atom,trg_shape,order"},
      {" recast_layout ", "new_type_bits,old_type_bits,src_layout"},
      {" slice ", "src,coord"},
      {" slice_and_offset ", "coord,src"},
      {" dice ", "src,dicer"},
      {" crd2idx ", "coord,layout"},
      {" idx2crd ", "idx,shape"},
      {" local_tile ", "input,tiler,coord,proj"},
      {" local_partition ", "target,tiler,index,proj"},
      {" make_layout_tv ", "thr_layout,val_layout"},
      {" make_tiled_copy ", "atom,layout_tv,tiler_mn"},
      {" make_tiled_copy_tv ", "atom,thr_layout,val_layout"},
      {" make_tiled_mma make_tiled_mma_A make_tiled_mma_B ",
       "op_or_atom,atom_layout_mnk,permutation_mnk"},
      {" flatten depth product product_each round_up max_common_layout "
       "max_common_vector ",
       "a,b"},
      {" size cosize rank get select ", "obj"},
      {" nullspace ", "layout"},
      {" Swizzle make_swizzle ", "b,m,s"},
  };
  const std::string word = StrCat(" ", function, " ");
  for (const auto& [functions, parameters] : kParameters) {
    if (StrContains(functions, word)) return parameters;
  }
  return "";
}

// Returns the function that has another name as a C++ type, or in Python.
std::string_view FunctionOfOtherName(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"C", "Int"},
      {"Layout", "make_layout"},
      {"ComposedLayout", "composition"},
      {"make_composed_layout", "composition"},
      {"make_swizzle", "Swizzle"},
      {"make_identity_tensor", "make_identity_layout"},
      {"slice_", "slice"},
      {"compose", "composition"}};
  for (const auto& [other, function] : kNames) {
    if (other == name) return function;
  }
  return name;
}

// The kinds of bytes that IsOrdinary distinguishes.
enum ByteKind : uint8_t { kOther, kLetter, kColon, kBeforeName, kUnusual };

constexpr std::array<ByteKind, 256> MakeByteKinds() {
  std::array<ByteKind, 256> kinds = {};
  for (int c = 'a'; c <= 'z'; ++c) kinds[c] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) kinds[c] = kLetter;
  for (const int c : {',', '<', ' '}) kinds[c] = kBeforeName;
  for (const int c : {'?', '\n', '['}) kinds[c] = kUnusual;
  kinds[':'] = kColon;
  return kinds;
}

// Returns whether one scan of the bytes proves that MayHaveLabelledTexts and
// MayHaveUnknownSizes are false, as for most lines.
bool IsOrdinary(std::string_view line) {
  static constexpr std::array<ByteKind, 256> kKinds = MakeByteKinds();
  ByteKind last = kOther;
  for (const char c : line) {
    const ByteKind kind = kKinds[static_cast<unsigned char>(c)];
    if (kind == kUnusual || (kind == kColon && last == kLetter) ||
        (kind == kLetter && last == kBeforeName)) {
      return false;
    }
    last = kind;
  }
  return true;
}

// Returns the place of `name` in a list such as "A, tiler[, profile]"; -1 if it
// is not there.
int PlaceInList(std::string_view list, std::string_view name) {
  std::string names(list);
  names.erase(
      std::remove_if(names.begin(), names.end(),
                     [](char c) { return c == '[' || c == ']' || c == ' '; }),
      names.end());
  int place = 0;
  for (const std::string_view parameter : SplitViews(names, ',')) {
    if (parameter == name) return place;
    ++place;
  }
  return -1;
}

// Returns the place of the argument with that name; -1 if there is none. The
// DSL's name comes first: its outer function of a composed layout is `inner`.
int PlaceOfParameter(const CalculatorFunction& function,
                     std::string_view name) {
  const int place = PlaceInList(PythonParameters(function.name), name);
  return place >= 0 ? place : PlaceInList(function.parameters, name);
}

}  // namespace

// A line that is evaluated while it is read. Reading functions push the value
// that they read, and return false after the first error. They call each other
// once for each of the at most Calculator::kMaxDepth levels of brackets; values
// are on a separate stack.
class CalculatorLine {
 public:
  CalculatorLine(std::string_view text, Calculator* calculator)
      : reader_(text), calculator_(calculator) {
    if (calculator->options_.explains) {
      explanation_.emplace(calculator->options_);
    }
  }

  absl::StatusOr<CalculatorResult> Run();

 private:
  using Function = ValueOr (*)(CalculatorArguments& arguments);

  bool ReadStatement();
  // Returns the name of a declaration, or "" if an expression comes next.
  std::string_view TakeDeclaredName(bool* is_declared);
  bool ReadExpression();
  // Applies `o` and its right side to the value at `base`.
  bool ReadCompositions(size_t base);
  bool ReadSum();
  bool ReadProduct();
  bool CallArithmetic(size_t base, char operation, size_t site);
  // Multiplies a basis element by an integer, on either side.
  bool ScaleBasis(size_t base, size_t site);
  bool ReadApplied();
  bool ReadPair();
  bool ReadPrimary();
  // Does not read past byte `limit`.
  bool ReadLiteral(size_t limit);
  // Reads 2@0 or E<0>{} at `begin`.
  bool ReadBasisElement(size_t begin);
  bool ReadNamed();
  // Takes the name of the next function and returns it, if the name has no
  // other meaning, as most do not. Otherwise returns null and takes nothing.
  const CalculatorFunction* TakePlainFunction();
  // Reads an MMA or copy atom by its name, or a part of one.
  bool ReadMmaOrCopy(size_t begin, bool* is_read);
  // Reads the value of a notation for `name`, which begins at `begin` and is
  // taken. Sets `*is_notation` to false if there is none.
  bool ReadNotation(std::string_view name, size_t begin, bool* is_notation);
  bool ReadWordOfLiteral(std::string_view name, size_t begin, bool* is_literal);
  bool ReadPointer(size_t begin);
  bool ReadPointerType(std::string_view name, size_t begin);
  // Reads the next list in brackets as a pointer.
  bool ReadPointerTemplate(std::string_view name, size_t begin);
  bool ReadTensor(std::string_view name, size_t begin);
  // make_tensor(pointer, layout), make_tensor<float>(layout).
  bool ReadMakeTensor(size_t begin);
  // Returns the text with the types that names such as T are bound to.
  std::string WithNamedTypes(std::string_view text) const;
  bool ReadAtom(std::string_view name, size_t begin);
  bool ReadAtomOfKind(size_t begin);
  bool ReadMlirType(size_t begin);
  bool ReadMemDesc(size_t begin);
  // `shape` and `bits` are those of the array with this encoding, if any.
  bool ReadEncoding(size_t begin, absl::Span<const int64_t> shape = {},
                    int64_t bits = 0);
  bool ReadQuoted(char quote);
  // Enters another level of brackets.
  bool Deepen();

  // Int<4> and Swizzle<2,0,3> are types, whose values do not need parentheses.
  bool ReadCall(const CalculatorFunction& function, size_t offset,
                bool is_type);
  struct Keyword {
    std::string_view name;
    size_t offset;
    CalculatorArgument argument;
    int place = -1;
  };
  // Puts named arguments in their places, after those from `base` on.
  bool PlaceKeywords(const CalculatorFunction& function, size_t base,
                     std::vector<Keyword>* keywords);
  // Python's slice_, dice and recast_layout have the layout elsewhere:
  // recast_layout(to_bits, from_bits, A).
  void OrderAsInCpp(const CalculatorFunction& function, size_t base,
                    bool has_python_names);
  // Sets the size of an element after recast, upcast and downcast.
  void RecastElements(const CalculatorFunction& function, size_t base);
  // size(A, mode=[0, 1]): as in angle brackets.
  bool ReadPythonModes(std::vector<CalculatorArgument>* modes);
  // After an opening bracket, reads the list and the closing bracket.
  bool ReadList(char close, bool* ends_in_comma,
                std::vector<Keyword>* keywords = nullptr,
                std::vector<CalculatorArgument>* modes = nullptr);
  bool ReadTuple();
  // Makes a tuple of numbers or a tiler from the values from `base` on.
  bool MakeTuple(size_t base, size_t begin, bool is_tiler);

  // Composes a pointer with the swizzle on its left, or with the value on its
  // right. Sets `*is_done` to false if no value from `base` on is a pointer.
  bool ComposePointers(size_t base, size_t begin, size_t site, bool* is_done);
  bool ApplyPointer(const Pointer& pointer, size_t offset,
                    const CalculatorArgument& inner, CalculatorValue* value);
  void NoteBytes(const Pointer& pointer, const Swizzle& elements,
                 size_t offset);
  // The CuTe DSL prints the swizzle of an atom as if it acted on elements.
  void NoteAtomOfPython(size_t begin);

  // Replaces the values from `base` on by that of the function, whose text
  // begins at `begin` and whose name or sign is at `site`.
  bool Call(size_t base, size_t begin, size_t site, Function function,
            size_t template_count = 0);
  // Calls the function `name`, and explains the call.
  bool CallExplained(std::string_view name, size_t base,
                     absl::FunctionRef<bool()> call);
  bool Bind(std::string_view name, size_t offset, bool is_declared);
  bool Push(CalculatorValue value, size_t offset, int64_t element_bits = 0);
  void PopTo(size_t base);

  // Takes the braces of C++, as in Int<4>{}.
  bool TakeBraces();
  // Skips the C++ suffix of a type: `const&`.
  void SkipReference();
  // Skips a label before the line, such as "LayoutA_TV:".
  void SkipLabel();
  // Skips an operation of MLIR before its type: %0 = cute.static : !cute....
  void SkipOperation();
  // Takes the beginning of another line of Python, after Python comments.
  // Returns whether there is one.
  bool TakePythonLine();

  bool Fail(size_t offset, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  bool FailExpected(std::string_view what);
  bool FailUnknown(std::string_view name, size_t offset);

  LineReader reader_;
  Calculator* calculator_;
  int depth_ = 0;
  // Literals that begin before it were tried, and contain names.
  size_t tried_ = 0;
  // Brackets that begin before it contain multiples of basis elements.
  size_t basis_ = 0;
  std::vector<CalculatorArgument> stack_;
  size_t nodes_ = 0;  // of all values on the stack
  std::vector<Diagnostic> notes_;
  std::optional<Explanation> explanation_;
  std::vector<CalculatorCall> calls_;
  absl::Status status_;
};

absl::StatusOr<CalculatorResult> CalculatorLine::Run() {
  SkipLabel();
  do {
    PopTo(0);
    if (!ReadStatement()) return status_;
  } while ((reader_.Take(';') && !reader_.AtEnd()) || TakePythonLine());
  if (!reader_.AtEnd()) {
    FailExpected("the end of the expression");
    return status_;
  }
  CalculatorResult result;
  result.value = std::move(stack_[0].value);
  result.notes = std::move(notes_);
  if (HasElements(result.value)) result.element_bits = stack_[0].element_bits;
  if (explanation_.has_value()) {
    explanation_->Finish(StripAsciiWhitespace(reader_.text()), result.value);
    result.steps = explanation_->steps();
    result.calls = std::move(calls_);
  }
  return result;
}

void CalculatorLine::SkipLabel() {
  const std::string_view text = reader_.text();
  const size_t length = LabelLength(text);
  if (length == 0) return;
  const std::string name(StripAsciiWhitespace(text.substr(0, length - 1)));
  // A pair of names, of shape and stride.
  if (calculator_->names_.count(name) == 0) reader_.set_position(length);
}

void CalculatorLine::SkipOperation() {
  const size_t type = reader_.text().rfind("!cute.");
  if (type != std::string_view::npos && type > reader_.position()) {
    reader_.set_position(type);
  }
}

bool CalculatorLine::TakePythonLine() {
  const std::string_view text = reader_.text();
  bool is_next_line = false;
  while (reader_.Next() == '#') {
    const size_t end = text.find('\n', reader_.position());
    reader_.set_position(std::min(end, text.size()));
    is_next_line = true;
  }
  if (reader_.AtEnd()) return false;
  for (size_t i = reader_.position(); i > 0 && absl::ascii_isspace(text[i - 1]);
       --i) {
    is_next_line |= text[i - 1] == '\n';
  }
  const char next = reader_.Next();
  return is_next_line && (absl::ascii_isalpha(next) || next == '_');
}

std::string_view CalculatorLine::TakeDeclaredName(bool* is_declared) {
  const size_t begin = reader_.position();
  std::string_view name;
  for (int words = 0; words < 8; ++words) {
    const size_t word_begin = reader_.position();
    const std::string_view word = reader_.TakeName();
    // A declared name is not followed by a bracket.
    if (word.empty() || reader_.Next() == '(') break;
    // auto const& x, and self.x of Python.
    while (reader_.Take('&') || reader_.Take('*') || reader_.Take('.')) {
    }
    name = word;
    *is_declared = words > 0;
    const size_t end = reader_.position();
    if (reader_.Take('=')) {
      if (reader_.Next() == '=') break;
      return name;
    }
    reader_.set_position(end);
    if (reader_.position() == word_begin) break;
  }
  reader_.set_position(begin);
  *is_declared = false;
  return "";
}

bool CalculatorLine::ReadStatement() {
  if (reader_.Next() == '%') SkipOperation();
  const size_t begin = reader_.position();
  bool is_declared = false;
  std::string_view name = TakeDeclaredName(&is_declared);
  if (!name.empty()) {
    return ReadExpression() && Bind(name, begin, is_declared);
  }
  const char next = reader_.Next();
  const bool is_typedef = (next == 't' && reader_.TakeWord("typedef")) ||
                          (next == 'r' && reader_.TakeWord("return"));
  if (!ReadExpression()) return false;
  // Layout<...> x; and typedef Layout<...> x;
  size_t site;
  if (reader_.AtEnd() || reader_.TakeSign(&site)) return true;
  const size_t end = reader_.position();
  name = reader_.TakeName();
  const bool is_name = !name.empty() && TakeBraces() &&
                       (reader_.AtEnd() || reader_.Next() == ';');
  if (is_name) return Bind(name, end, /*is_declared=*/true);
  reader_.set_position(end);
  return !is_typedef || status_.ok();
}

bool CalculatorLine::ReadExpression() {
  const size_t base = stack_.size();
  return ReadSum() && ReadCompositions(base);
}

bool CalculatorLine::ReadCompositions(size_t base) {
  const size_t begin = stack_[base].offset;
  size_t site;
  while (reader_.TakeSign(&site)) {
    if (!ReadSum()) return false;
    // An integer that is not the last is an offset.
    size_t next_site;
    if (IsInteger(stack_.back().value) && reader_.TakeSign(&next_site) &&
        !ReadSum()) {
      return false;
    }
    if (!CallExplained("composition", base,
                       [&] { return Call(base, begin, site, Compose); })) {
      return false;
    }
    NoteAtomOfPython(begin);
  }
  return true;
}

void CalculatorLine::NoteAtomOfPython(size_t begin) {
  const auto* composed = std::get_if<ComposedLayout>(&stack_.back().value);
  if (composed == nullptr || stack_.back().element_bits != 0) return;
  const auto* swizzle = std::get_if<Swizzle>(&composed->outer());
  const std::string_view text = reader_.text().substr(begin);
  if (swizzle == nullptr || swizzle->base() != 4 || !StartsWith(text, "S<")) {
    return;
  }
  notes_.push_back(MakeDiagnostic(
      reader_.text(), begin,
      absl::StrCat("the swizzle acts on elements here; as an atom of shared "
                   "memory it acts on bytes, which is ",
                   SwizzleOfElements(*swizzle, 16)->ToString(),
                   " on elements of 16 bits")));
}

bool CalculatorLine::ReadSum() {
  const size_t base = stack_.size();
  if (!ReadProduct()) return false;
  while (true) {
    const char operation = reader_.Next();
    if (operation != '+' && operation != '-') return true;
    const size_t site = reader_.position();
    reader_.Take(operation);
    if (!ReadProduct() || !CallArithmetic(base, operation, site)) return false;
  }
}

bool CalculatorLine::ReadProduct() {
  const size_t base = stack_.size();
  if (!ReadApplied()) return false;
  while (true) {
    const char operation = reader_.Next();
    if (operation != '*' && operation != '/' && operation != '%') return true;
    const size_t site = reader_.position();
    reader_.Take(operation);
    if (!ReadApplied() || !CallArithmetic(base, operation, site)) return false;
  }
}

bool CalculatorLine::ScaleBasis(size_t base, size_t site) {
  auto* stride = std::get_if<BasisStride>(&stack_[base].value);
  const size_t factor = stride == nullptr ? base : base + 1;
  if (stride == nullptr) {
    stride = std::get_if<BasisStride>(&stack_[base + 1].value);
  }
  if (!IsInteger(stack_[factor].value)) {
    return Fail(stack_[factor].offset,
                absl::StrCat("expected an integer, found ",
                             Describe(stack_[factor].value)));
  }
  Layout::Leaves leaves = stride->layout.leaves();
  if (!stride->layout.profile().is_leaf()) {
    return Fail(stack_[base + base + 1 - factor].offset,
                absl::StrCat("expected a multiple of one basis element, found ",
                             Describe(*stride)));
  }
  int64_t& scaled = leaves[0].stride;
  if (__builtin_mul_overflow(
          scaled, std::get<IntTuple>(stack_[factor].value).value(), &scaled) ||
      scaled == IntTuple::kUnderscore) {
    return Fail(site, "the result exceeds int64_t",
                absl::StatusCode::kOutOfRange);
  }
  absl::StatusOr<Layout> result =
      Layout::Builder(Profile().nodes(), std::move(leaves)).Build();
  if (!result.ok()) return Fail(site, StdView(result.status().message()));
  const size_t begin = stack_[base].offset;
  PopTo(base);
  return Push(BasisStride{*std::move(result)}, begin);
}

bool CalculatorLine::CallArithmetic(size_t base, char operation, size_t site) {
  if (operation == '*' &&
      (std::holds_alternative<BasisStride>(stack_[base].value) ||
       std::holds_alternative<BasisStride>(stack_[base + 1].value))) {
    return ScaleBasis(base, site);
  }
  for (size_t i = base; i < base + 2; ++i) {
    if (!IsInteger(stack_[i].value)) {
      return Fail(stack_[i].offset, absl::StrCat("expected an integer, found ",
                                                 Describe(stack_[i].value)));
    }
  }
  const int64_t a = std::get<IntTuple>(stack_[base].value).value();
  const int64_t b = std::get<IntTuple>(stack_[base + 1].value).value();
  int64_t result = 0;
  bool overflows = false;
  switch (operation) {
    case '+':
      overflows = __builtin_add_overflow(a, b, &result);
      break;
    case '-':
      overflows = __builtin_sub_overflow(a, b, &result);
      break;
    case '*':
      overflows = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      if (b == 0) return Fail(stack_[base + 1].offset, "the divisor is 0");
      // No integer here is -2^63, the only one that overflows.
      result = operation == '/' ? a / b : a % b;
  }
  if (overflows || result == IntTuple::kUnderscore) {
    return Fail(site, "the result exceeds int64_t",
                absl::StatusCode::kOutOfRange);
  }
  const size_t begin = stack_[base].offset;
  PopTo(base);
  return Push(IntTuple(result), begin);
}

bool CalculatorLine::ReadApplied() {
  const size_t base = stack_.size();
  if (!ReadPair()) return false;
  const size_t begin = stack_[base].offset;
  while (reader_.Take('(')) {
    const size_t site = reader_.position() - 1;
    bool is_tuple;
    if (!ReadList(')', &is_tuple)) return false;
    const size_t count = stack_.size() - base - 1;
    if (count == 0) return Fail(site, "expected a coordinate in ()");
    if ((count > 1 || is_tuple) &&
        !Call(base + 1, stack_[base + 1].offset, site,
              FindFunction("make_coord")->call)) {
      return false;
    }
    if (!Call(base, begin, site, [](CalculatorArguments& arguments) {
          return Apply(arguments, 0, 1);
        })) {
      return false;
    }
  }
  return true;
}

bool CalculatorLine::ReadPair() {
  const size_t base = stack_.size();
  if (!ReadPrimary()) return false;
  if (!reader_.Take(':')) return true;
  const size_t site = reader_.position() - 1;
  const CalculatorValue& shape = stack_[base].value;
  if (std::holds_alternative<Layout>(shape) ||
      std::holds_alternative<ComposedLayout>(shape)) {
    return Fail(site, "the part before ':' already has a stride");
  }
  return ReadPrimary() && Call(base, stack_[base].offset, site, LayoutOfStride);
}

bool CalculatorLine::ReadPrimary() {
  size_t limit;
  const char next = reader_.Next();
  const size_t begin = reader_.position();
  const bool is_bracket = next == '(' || next == '[' || next == '<';
  if ((!is_bracket || begin >= basis_) && reader_.IsLiteralAhead(&limit)) {
    return ReadLiteral(limit);
  }
  if (is_bracket) return ReadTuple();
  if (absl::ascii_isalpha(next) || next == '_') {
    if (!ReadNamed()) return false;
    SkipReference();
    return true;
  }
  if (next == '"' || next == '\'') return ReadQuoted(next);
  if (next == '!') return ReadMlirType(begin);
  if (next == '#') return ReadEncoding(begin);
  return FailExpected("an expression");
}

bool CalculatorLine::Deepen() {
  return ++depth_ <= Calculator::kMaxDepth ||
         Fail(reader_.position() - 1,
              absl::StrCat("brackets are nested more than ",
                           Calculator::kMaxDepth, " deep"),
              absl::StatusCode::kResourceExhausted);
}

bool CalculatorLine::ReadQuoted(char quote) {
  reader_.Take(quote);
  if (!Deepen() || !ReadExpression()) return false;
  --depth_;
  return reader_.Take(quote) ||
         FailExpected(absl::StrCat("'", std::string(1, quote), "'"));
}

bool CalculatorLine::ReadLiteral(size_t limit) {
  const size_t begin = reader_.position();
  size_t position = begin;
  absl::StatusOr<Term> term =
      ReadTerm(reader_.text().substr(0, limit), &position);
  if (!term.ok()) {
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(term.status());
    // A tuple with multiples of basis elements.
    const size_t at = diagnostic->offset;
    const char c = at < reader_.text().size() ? reader_.text()[at] : '\0';
    if (reader_.text()[begin] == '(' && (c == '@' || c == 'E' || c == 'c')) {
      basis_ = diagnostic->offset;
      return ReadTuple();
    }
    return Fail(diagnostic->offset, diagnostic->message, term.status().code());
  }
  reader_.set_position(position);
  const bool is_pushed = std::visit(
      [&](auto&& value) {
        return Push(std::forward<decltype(value)>(value), begin);
      },
      *std::move(term));
  if (!is_pushed || !TakeBraces()) return false;
  if (reader_.Next() != '@' || !IsInteger(stack_.back().value)) return true;
  PopTo(stack_.size() - 1);
  return ReadBasisElement(begin);
}

bool CalculatorLine::ReadBasisElement(size_t begin) {
  size_t position = begin;
  absl::StatusOr<Layout> basis = ReadBasis(reader_.text(), &position);
  if (!basis.ok()) {
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(basis.status());
    return Fail(diagnostic->offset, diagnostic->message, basis.status().code());
  }
  reader_.set_position(position);
  return Push(BasisStride{*std::move(basis)}, begin) && TakeBraces();
}

bool CalculatorLine::ReadTuple() {
  const size_t begin = reader_.position();
  const size_t base = stack_.size();
  const char open = reader_.Next();
  reader_.Take(open);
  const char close = open == '(' ? ')' : open == '[' ? ']' : '>';
  bool ends_in_comma;
  if (!ReadList(close, &ends_in_comma)) return false;
  const bool is_tiler = open != '(';
  if (stack_.size() == base + 1 && !ends_in_comma && !is_tiler) return true;
  return MakeTuple(base, begin, is_tiler);
}

bool CalculatorLine::MakeTuple(size_t base, size_t begin, bool is_tiler) {
  bool is_int_tuple = !is_tiler;
  for (size_t i = base; i < stack_.size(); ++i) {
    is_int_tuple &= std::holds_alternative<IntTuple>(stack_[i].value) ||
                    std::holds_alternative<BasisStride>(stack_[i].value);
  }
  return Call(base, begin, begin,
              FindFunction(is_int_tuple ? "make_tuple" : "make_tile")->call);
}

bool CalculatorLine::ReadList(char close, bool* ends_in_comma,
                              std::vector<Keyword>* keywords,
                              std::vector<CalculatorArgument>* modes) {
  *ends_in_comma = false;
  if (!Deepen()) return false;
  while (!reader_.Take(close)) {
    const char first = reader_.Next();
    const size_t begin = reader_.position();
    std::string_view name;
    if (keywords != nullptr && (absl::ascii_isalpha(first) || first == '_')) {
      name = reader_.TakeName();
      if (!reader_.Take('=')) {
        reader_.set_position(begin);
        name = std::string_view();
      }
    }
    if (name == "mode" && modes != nullptr) {
      if (!ReadPythonModes(modes)) return false;
    } else if (!ReadExpression()) {
      return false;
    } else if (!name.empty()) {
      keywords->push_back({name, begin, std::move(stack_.back())});
      nodes_ -= NodeCount(keywords->back().argument.value);
      stack_.pop_back();
    } else if (keywords != nullptr && !keywords->empty()) {
      return Fail(begin, "an argument without a name follows one with a name");
    }
    *ends_in_comma = reader_.Take(',') || (close == ']' && reader_.Take(';'));
    if (!*ends_in_comma && reader_.Next() != close) {
      return FailExpected(absl::StrCat("',' or '", std::string(1, close), "'"));
    }
  }
  --depth_;
  return true;
}

bool CalculatorLine::ReadPythonModes(std::vector<CalculatorArgument>* modes) {
  const bool is_list = reader_.Take('[');
  do {
    const size_t base = stack_.size();
    if (!ReadExpression()) return false;
    modes->push_back(std::move(stack_.back()));
    nodes_ -= NodeCount(modes->back().value);
    stack_.resize(base);
  } while (is_list && reader_.Take(',') && reader_.Next() != ']');
  return !is_list || reader_.Take(']') || FailExpected("',' or ']'");
}

void CalculatorLine::SkipReference() {
  while (reader_.Take('&') || reader_.TakeWord("const")) {
  }
}

bool CalculatorLine::ReadNamed() {
  const size_t begin = reader_.position();
  if (const CalculatorFunction* function = TakePlainFunction()) {
    return ReadCall(*function, begin, /*is_type=*/false);
  }
  bool is_read;
  if (!ReadMmaOrCopy(begin, &is_read)) return false;
  if (is_read) return true;
  bool is_qualified;
  const std::string_view name = reader_.TakeQualifiedName(&is_qualified);
  const char next = reader_.Next();
  // A value is not followed by these brackets.
  if (!is_qualified && next != '<' && next != '[') {
    const auto bound = calculator_->names_.find(name);
    if (bound != calculator_->names_.end()) {
      // A{}, a value of the type that `using A = ...;` names.
      return Push(bound->second.value, begin, bound->second.element_bits) &&
             TakeBraces();
    }
  }
  if (StartsWith(name, "SW_") ||
      ((name == "Sw" || name == "S") && next == '<')) {
    reader_.set_position(begin);
    return ReadLiteral(reader_.text().size()) && ReadPointer(begin);
  }
  if (!ReadWordOfLiteral(name, begin, &is_read)) return false;
  if (is_read) return true;
  if (const std::optional<Major> major = MajorOfName(name)) {
    return Push(*major, begin) && TakeBraces();
  }
  if (!ReadNotation(name, begin, &is_read)) return false;
  if (is_read) return true;
  const CalculatorFunction* function = FindFunction(name);
  if (function == nullptr) function = FindFunction(FunctionOfOtherName(name));
  if (function == nullptr) {
    const std::optional<int64_t> bits = ElementTypeBits(name);
    // f32[3] is a shape of XLA.
    if (!bits.has_value() || !calculator_->options_.functions || next == '[' ||
        next == '(' || next == ':') {
      return FailUnknown(name, begin);
    }
    return Push(ElementType{std::string(name), *bits}, begin) && TakeBraces();
  }
  if (!calculator_->options_.functions) {
    return Fail(begin, StrCat("'", name,
                              "' is a function; the text of a layout "
                              "does not call functions here"));
  }
  if (next == '(' || next == '<') {
    const bool is_type = absl::ascii_isupper(name[0]);
    return ReadCall(*function, begin, is_type);
  }
  return Fail(begin, StrCat("'", name, "' is a function and takes ",
                            Signature(*function)));
}

const CalculatorFunction* CalculatorLine::TakePlainFunction() {
  const size_t begin = reader_.position();
  const std::string_view name = reader_.TakeName();
  if (reader_.Next() == '(' && absl::ascii_islower(name[0]) &&
      !IsMakerOfLiteral(name) && calculator_->options_.functions &&
      calculator_->names_.find(name) == calculator_->names_.end()) {
    const CalculatorFunction* function = FindFunction(name);
    if (function != nullptr) return function;
  }
  reader_.set_position(begin);
  return nullptr;
}

bool CalculatorLine::ReadMmaOrCopy(size_t begin, bool* is_read) {
  const std::string_view text = reader_.text();
  *is_read = false;
  Atom atom;
  const std::string_view first = reader_.TakeName();
  const auto bound = calculator_->names_.find(first);
  if (bound != calculator_->names_.end()) {
    const auto* named = std::get_if<Atom>(&bound->second.value);
    if (named == nullptr) {
      reader_.set_position(begin);
      return true;
    }
    atom = *named;
  } else {
    const size_t length = AtomNameLength(text.substr(begin));
    reader_.set_position(begin + length);
    if (length == 0) return true;
    absl::StatusOr<Atom> found =
        FindAtom(WithNamedTypes(text.substr(begin, length)));
    if (!found.ok()) {
      return Fail(begin, StdView(found.status().message()),
                  found.status().code());
    }
    atom = *std::move(found);
  }
  *is_read = true;
  const size_t end = reader_.position();
  const bool has_part = (reader_.Take(':') && reader_.Take(':')) ||
                        (reader_.position() == end && reader_.Take('.'));
  if (!has_part) {
    reader_.set_position(end);
    return Push(std::move(atom), begin) && TakeBraces();
  }
  reader_.Next();
  const size_t site = reader_.position();
  const std::string_view name = reader_.TakeName();
  if (AtomPartName(name) == "Shape" && atom.shape.has_value()) {
    return Push(*atom.shape, begin) && TakeBraces();
  }
  absl::StatusOr<Layout> layout = LayoutOf(atom, name);
  if (!layout.ok()) return Fail(site, StdView(layout.status().message()));
  const int64_t bits = AtomPartName(name) == "Thr" ? 0 : atom.element_bits;
  if (bits == 1) {
    notes_.push_back(
        MakeDiagnostic(text, begin,
                       absl::StrCat("the layout counts bits; Copy_Atom<",
                                    atom.name, ", half_t> counts elements")));
  }
  return Push(*std::move(layout), begin, bits) && TakeBraces();
}

bool CalculatorLine::ReadWordOfLiteral(std::string_view name, size_t begin,
                                       bool* is_literal) {
  *is_literal = false;
  const size_t behind_name = reader_.position();
  const char next = reader_.Next();
  const bool is_type =
      IsTypeOfLiteral(name) && (next == '<' || name == "Underscore" ||
                                (name == "Layout" && next == '('));
  // _m4, and _4{} of C++.
  const bool is_number = name.size() > 1 && name[0] == '_' &&
                         (name[1] == 'm' || absl::ascii_isdigit(name[1]));
  const bool is_maker = IsMakerOfLiteral(name) && next == '(';
  if ((!is_type && !is_maker && !is_number) || begin < tried_) return true;
  size_t position = begin;
  bool stopped_at_expression = false;
  absl::StatusOr<Term> term =
      ReadTerm(reader_.text(), &position, &stopped_at_expression);
  if (!term.ok()) {
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(term.status());
    tried_ = diagnostic->offset;
    // The functions of these names report missing arguments.
    if (is_maker || stopped_at_expression) {
      reader_.set_position(behind_name);
      return true;
    }
    return Fail(diagnostic->offset, diagnostic->message, term.status().code());
  }
  // Only some tuples hold layouts.
  if (std::holds_alternative<Tiler>(*term) && name != "Tile" &&
      name != "tuple" && name != "make_tile" && name != "make_tiler" &&
      name != "make_tuple") {
    tried_ = position;
    reader_.set_position(behind_name);
    return true;
  }
  *is_literal = true;
  reader_.set_position(position);
  const bool is_pushed = std::visit(
      [&](auto&& value) {
        return Push(std::forward<decltype(value)>(value), begin);
      },
      *std::move(term));
  return is_pushed && TakeBraces();
}

bool CalculatorLine::ReadNotation(std::string_view name, size_t begin,
                                  bool* is_notation) {
  *is_notation = true;
  const char next = reader_.Next();
  const bool is_opened = next == '<' || next == '(';
  if (name == "const" || name == "typename" || name == "struct" ||
      name == "class") {
    return ReadPrimary();
  }
  if (IsTupleType(name) && next == '<') {
    const size_t base = stack_.size();
    bool ends_in_comma;
    reader_.Take('<');
    return ReadList('>', &ends_in_comma) &&
           MakeTuple(base, begin, /*is_tiler=*/false) && TakeBraces();
  }
  if (name == "decltype" && next == '(') {
    bool ends_in_comma;
    reader_.Take('(');
    return ReadList(')', &ends_in_comma) && TakeBraces();
  }
  if (name == "X" || name == "None" || name == "_") {
    return Push(IntTuple(IntTuple::kUnderscore), begin) && TakeBraces();
  }
  if (EndsWith(name, "ptr") && next == '[') {
    return Push(Pointer(), begin) && ReadPointer(begin);
  }
  if (name == "tmem_") return Push(Pointer(), begin) && ReadPointer(begin);
  if (name == "smem_ptr_flag") {
    Pointer pointer;
    pointer.name = "smem_ptr";
    pointer.element_bits = 1;
    return Push(pointer, begin, 1) && TakeBraces();
  }
  if (is_opened &&
      (EndsWith(name, "ptr") || name == "ViewEngine" || name == "ArrayEngine" ||
       name == "counting_iter" || name == "smem_ptr_flag_bits")) {
    return ReadPointerType(name, begin);
  }
  if (name == "ArithTuple" && next == '(') {
    bool ends_in_comma;
    reader_.Take('(');
    const size_t base = stack_.size();
    if (!ReadList(')', &ends_in_comma) ||
        !Call(base, begin, begin, FindFunction("make_coord")->call)) {
      return false;
    }
    Pointer pointer;
    pointer.coordinates = std::get<IntTuple>(stack_.back().value);
    PopTo(base);
    return Push(std::move(pointer), begin);
  }
  if (is_opened && (name == "E" || name == "ScaledBasis")) {
    return ReadBasisElement(begin);
  }
  if (is_opened && (name == "tensor" || name == "Tensor")) {
    return ReadTensor(name, begin);
  }
  if (is_opened && name == "make_tensor") return ReadMakeTensor(begin);
  if (IsSharedMemoryAtom(name)) return ReadAtom(name, begin);
  if (name == "make_smem_layout_atom" && next == '(') {
    return ReadAtomOfKind(begin);
  }
  if ((name == "BlockedLayout" || name == "SwizzledSharedLayout" ||
       name == "NVMMADistributedLayout") &&
      next == '(') {
    reader_.set_position(begin);
    return ReadEncoding(begin);
  }
  *is_notation = false;
  return true;
}

bool CalculatorLine::ReadPointer(size_t begin) {
  // After the swizzle that C++ prints before a pointer, or at a pointer.
  const auto* swizzle = std::get_if<Swizzle>(&stack_.back().value);
  const std::string_view text = reader_.text();
  size_t position = begin;
  if (swizzle != nullptr) {
    position = reader_.position();
    if (position == text.size() || text[position] != '_') return true;
    ++position;
  }
  Pointer pointer;
  size_t end;
  if (!ReadPrintedPointer(text, position, &pointer, &end)) {
    return Fail(position, "expected a pointer such as smem_ptr[16b](unset)");
  }
  if (swizzle != nullptr) pointer.swizzle = *swizzle;
  reader_.set_position(end);
  const int64_t bits = pointer.element_bits;
  PopTo(stack_.size() - 1);
  return Push(std::move(pointer), begin, bits);
}

std::string CalculatorLine::WithNamedTypes(std::string_view text) const {
  std::string result;
  size_t copied = 0;
  for (size_t i = 0; i < text.size();) {
    if (!IsWordByte(text[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && IsWordByte(text[i])) ++i;
    const auto bound = calculator_->names_.find(text.substr(begin, i - begin));
    if (bound == calculator_->names_.end()) continue;
    const auto* type = std::get_if<ElementType>(&bound->second.value);
    if (type == nullptr) continue;
    StrAppend(&result, text.substr(copied, begin - copied), type->name);
    copied = i;
  }
  StrAppend(&result, text.substr(copied));
  return result;
}

bool CalculatorLine::ReadPointerTemplate(std::string_view name, size_t begin) {
  const std::string_view text = reader_.text();
  const size_t open = reader_.position();
  const size_t end = PastBracket(text, open);
  if (end == std::string_view::npos)
    return Fail(open, "the bracket is not closed");
  Pointer pointer =
      PointerOfList(WithNamedTypes(text.substr(open, end - open)));
  if (pointer.name == "ptr") pointer.name = std::string(name);
  reader_.set_position(end);
  const int64_t bits = pointer.element_bits;
  return Push(std::move(pointer), begin, bits);
}

bool CalculatorLine::ReadPointerType(std::string_view name, size_t begin) {
  const std::string_view text = reader_.text();
  const size_t open = reader_.position();
  if (!ReadPointerTemplate(name, begin)) return false;
  if (name == "smem_ptr_flag_bits") {
    const size_t end = reader_.position();
    int64_t bits;
    if (!absl::SimpleAtoi(AbslView(text.substr(open + 1, end - open - 2)),
                          &bits) ||
        bits < 1) {
      return Fail(open + 1, "expected a number of bits");
    }
    Pointer& pointer = std::get<Pointer>(stack_.back().value);
    pointer.name = "smem_ptr";
    pointer.element_bits = stack_.back().element_bits = bits;
  }
  // make_gmem_ptr<half_t>(p), whose address is not read.
  if (text[open] == '<' && reader_.Next() == '(') {
    const size_t end = PastBracket(text, reader_.position());
    if (end == std::string_view::npos) {
      return Fail(reader_.position(), "the bracket is not closed");
    }
    reader_.set_position(end);
  }
  return TakeBraces();
}

bool CalculatorLine::ReadTensor(std::string_view name, size_t begin) {
  const size_t base = stack_.size();
  const char close = reader_.Next() == '<' ? '>' : ')';
  reader_.Take(reader_.Next());
  if (!Deepen()) return false;
  if (!ReadSum()) return false;
  CalculatorValue& first = stack_[base].value;
  // The coordinates at which a coordinate tensor begins.
  auto* tuple = std::get_if<IntTuple>(&first);
  if (tuple != nullptr && !tuple->is_integer()) {
    Pointer pointer;
    pointer.coordinates = std::move(*tuple);
    first = std::move(pointer);
  }
  if (name == "Tensor" && reader_.Take(',')) {
    // Tensor<Engine, Layout>.
    const size_t site = reader_.position();
    if (!ReadExpression() || !Call(base, begin, site, Compose)) return false;
  } else if (!ReadCompositions(base)) {
    return false;
  }
  --depth_;
  // print_tensor prints the data after the layout.
  if (reader_.Take(',')) {
    reader_.set_position(reader_.text().size());
    return true;
  }
  return reader_.Take(close)
             ? TakeBraces()
             : FailExpected(absl::StrCat("'", std::string(1, close), "'"));
}

bool CalculatorLine::ReadMakeTensor(size_t begin) {
  const size_t base = stack_.size();
  if (reader_.Next() == '<') {
    if (!ReadPointerTemplate("ptr", begin)) return false;
  }
  if (!reader_.Take('(')) return FailExpected("'('");
  bool ends_in_comma;
  if (!ReadList(')', &ends_in_comma)) return false;
  if (stack_.size() < base + 2 ||
      !std::holds_alternative<Pointer>(stack_[base].value)) {
    return Fail(begin,
                "expected make_tensor(pointer, layout), with a pointer such as "
                "make_smem_ptr<half_t>(p)");
  }
  return (!std::holds_alternative<IntTuple>(stack_[base + 1].value) ||
          Call(base + 1, begin, begin, FindFunction("make_layout")->call)) &&
         Call(base, begin, begin, Compose);
}

bool CalculatorLine::ReadAtom(std::string_view name, size_t begin) {
  int64_t bits = EndsWith(name, "_Bits") ? 1 : 0;
  const char next = reader_.Next();
  if (bits == 0) {
    const size_t open = reader_.position();
    const size_t end = next == '<' ? PastBracket(reader_.text(), open)
                                   : std::string_view::npos;
    if (end == std::string_view::npos) {
      return Fail(begin, StrCat("'", name, "' needs the type of its elements: ",
                                name, "<half_t>"));
    }
    const std::string_view list =
        reader_.text().substr(open + 1, end - open - 2);
    bits = PointerOfList(WithNamedTypes(list)).element_bits;
    if (bits == 0) {
      return Fail(open + 1,
                  StrCat("the size of the type '", StripAsciiWhitespace(list),
                         "' is not known; write one such as half_t"));
    }
    reader_.set_position(end);
  }
  absl::StatusOr<ComposedLayout> atom = SharedMemoryAtom(name, bits);
  if (!atom.ok()) return Fail(begin, StdView(atom.status().message()));
  notes_.push_back(MakeDiagnostic(
      reader_.text(), begin,
      StrCat("the swizzle of ", name, " acts on bytes; on elements of ", bits,
             " bits it is ", std::get<Swizzle>(atom->outer()).ToString())));
  return Push(*std::move(atom), begin, bits) && TakeBraces();
}

// make_smem_layout_atom(SmemLayoutAtomKind.K_SW128, cutlass.Float16)
bool CalculatorLine::ReadAtomOfKind(size_t begin) {
  reader_.Take('(');
  reader_.Next();
  const size_t kind_begin = reader_.position();
  const std::string_view kind = reader_.TakeQualifiedName();
  const std::string name = StrCat("Layout_", kind, "_Atom");
  if (!IsSharedMemoryAtom(name)) {
    return Fail(kind_begin, "expected a kind such as K_SW128");
  }
  if (!reader_.Take(',')) return FailExpected("','");
  reader_.Next();
  const size_t type_begin = reader_.position();
  const std::optional<int64_t> bits =
      ElementTypeBits(WithNamedTypes(reader_.TakeQualifiedName()));
  if (!bits.has_value()) {
    return Fail(type_begin, "expected a type such as Float16");
  }
  absl::StatusOr<ComposedLayout> atom = SharedMemoryAtom(name, *bits);
  if (!atom.ok()) return Fail(begin, StdView(atom.status().message()));
  if (!reader_.Take(')')) return FailExpected("')'");
  return Push(*std::move(atom), begin, *bits);
}

// !cute.layout<"(2,3):(4,1)">, !cute.memref<f16, smem, "(8,64):(64,1)">.
bool CalculatorLine::ReadMlirType(size_t begin) {
  reader_.Take('!');
  const std::string_view name = reader_.TakeQualifiedName();
  if (!reader_.Take('<')) return FailExpected("'<'");
  if (name == "memdesc") return ReadMemDesc(begin);
  const size_t base = stack_.size();
  const char next = reader_.Next();
  const std::string_view text = reader_.text();
  if (next != '"') {
    const size_t open = reader_.position() - 1;
    const size_t quote = text.find('"', open);
    const size_t end = std::min(quote, PastBracket(text, open));
    if (name == "memref" || name == "ptr") {
      if (end == std::string_view::npos) {
        return Fail(begin, "the bracket is not closed");
      }
      Pointer pointer = PointerOfList(text.substr(open, end - open));
      const int64_t bits = pointer.element_bits;
      if (!Push(std::move(pointer), begin, bits)) return false;
      if (end != quote) {
        reader_.set_position(end);
        return true;
      }
      reader_.set_position(quote);
      if (!ReadQuoted('"') || !Call(base, begin, begin, Compose)) return false;
    } else if (!ReadExpression()) {
      return false;
    }
  } else {
    if (!ReadQuoted('"')) return false;
    // !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
    if (reader_.Take(',')) {
      Pointer pointer;
      if (auto* tuple = std::get_if<IntTuple>(&stack_[base].value)) {
        pointer.coordinates = *tuple;
        stack_[base].value = std::move(pointer);
      }
      if (reader_.Next() != '"') return FailExpected("'\"'");
      if (!ReadQuoted('"') || !Call(base, begin, begin, Compose)) return false;
    }
  }
  return reader_.Take('>') || FailExpected("'>'");
}

// !ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{...}>, #ttg.shared_memory>
bool CalculatorLine::ReadMemDesc(size_t begin) {
  const std::string_view text = reader_.text();
  const size_t open = reader_.position() - 1;
  const size_t comma = std::min(text.find(',', open), text.size());
  std::vector<std::string_view> parts =
      SplitViews(text.substr(open + 1, comma - open - 1), 'x');
  const std::optional<int64_t> bits =
      ElementTypeBits(StripAsciiWhitespace(parts.back()));
  parts.pop_back();
  std::vector<int64_t> shape(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!absl::SimpleAtoi(AbslView(parts[i]), &shape[i]) || shape[i] < 1) {
      shape.clear();
      break;
    }
  }
  if (shape.empty() || !bits.has_value()) {
    return Fail(open + 1, "expected a shape and a type such as 64x64xf16");
  }
  reader_.set_position(std::min(comma + 1, text.size()));
  if (reader_.Next() != '#') return FailExpected("an encoding");
  if (!ReadEncoding(begin, shape, *bits)) return false;
  const size_t end = PastBracket(text, open);
  if (end == std::string_view::npos) return Fail(open, "the bracket is open");
  reader_.set_position(end);
  return true;
}

// #ttg.blocked<{...}>, or #blocked = #ttg.blocked<{...}>.
bool CalculatorLine::ReadEncoding(size_t begin, absl::Span<const int64_t> shape,
                                  int64_t bits) {
  std::string_view name;
  do {
    reader_.Take('#');
    reader_.Next();
    name = reader_.TakeQualifiedName();
  } while (reader_.Take('=') && reader_.Next() == '#');
  const size_t position =
      name.empty() ? reader_.position() : name.data() - reader_.text().data();
  size_t end;
  absl::StatusOr<TritonEncoding> encoding =
      ReadTritonEncoding(reader_.text(), position, shape, &end);
  if (!encoding.ok()) {
    status_ = encoding.status();
    if (!DiagnosticOf(status_).has_value()) {
      return Fail(position, StdView(encoding.status().message()),
                  encoding.status().code());
    }
    return false;
  }
  reader_.set_position(end);
  notes_.push_back(MakeDiagnostic(reader_.text(), begin, encoding->note));
  return std::visit(
      [&](auto& layout) { return Push(std::move(layout), begin, bits); },
      encoding->layout);
}

void CalculatorLine::NoteBytes(const Pointer& pointer, const Swizzle& elements,
                               size_t offset) {
  notes_.push_back(MakeDiagnostic(
      reader_.text(), offset,
      absl::StrCat(pointer.swizzle->ToString(),
                   " is left of the pointer and acts on byte addresses; on "
                   "elements of ",
                   pointer.element_bits, " bits it is ", elements.ToString())));
  const int64_t period = int64_t{1} << (elements.bits() + elements.base() +
                                        std::abs(elements.shift()));
  const int64_t past = pointer.address * 8 / pointer.element_bits % period;
  if (past == 0 || pointer.address >= int64_t{1} << 59) return;
  notes_.push_back(
      MakeDiagnostic(reader_.text(), offset,
                     absl::StrCat("the address of the pointer is ", past,
                                  " elements past a multiple of ", period,
                                  "; for its addresses, write ",
                                  elements.ToString(), " o ", past, " o ...")));
}

bool CalculatorLine::ApplyPointer(const Pointer& pointer, size_t offset,
                                  const CalculatorArgument& inner,
                                  CalculatorValue* value) {
  *value = inner.value;
  const auto* layout = std::get_if<Layout>(value);
  const auto* right = std::get_if<Swizzle>(value);
  const auto* composed = std::get_if<ComposedLayout>(value);
  if (composed != nullptr) {
    right = std::get_if<Swizzle>(&composed->outer());
  }
  if (layout == nullptr && right == nullptr && composed == nullptr) {
    return Fail(inner.offset, absl::StrCat("expected a layout, found ",
                                           Describe(inner.value)));
  }
  if (pointer.coordinates.has_value()) {
    for (const int64_t coordinate : pointer.coordinates->values()) {
      if (coordinate == 0) continue;
      notes_.push_back(
          MakeDiagnostic(reader_.text(), offset,
                         absl::StrCat("the tensor begins at the coordinates ",
                                      pointer.coordinates->ToString(),
                                      ", which are left out")));
      break;
    }
    return true;
  }
  if (!pointer.swizzle.has_value()) {
    if (right != nullptr && pointer.element_bits != 0) {
      notes_.push_back(MakeDiagnostic(
          reader_.text(), inner.offset,
          absl::StrCat(right->ToString(),
                       " is right of the pointer and acts on elements of ",
                       pointer.element_bits, " bits")));
    }
    return true;
  }
  if (layout == nullptr) {
    return Fail(inner.offset,
                "one swizzle left of the pointer and one right of it are not "
                "read together");
  }
  if (pointer.element_bits == 0) {
    return Fail(offset,
                "a swizzle of bytes needs the size of an element; write a "
                "pointer such as smem_ptr[16b](unset)");
  }
  const absl::StatusOr<Swizzle> elements =
      SwizzleOfElements(*pointer.swizzle, pointer.element_bits);
  if (!elements.ok()) return Fail(offset, StdView(elements.status().message()));
  NoteBytes(pointer, *elements, offset);
  *value = ComposedLayout(*elements, 0, *layout);
  return true;
}

bool CalculatorLine::ComposePointers(size_t base, size_t begin, size_t site,
                                     bool* is_done) {
  const size_t count = stack_.size() - base;
  // C++ and the CuTe DSL print a tensor of coordinates as (0,0) o A.
  const auto* coordinates = std::get_if<IntTuple>(&stack_[base].value);
  if (count == 2 && coordinates != nullptr && !coordinates->is_integer() &&
      !HasUnderscore(*coordinates) &&
      std::holds_alternative<Layout>(stack_[base + 1].value) &&
      std::get<Layout>(stack_[base + 1].value).has_basis()) {
    Pointer origin;
    origin.coordinates = *coordinates;
    stack_[base].value = std::move(origin);
  }
  size_t place = base;
  while (place < stack_.size() &&
         !std::holds_alternative<Pointer>(stack_[place].value)) {
    ++place;
  }
  *is_done = place < stack_.size();
  if (!*is_done) return true;
  Pointer pointer = std::get<Pointer>(stack_[place].value);
  if (place == base + 1) {
    const auto* swizzle = std::get_if<Swizzle>(&stack_[base].value);
    if (swizzle == nullptr || pointer.swizzle.has_value() ||
        pointer.coordinates.has_value()) {
      return Fail(stack_[base].offset,
                  absl::StrCat("expected a swizzle left of a pointer, found ",
                               Describe(stack_[base].value)));
    }
    pointer.swizzle = *swizzle;
  } else if (place != base || count != 2) {
    return Fail(site, "a pointer is composed with one layout or swizzle");
  }
  CalculatorValue value = pointer;
  if (place + 1 < stack_.size() &&
      !ApplyPointer(pointer, begin, stack_[place + 1], &value)) {
    return false;
  }
  PopTo(base);
  return Push(std::move(value), begin, pointer.element_bits);
}

bool CalculatorLine::PlaceKeywords(const CalculatorFunction& function,
                                   size_t base,
                                   std::vector<Keyword>* keywords) {
  const auto fail = [&](const Keyword& keyword, std::string_view what) {
    return Fail(keyword.offset,
                StrCat("'", keyword.name, "' is ", what, " of ", function.name,
                       "(", function.parameters, ")"));
  };
  for (Keyword& keyword : *keywords) {
    keyword.place = PlaceOfParameter(function, keyword.name);
    if (keyword.place < 0) return fail(keyword, "not an argument");
  }
  std::stable_sort(
      keywords->begin(), keywords->end(),
      [](const Keyword& a, const Keyword& b) { return a.place < b.place; });
  for (Keyword& keyword : *keywords) {
    const size_t place = keyword.place;
    const size_t next = stack_.size() - base;
    if (place < next) return fail(keyword, "given twice as an argument");
    if (place > next) {
      return Fail(keyword.offset,
                  StrCat("'", keyword.name, "' is argument ", place + 1, " of ",
                         function.name, "(", function.parameters,
                         "), whose argument ", next + 1, " is missing"));
    }
    CalculatorArgument& argument = keyword.argument;
    if (!Push(std::move(argument.value), argument.offset,
              argument.element_bits)) {
      return false;
    }
  }
  return true;
}

void CalculatorLine::OrderAsInCpp(const CalculatorFunction& function,
                                  size_t base, bool has_python_names) {
  const size_t count = stack_.size() - base;
  const auto is_layout = [&](size_t i) {
    return std::holds_alternative<Layout>(stack_[base + i].value) ||
           std::holds_alternative<ComposedLayout>(stack_[base + i].value);
  };
  if ((function.name == "slice" || function.name == "dice") && count == 2 &&
      (has_python_names || (is_layout(0) && !is_layout(1)))) {
    std::swap(stack_[base], stack_[base + 1]);
  }
  if (function.name == "recast_layout" && count == 3 && is_layout(2) &&
      !is_layout(0)) {
    std::swap(stack_[base], stack_[base + 2]);
  }
}

void CalculatorLine::RecastElements(const CalculatorFunction& function,
                                    size_t base) {
  const bool is_recast =
      function.name == "recast" || function.name == "recast_layout";
  const bool is_up = function.name == "upcast";
  const bool is_down = function.name == "downcast";
  const size_t count = stack_.size() - base;
  if (count != (is_recast ? 3 : 2) || !(is_recast || is_up || is_down)) return;
  const auto* type = std::get_if<ElementType>(&stack_.back().value);
  if (type == nullptr ? !IsInteger(stack_.back().value) : !is_recast) return;
  // The result takes the element size of the first argument.
  int64_t& bits = stack_[base].element_bits;
  const int64_t n = type != nullptr
                        ? type->bits
                        : std::get<IntTuple>(stack_.back().value).value();
  int64_t result = is_recast ? n : 0;
  if (is_up && __builtin_mul_overflow(bits, n, &result)) result = 0;
  if (is_down && n > 0 && bits % n == 0) result = bits / n;
  bits = std::max<int64_t>(result, 0);
}

bool CalculatorLine::ReadCall(const CalculatorFunction& function, size_t offset,
                              bool is_type) {
  const size_t base = stack_.size();
  bool ends_in_comma;
  if (reader_.Take('<') && !ReadList('>', &ends_in_comma)) return false;
  size_t template_count = stack_.size() - base;
  std::vector<Keyword> keywords;
  std::vector<CalculatorArgument> modes;
  if (reader_.Take('(')) {
    if (!ReadList(')', &ends_in_comma, &keywords, &modes)) return false;
  } else if (!is_type) {
    return FailExpected("'('");
  }
  if (is_type && !TakeBraces()) return false;
  std::rotate(stack_.begin() + base, stack_.begin() + base + template_count,
              stack_.end());
  if (template_count == 0 && !PlaceKeywords(function, base, &keywords)) {
    return false;
  }
  for (CalculatorArgument& mode : modes) {
    if (!Push(std::move(mode.value), mode.offset)) return false;
  }
  template_count += modes.size();
  const bool has_python_names =
      !keywords.empty() &&
      PlaceInList(PythonParameters(function.name), keywords[0].name) >= 0;
  OrderAsInCpp(function, base, has_python_names);
  RecastElements(function, base);
  const size_t count = stack_.size() - base;
  if (count < function.least || count > function.most) {
    return Fail(offset, absl::StrCat("expected ", Signature(function),
                                     ", found ", count));
  }
  return CallExplained(function.name, base, [&] {
    if (!function.acts_on_inner ||
        !std::holds_alternative<ComposedLayout>(stack_[base].value)) {
      return Call(base, offset, offset, function.call, template_count);
    }
    const ComposedLayout composed =
        std::get<ComposedLayout>(std::move(stack_[base].value));
    stack_[base].value = composed.layout();
    if (!Call(base, offset, offset, function.call, template_count)) {
      return false;
    }
    CalculatorValue& result = stack_.back().value;
    if (const auto* layout = std::get_if<Layout>(&result)) {
      result = ComposedLayout(composed.outer(), composed.offset(), *layout);
    }
    return true;
  });
}

bool CalculatorLine::CallExplained(std::string_view name, size_t base,
                                   absl::FunctionRef<bool()> call) {
  if (!explanation_.has_value()) return call();
  std::vector<CalculatorValue> arguments;
  for (size_t i = base; i < stack_.size(); ++i) {
    arguments.push_back(stack_[i].value);
  }
  if (!call()) return false;
  explanation_->Explain(name, arguments, stack_.back().value);
  if (calls_.size() < Calculator::kMaxCalls) {
    calls_.push_back(
        {std::string(name), std::move(arguments), stack_.back().value});
  }
  return true;
}

bool CalculatorLine::Call(size_t base, size_t begin, size_t site,
                          Function function, size_t template_count) {
  if (function == &Compose) {
    bool is_done;
    if (!ComposePointers(base, begin, site, &is_done)) return false;
    if (is_done) return true;
  }
  // The first size of elements among the arguments is that of the result.
  int64_t element_bits = 0;
  for (size_t i = base; i < stack_.size() && element_bits == 0; ++i) {
    element_bits = stack_[i].element_bits;
  }
  CalculatorArguments arguments(
      reader_.text(), site, absl::MakeConstSpan(stack_).subspan(base),
      template_count, calculator_->options_.bare_shape_is_column_major,
      calculator_->options_.composition, &notes_);
  ValueOr result = function(arguments);
  if (!arguments.status().ok()) {
    status_ = arguments.status();
    return false;
  }
  if (!result.ok()) {
    status_ = arguments.Refusal(result.status());
    return false;
  }
  PopTo(base);
  if (!HasElements(*result)) element_bits = 0;
  return Push(*std::move(result), begin, element_bits);
}

bool CalculatorLine::Bind(std::string_view name, size_t offset,
                          bool is_declared) {
  if (!calculator_->options_.functions) return true;
  // A name that is only called can also have a value.
  const bool is_called =
      FindFunction(name) != nullptr && !is_declared && !IsNameOfValue(name);
  const bool is_notation = IsTypeOfLiteral(name) || IsMakerOfLiteral(name) ||
                           FunctionOfOtherName(name) != name ||
                           name == "None" || name == "ArithTuple";
  if (is_called || is_notation || MajorOfName(name).has_value() ||
      name == "o" || name == "_") {
    return Fail(offset, StrCat("'", name,
                               "' means something else; bind another "
                               "name"));
  }
  const CalculatorValue& value = stack_.back().value;
  const auto bound = calculator_->names_.find(name);
  const bool is_new = bound == calculator_->names_.end();
  const size_t nodes = calculator_->bound_nodes_ + NodeCount(value) -
                       (is_new ? 0 : NodeCount(bound->second.value));
  if (nodes > Calculator::kMaxBoundNodes) {
    return Fail(offset,
                absl::StrCat("the values that are bound have more than ",
                             Calculator::kMaxBoundNodes, " modes"),
                absl::StatusCode::kResourceExhausted);
  }
  calculator_->bound_nodes_ = nodes;
  const Calculator::Bound kept{value, stack_.back().element_bits};
  if (is_new) {
    calculator_->names_.emplace(name, kept);
  } else {
    bound->second = kept;
  }
  return true;
}

bool CalculatorLine::Push(CalculatorValue value, size_t offset,
                          int64_t element_bits) {
  nodes_ += NodeCount(value);
  if (nodes_ > Calculator::kMaxNodes) {
    return Fail(offset,
                absl::StrCat("the intermediate values have more than ",
                             Calculator::kMaxNodes, " modes"),
                absl::StatusCode::kResourceExhausted);
  }
  stack_.push_back({std::move(value), offset, element_bits});
  return true;
}

void CalculatorLine::PopTo(size_t base) {
  while (stack_.size() > base) {
    nodes_ -= NodeCount(stack_.back().value);
    stack_.pop_back();
  }
}

bool CalculatorLine::TakeBraces() {
  return !reader_.Take('{') || reader_.Take('}') || FailExpected("'}'");
}

bool CalculatorLine::Fail(size_t offset, std::string_view message,
                          absl::StatusCode code) {
  status_ = DiagnosticError(reader_.text(), offset, message, code);
  return false;
}

bool CalculatorLine::FailExpected(std::string_view what) {
  const std::string found = reader_.DescribeNextToken();
  return Fail(reader_.position(), StrCat("expected ", what, ", found ", found));
}

bool CalculatorLine::FailUnknown(std::string_view name, size_t offset) {
  std::vector<std::string_view> near = NearestFunctions(name);
  return Fail(offset, StrCat("unknown name '", name, "'",
                             near.empty() ? "" : "; did you mean ",
                             JoinViews(near, ", ")));
}

absl::StatusOr<CalculatorResult> Calculator::Evaluate(std::string_view line) {
  // print_tensor ends its first line like this, after a pointer and a layout.
  const std::string_view stripped = StripTrailingAsciiWhitespace(line);
  if (EndsWith(stripped, ":") && StrContains(stripped, " o ")) {
    line = stripped.substr(0, stripped.size() - 1);
  }
  if (IsOrdinary(line) ||
      (!MayHaveLabelledTexts(line) && !MayHaveUnknownSizes(line))) {
    return CalculatorLine(line, this).Run();
  }
  std::vector<LabelledText> texts = LabelledTexts(line);
  if (texts.size() > 1) {
    std::vector<std::string> labels;
    for (LabelledText& text : texts) labels.push_back(std::move(text.label));
    return DiagnosticError(
        line, texts[0].offset,
        absl::StrCat("the text has ", texts.size(), " layouts, ",
                     absl::StrJoin(labels, ", "), "; give one of them"));
  }
  const std::string_view text = texts.empty() ? line : texts[0].text;
  // The places in `line` of the bytes that are evaluated in its place.
  std::vector<size_t> origins;
  absl::StatusOr<CalculatorResult> result = EvaluateOpen(text, &origins);
  const auto move = [&](const Diagnostic& diagnostic) {
    const size_t last =
        origins.empty() ? diagnostic.offset : origins.size() - 1;
    const size_t at = std::min<size_t>(diagnostic.offset, last);
    const size_t origin = (origins.empty() ? at : origins[at]) +
                          (texts.empty() ? 0 : texts[0].offset);
    return MakeDiagnostic(line, std::min(origin, line.size()),
                          diagnostic.message);
  };
  if (!result.ok()) {
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(result.status());
    return diagnostic.has_value()
               ? DiagnosticStatus(move(*diagnostic), result.status().code())
               : result.status();
  }
  for (Diagnostic& note : result->notes) note = move(note);
  return result;
}

absl::StatusOr<CalculatorResult> Calculator::EvaluateOpen(
    std::string_view line, std::vector<size_t>* origins) {
  std::vector<int64_t> sizes = unknown_sizes_;
  size_t begin = 0;
  // ?=16,8; (?,8):(1,?)
  LineReader reader(line);
  if (reader.Take('?') && reader.Take('=')) {
    const size_t end = std::min(line.find(';'), line.size());
    begin = std::min(end + 1, line.size());
    sizes.clear();
    const absl::Status status = ReadUnknownSizes(
        line.substr(reader.position(), end - reader.position()), &sizes);
    if (!status.ok()) {
      return DiagnosticError(line, reader.position(),
                             StdView(status.message()));
    }
  }
  absl::StatusOr<std::string> bound =
      BindUnknownSizes(line.substr(begin), sizes, origins);
  if (!bound.ok()) {
    origins->clear();
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(bound.status());
    return DiagnosticError(line, begin + diagnostic->offset,
                           diagnostic->message, bound.status().code());
  }
  for (size_t& origin : *origins) origin += begin;
  return CalculatorLine(*bound, this).Run();
}

absl::Status Calculator::Let(std::string_view binding) {
  const size_t equals = binding.find('=');
  std::string_view name;
  if (equals != std::string_view::npos) {
    name = StripAsciiWhitespace(binding.substr(0, equals));
  }
  if (!name.empty() && name != "?") return Evaluate(binding).status();
  return ReadUnknownSizes(
      equals == std::string_view::npos ? binding : binding.substr(equals + 1),
      &unknown_sizes_);
}

}  // namespace tessera::cute
