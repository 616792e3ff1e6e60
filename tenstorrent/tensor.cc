#include "tessera/tenstorrent/tensor.h"

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/internal/aligned_verification.h"
#include "tessera/tenstorrent/internal/ttnn_verification.h"
#include "tessera/tenstorrent/text/form_attributes.h"
#include "tessera/tenstorrent/text/layout_reader.h"

namespace tessera::tenstorrent {
namespace {

// For errors.
constexpr std::string_view kAnyExpected =
    "a layout, #tt.metal_layout<(d0) -> (d0), ...>, "
    "#ttcore.metal_layout<logical_shape = ...> or #ttnn.ttnn_layout<...>";
constexpr std::string_view kMetalExpected =
    "a layout such as #tt.metal_layout<(d0) -> (d0), ...>";
constexpr std::string_view kAlignedExpected =
    "a layout such as #ttcore.metal_layout<logical_shape = ...>";
constexpr std::string_view kTtnnExpected =
    "a layout such as #ttnn.ttnn_layout<...>";
constexpr std::string_view kNdExpected =
    "a layout such as #ttnn.ttnn_nd_layout<...>";

// Reads a whole text by `read`, a function that returns false after an error.
template <typename Value, typename ReadFunction>
absl::StatusOr<Value> ReadText(std::string_view text, ReadFunction read) {
  const absl::Span<const AttributeName> forms[] = {
      AlignedAttributes(), MetalAttributes(), TtnnAttributes()};
  LayoutReader reader(text, forms);
  Value value;
  if (!reader.ReadAliases() || !read(&reader, &value) || !reader.ReadEnd()) {
    return reader.status();
  }
  return value;
}

template <typename Layout>
absl::StatusOr<Layout> ReadLayoutText(std::string_view text,
                                      std::string_view what,
                                      const KindOf<Layout>& kind) {
  return ReadText<Layout>(text, [&](LayoutReader* reader, Layout* layout) {
    Attribute attribute;
    const char* begin;
    return reader->ReadSubject(what, &attribute, &begin) &&
           reader->TakeValue(what, begin, attribute, kind, layout);
  });
}

template <typename Tensor, typename Layout>
absl::StatusOr<Tensor> ReadTensorOfForm(std::string_view text,
                                        std::string_view what,
                                        const KindOf<Layout>& kind) {
  return ReadText<Tensor>(text, [&](LayoutReader* reader, Tensor* tensor) {
    Attribute attribute;
    const char* begin;
    return reader->ReadTensor(what, &tensor->shape, &tensor->element,
                              &attribute, &begin) &&
           reader->TakeValue(what, begin, attribute, kind, &tensor->layout) &&
           reader->Expect('>');
  });
}

void Fill(const MetalTensor& read, VerifiedTensor* tensor) {
  tensor->order = DivisionOrder::kGridFirst;
  tensor->oob_value = read.layout.oob_value;
  tensor->memory_space =
      std::string(KeywordOf(read.layout.memref.memory_space));
}

void Fill(const AlignedTensor& read, VerifiedTensor* tensor) {
  tensor->order = DivisionOrder::kTileFirst;
  tensor->oob_value = read.layout.oob_value;
  tensor->memory_space = std::string(
      KeywordOf(read.layout.memory_space.value_or(MemorySpace::kSystem)));
}

void Fill(const TtnnTensor& read, VerifiedTensor* tensor) {
  tensor->order = DivisionOrder::kTileFirst;
  tensor->memory_space = std::string(KeywordOf(read.layout.memref.buffer_type));
}

const AffineMap* MapOf(const MetalLayout& layout) { return &layout.linear; }
const AffineMap* MapOf(const AlignedLayout&) { return nullptr; }
const AffineMap* MapOf(const TtnnLayout& layout) { return &layout.linear; }

}  // namespace

absl::StatusOr<TensorText> ReadTensorText(std::string_view text) {
  return ReadText<TensorText>(text, [](LayoutReader* reader,
                                       TensorText* tensor) {
    Dimensions shape;
    ElementType element;
    Attribute layout;
    const char* begin;
    if (!reader->ReadTensor(kAnyExpected, &shape, &element, &layout, &begin)) {
      return false;
    }
    if (const MetalLayout* metal = layout.As(kMetalLayoutKind)) {
      *tensor = MetalTensor{std::move(shape), element, *metal};
    } else if (const AlignedLayout* aligned = layout.As(kAlignedLayoutKind)) {
      *tensor = AlignedTensor{std::move(shape), element, *aligned};
    } else if (const TtnnLayout* ttnn = layout.As(kTtnnLayoutKind)) {
      *tensor = TtnnTensor{std::move(shape), element, *ttnn};
    } else {
      return reader->FailKind(kAnyExpected, begin, layout);
    }
    return reader->Expect('>');
  });
}

std::string ToString(const TensorText& tensor) {
  return std::visit([](const auto& t) { return t.ToString(); }, tensor);
}

const AffineMap* LinearMapOf(const TensorText& tensor) {
  return std::visit([](const auto& t) { return MapOf(t.layout); }, tensor);
}

VerifiedTensor VerifyTensor(TensorText text,
                            const VerificationOptions& options) {
  VerifiedTensor tensor;
  tensor.text = std::move(text);
  std::visit(
      [&](const auto& form) {
        Fill(form, &tensor);
        tensor.verification = Verify(form, options);
      },
      tensor.text);
  return tensor;
}

absl::StatusOr<VerifiedTensor> ReadVerifiedTensor(
    std::string_view text, const VerificationOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(TensorText read, ReadTensorText(text));
  return VerifyTensor(std::move(read), options);
}

absl::StatusOr<const Placement*> PlacementOf(const VerifiedTensor& tensor) {
  const Verification& verification = tensor.verification;
  for (const Finding& error : verification.errors) {
    // Elements have places whatever the name of their type.
    if (error.rule != Rule::kElementTypes) {
      return absl::FailedPreconditionError(FindingText(error));
    }
  }
  if (verification.placement.has_value()) return &*verification.placement;
  for (const Finding& warning : verification.warnings) {
    if (warning.rule == Rule::kUndecided) {
      return absl::FailedPreconditionError(FindingText(warning));
    }
  }
  return absl::FailedPreconditionError("the tensor has no locations");
}

absl::StatusOr<const Placement*> SizesOf(const VerifiedTensor& tensor) {
  const std::optional<Placement>& view = tensor.verification.view;
  if (tensor.verification.ok() && view.has_value()) return &*view;
  return PlacementOf(tensor);
}

std::vector<Finding> LocationWarnings(const Verification& verification) {
  std::vector<Finding> warnings;
  for (const Finding& warning : verification.warnings) {
    if (warning.rule == Rule::kUndecided ||
        warning.rule == Rule::kMemoryLayout ||
        warning.rule == Rule::kBlockFloat) {
      warnings.push_back(warning);
    }
  }
  return warnings;
}

std::string FindingText(const Finding& finding) {
  return StrCat(NameOf(finding.rule), ": ", finding.message);
}

// -- Of one form --------------------------------------------------------------

absl::StatusOr<MetalTensor> ParseMetalTensor(std::string_view text) {
  return ReadTensorOfForm<MetalTensor>(text, kMetalExpected, kMetalLayoutKind);
}

absl::StatusOr<AlignedTensor> ParseAlignedTensor(std::string_view text) {
  return ReadTensorOfForm<AlignedTensor>(text, kAlignedExpected,
                                         kAlignedLayoutKind);
}

absl::StatusOr<TtnnTensor> ParseTtnnTensor(std::string_view text) {
  return ReadTensorOfForm<TtnnTensor>(text, kTtnnExpected, kTtnnLayoutKind);
}

absl::StatusOr<TtnnNdTensor> ParseTtnnNdTensor(std::string_view text) {
  return ReadTensorOfForm<TtnnNdTensor>(text, kNdExpected, kTtnnNdLayoutKind);
}

absl::StatusOr<MetalLayout> ParseMetalLayout(std::string_view text) {
  return ReadLayoutText(text, kMetalExpected, kMetalLayoutKind);
}

absl::StatusOr<AlignedLayout> ParseAlignedLayout(std::string_view text) {
  return ReadLayoutText(text, kAlignedExpected, kAlignedLayoutKind);
}

absl::StatusOr<TtnnLayout> ParseTtnnLayout(std::string_view text) {
  return ReadLayoutText(text, kTtnnExpected, kTtnnLayoutKind);
}

absl::StatusOr<TtnnNdLayout> ParseTtnnNdLayout(std::string_view text) {
  return ReadLayoutText(text, kNdExpected, kTtnnNdLayoutKind);
}

absl::StatusOr<MemoryConfig> ParseMemoryConfig(std::string_view text) {
  return ReadLayoutText(
      text, "a memory configuration such as #ttnn.memory_config<...>",
      kMemoryConfigKind);
}

}  // namespace tessera::tenstorrent
