// The attributes that each form of layout has, for the reader of tensors
// (tensor.h).
//
//   const absl::Span<const AttributeName> forms[] = {
//       AlignedAttributes(), MetalAttributes(), TtnnAttributes()};
//   LayoutReader reader(text, forms);
//
// The forms of 2025 and 2024 have the same names. Only the form of 2025 begins
// with its first keyword, so it comes first.

#ifndef TESSERA_TENSTORRENT_TEXT_FORM_ATTRIBUTES_H_
#define TESSERA_TENSTORRENT_TEXT_FORM_ATTRIBUTES_H_

#include "absl/types/span.h"
#include "tessera/tenstorrent/text/layout_reader.h"

namespace tessera::tenstorrent {

struct AlignedLayout;
struct MemoryConfig;
struct MetalLayout;
struct TtnnLayout;
struct TtnnNdLayout;

// Defined with each form: metal_layout.cc, aligned_layout.cc, ttnn_layout.cc.
absl::Span<const AttributeName> MetalAttributes();
absl::Span<const AttributeName> AlignedAttributes();
absl::Span<const AttributeName> TtnnAttributes();

extern const KindOf<MetalLayout> kMetalLayoutKind;
extern const KindOf<AlignedLayout> kAlignedLayoutKind;
extern const KindOf<TtnnLayout> kTtnnLayoutKind;
extern const KindOf<TtnnNdLayout> kTtnnNdLayoutKind;
extern const KindOf<MemoryConfig> kMemoryConfigKind;

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_TEXT_FORM_ATTRIBUTES_H_
