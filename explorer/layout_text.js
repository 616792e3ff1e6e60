// The parts of a layout's text that have a handle on the page, and the text
// that they make again. Nothing here knows the page, or what a layout means:
// what is no plain array, layout or tensor has no parts, and stays text.

const LayoutText = (() => {
  'use strict';

  // -- XLA: f32[3,5]{1,0:T(2,2)} ----------------------------------------------

  // {type, dimensions: [{prefix, bound}], order, before, tiles, after}, or null.
  const parseXla = (text) => {
    const shape = /^\s*([a-z][a-z0-9]*)\[([^\]]*)\]\s*(?:\{([^}]*)\})?\s*$/.exec(text);
    if (!shape) return null;
    const dimensions = [];
    for (const part of shape[2].trim() === '' ? [] : shape[2].split(',')) {
      const dimension = /^\s*(<=)?\s*(\d+)\s*$/.exec(part);
      if (!dimension) return null;
      dimensions.push({prefix: dimension[1] ?? '', bound: Number(dimension[2])});
    }
    const layout = /^\s*([\d,\s]*)(?::(.*))?$/.exec(shape[3] ?? '');
    if (!layout) return null;
    let order = layout[1].trim() === '' ? [] : layout[1].split(',').map(Number);
    if (order.length === 0) order = dimensions.map((_, i) => dimensions.length - 1 - i);
    if (order.length !== dimensions.length) return null;
    const properties = /^(.*?)(?:T((?:\([\d,*\s]*\))+))?((?:[A-Z]\w*\(.*)?)$/.exec(layout[2] ?? '');
    if (!properties) return null;
    const tiles = Array.from((properties[2] ?? '').matchAll(/\(([^)]*)\)/g), (tile) =>
      tile[1].split(',').map((entry) => entry.trim()));
    return {type: shape[1], dimensions, order, before: properties[1], tiles, after: properties[3]};
  };

  const formatXla = (model) => {
    const tiles = model.tiles.map((tile) => `(${tile.join(',')})`).join('');
    const properties = model.before + (tiles ? `T${tiles}` : '') + model.after;
    return `${model.type}[${model.dimensions.map((d) => d.prefix + d.bound).join(',')}]` +
        `{${model.order.join(',')}${properties ? `:${properties}` : ''}}`;
  };

  // -- CuTe: ((2,2),3):((24,2),8), Sw<2,0,3> o 0 o (8,8):(8,1) -----------------

  // {swizzle: [bits, base, shift] or null, offset, shape, stride}, trees of
  // numbers; or null.
  const parseCute = (text) => {
    const composed = /^\s*Sw<(\d+),(\d+),(-?\d+)>\s*o\s*(-?\d+)\s*o\s*(.*)$/s.exec(text);
    const rest = composed ? composed[5] : text;
    let at = 0;
    const skip = () => { while (/\s/.test(rest[at] ?? '')) ++at; };
    const tree = (depth) => {
      skip();
      if (rest[at] === '(' && depth < 32) {
        const modes = [];
        do {
          ++at;
          const mode = tree(depth + 1);
          if (mode === null) return null;
          modes.push(mode);
          skip();
        } while (rest[at] === ',');
        if (rest[at++] !== ')') return null;
        return modes;
      }
      const number = /^-?\d+/.exec(rest.slice(at));
      if (!number) return null;
      at += number[0].length;
      return Number(number[0]);
    };
    const shape = tree(0);
    skip();
    if (shape === null || rest[at++] !== ':') return null;
    const stride = tree(0);
    skip();
    if (stride === null || at !== rest.length) return null;
    return {
      swizzle: composed ? composed.slice(1, 4).map(Number) : null,
      offset: composed ? Number(composed[4]) : 0,
      shape, stride,
    };
  };

  const treeText = (tree) => Array.isArray(tree) ? `(${tree.map(treeText).join(',')})` : String(tree);

  const formatCute = (model) => (model.swizzle ? `Sw<${model.swizzle.join(',')}> o ${model.offset} o ` : '') +
      `${treeText(model.shape)}:${treeText(model.stride)}`;

  // The leaves of a tree: [{path: [0, 1], value}].
  const leaves = (tree, path = []) => Array.isArray(tree)
    ? tree.flatMap((mode, i) => leaves(mode, [...path, i])) : [{path, value: tree}];

  // The tree with another leaf.
  const withLeaf = (tree, path, value) => path.length === 0 ? value
    : tree.map((mode, i) => i === path[0] ? withLeaf(mode, path.slice(1), value) : mode);

  // -- Tenstorrent: what `derive` is asked ------------------------------------

  // "!tt.tile<32x32, f32>" -> {tile: "32x32", type: "f32"}; of a scalar the
  // tile is "".
  const parseElement = (text) => {
    const tile = /tile<\s*(\d+)\s*x\s*(\d+)\s*,\s*([\w.]+)\s*>/.exec(text);
    return tile ? {tile: `${tile[1]}x${tile[2]}`, type: tile[3]} : {tile: '', type: text.trim()};
  };

  const formatElement = ({tile, type}) => tile ? `tile<${tile},${type}>` : type;

  // The affine map of a layout's text: "(d0, d1) -> (d0, d1)", '' if there is
  // none.
  const mapOf = (text) => /<(\([^()]*\) -> \(.*?\)), (?=\w+, <)/.exec(text)?.[1] ?? /<(\([^()]*\) -> \([^()]*\))/.exec(text)?.[1] ?? '';

  // Which intervals of dimensions a map joins, as `derive` takes them:
  // "(d0, d1, d2) -> (d0 * 64 + d1, d2)" -> "0,-1"; null of a map that does more
  // than join neighbours.
  const intervalsOf = (map) => {
    const parts = /^\(([^()]*)\) -> \(([^()]*)\)$/.exec(map);
    if (!parts) return null;
    const rank = parts[1].split(',').length;
    const intervals = [];
    let next = 0;
    for (const result of parts[2].split(',')) {
      if (/mod|div|-/.test(result)) return null;
      const dimensions = Array.from(result.matchAll(/d(\d+)/g), (match) => Number(match[1]));
      if (dimensions.length === 0 || dimensions.some((dimension, i) => dimension !== next + i)) return null;
      const end = next + dimensions.length;
      if (dimensions.length > 1) intervals.push(next, end < rank ? end - rank : end);
      next = end;
    }
    return next !== rank ? null : rank <= 2 && intervals.length === 0 ? '0,-1' : intervals.join(',');
  };

  // "0, -1" -> [0, -1]; null if it is no list of integers.
  const parseIntegers = (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return [];
    const parts = trimmed.split(/\s*[,x]\s*|\s+/);
    return parts.every((part) => /^-?\d+$/.test(part)) ? parts.map(Number) : null;
  };

  return {
    parseXla, formatXla, parseCute, formatCute, treeText, leaves, withLeaf, parseElement, formatElement, mapOf,
    intervalsOf, parseIntegers,
  };
})();
