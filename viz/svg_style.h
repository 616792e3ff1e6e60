// The look that pictures of layouts share: the palette, light and dark, and
// the hatching of padding.
//
//   absl::StrCat("<style>", kSvgStyle, "</style>", kSvgHatching);

#ifndef TESSERA_VIZ_SVG_STYLE_H_
#define TESSERA_VIZ_SVG_STYLE_H_

namespace tessera {

// CSS rules for the contents of an element of class "tessera". c0 to c5 are
// backgrounds of cells.
extern const char kSvgStyle[];
// The SVG definition of "tessera-hatching".
extern const char kSvgHatching[];

}  // namespace tessera

#endif  // TESSERA_VIZ_SVG_STYLE_H_
