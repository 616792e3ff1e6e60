#include "tessera/viz/svg_style.h"

namespace tessera {

// The colours are pale variants of Okabe and Ito's, which are distinguishable
// with any kind of colour vision; on a dark background they are deep variants.
const char kSvgStyle[] = R"css(
.tessera { font-family: ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; font-size: 13px; }
.tessera .ground { fill: #ffffff; }
.tessera text { fill: #1b1f24; }
.tessera .title, .tessera .n, .tessera .label, .tessera .m { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }
.tessera .title { font-size: 15px; font-weight: 600; }
.tessera .n { font-size: 13px; text-anchor: middle; pointer-events: none; }
.tessera .m { font-size: 12px; text-anchor: middle; pointer-events: none; }
.tessera .label { font-size: 12px; fill: #59636e; }
.tessera .axis { font-size: 12px; fill: #59636e; text-anchor: middle; }
.tessera .right { text-anchor: end; }
.tessera .middle { text-anchor: middle; }
.tessera .beyond { font-style: italic; fill: #818b98; }
.tessera .padded { fill: #59636e; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.tessera .h0, .tessera .h1, .tessera .h2, .tessera .h3, .tessera .h4, .tessera .h5 { stroke-width: 6px; stroke-linejoin: round; paint-order: stroke; }
.tessera .h0 { stroke: #cfe6f7; } .tessera .h1 { stroke: #fbdcb4; } .tessera .h2 { stroke: #c5ecd9; }
.tessera .h3 { stroke: #f8f1b5; } .tessera .h4 { stroke: #f5cdbf; } .tessera .h5 { stroke: #e6cfe6; }
.tessera .cell { stroke: #1b1f24; stroke-opacity: 0.16; }
.tessera .c0 { fill: #cfe6f7; } .tessera .c1 { fill: #fbdcb4; } .tessera .c2 { fill: #c5ecd9; }
.tessera .c3 { fill: #f8f1b5; } .tessera .c4 { fill: #f5cdbf; } .tessera .c5 { fill: #e6cfe6; }
.tessera .padding { fill: url(#tessera-hatching); }
.tessera .hatching { stroke: #a3acb6; stroke-width: 1.2; }
.tessera .nothing { fill: none; stroke: none; }
.tessera .thick { fill: none; stroke: #1b1f24; stroke-width: 2.6; stroke-linecap: square; }
.tessera .thin { fill: none; stroke: #1b1f24; stroke-width: 1.4; stroke-linecap: square; }
.tessera .nested { fill: none; stroke: #a8261c; stroke-width: 1.5; }
.tessera .deep { stroke-width: 1; }
.tessera .mark { fill: none; stroke: #1b1f24; stroke-width: 2; }
.tessera .unmarked { fill: none; }
.tessera .cut { fill: none; stroke: #59636e; stroke-dasharray: 2 4; }
.tessera .path { fill: none; stroke: #0b57d0; stroke-opacity: 0.6; stroke-width: 2.4; stroke-linejoin: round; stroke-linecap: round; }
.tessera .jump { fill: none; stroke: #0b57d0; stroke-opacity: 0.5; stroke-width: 1.4; stroke-dasharray: 3 4; }
.tessera .end { fill: none; stroke: #0b57d0; stroke-width: 2; }
.tessera .whole { fill: none; stroke: #59636e; }
.tessera .part { fill: #0b57d0; fill-opacity: 0.75; }
@media (prefers-color-scheme: dark) {
.tessera .ground { fill: #15191f; }
.tessera text { fill: #f0f3f6; }
.tessera .label, .tessera .axis { fill: #9aa4b0; }
.tessera .beyond { fill: #7d8792; }
.tessera .padded { fill: #b6c0ca; stroke: #15191f; }
.tessera .cell { stroke: #f0f3f6; }
.tessera .c0 { fill: #1f4a68; } .tessera .c1 { fill: #6b4717; } .tessera .c2 { fill: #1c5742; }
.tessera .c3 { fill: #55500f; } .tessera .c4 { fill: #6d3524; } .tessera .c5 { fill: #5a3a5c; }
.tessera .h0 { stroke: #1f4a68; } .tessera .h1 { stroke: #6b4717; } .tessera .h2 { stroke: #1c5742; }
.tessera .h3 { stroke: #55500f; } .tessera .h4 { stroke: #6d3524; } .tessera .h5 { stroke: #5a3a5c; }
.tessera .hatching { stroke: #4e5864; }
.tessera .nothing { stroke: none; }
.tessera .thick, .tessera .thin, .tessera .mark { stroke: #f0f3f6; }
.tessera .nested { stroke: #ffab9e; }
.tessera .cut, .tessera .whole { stroke: #9aa4b0; }
.tessera .path, .tessera .jump, .tessera .end { stroke: #8ab8ff; }
.tessera .part { fill: #8ab8ff; }
}
)css";

const char kSvgHatching[] =
    R"svg(<defs><pattern id="tessera-hatching" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" width="7" height="7"/><line class="hatching" x1="1" y1="0" x2="1" y2="7"/></pattern></defs>
)svg";

}  // namespace tessera
