// What the page says and where it draws, as functions of the service's answers
// (proto/layout_service.proto) and nothing else.

const ExplorerModel = (() => {
  'use strict';

  const KINDS = {
    ELEMENT: {name: 'Element', mark: 'element', text: 'holds an element'},
    TILE_PADDING: {name: 'Tile padding', mark: 'tile-pad', text: 'a tile reaches past the array here'},
    GRID_PADDING: {name: 'Grid padding', mark: 'grid-pad', text: 'allocated only by rounding up to whole shards'},
    GAP: {name: 'Gap', mark: 'gap', text: 'no index has this position'},
    TAIL_PADDING: {name: 'Tail padding', mark: 'tail', text: 'past all tiles, up to the alignment of the buffer'},
  };

  // What a core of the devices that tt-mlir describes has for tensors.
  const L1_BYTES = 1499136;

  // Of a field of an answer: those at their default are not sent.
  const number = (value) => value ?? 0;
  const list = (value) => value ?? [];

  const FAMILY_NAMES = {xla: 'XLA', cute: 'CuTe', tensor: 'Tenstorrent', strided: 'Strided'};

  const familyOf = (description) => Object.keys(FAMILY_NAMES).find((family) => description[family]);

  // The bounds of an index, or null of what is no single array.
  const boundsOf = (description) => {
    if (description.cute) return list(description.cute.mode_sizes);
    if (description.tensor) return list(description.tensor.shape);
    if (description.strided) return list(description.strided.shape);
    const leaf = onlyLeaf(description);
    return leaf ? list(leaf.dimensions).map((d) => number(d.bound)) : null;
  };

  const onlyLeaf = (description) => {
    const leaves = list(description.xla?.leaves);
    return leaves.length === 1 && list(leaves[0].shape_index).length === 0 ? leaves[0] : null;
  };

  const positionsOf = (description) => number(description.cute?.position_count ?? description.tensor?.position_count ??
      description.strided?.position_count ?? description.xla?.total?.position_count);

  // -- Numbers in words --------------------------------------------------------

  const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  const bytesText = (bytes) => {
    const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
    let unit = 0;
    let size = Number(bytes);
    while (size >= 1024 && unit + 1 < units.length) {
      size /= 1024;
      ++unit;
    }
    if (unit === 0) return size === 1 ? '1 byte' : `${size} bytes`;
    return `${size >= 100 ? size.toFixed(0) : size.toFixed(1)} ${units[unit]}`;
  };
  const percent = (part, whole) => {
    if (!(whole > 0)) return '0 %';
    const share = 100 * part / whole;
    return `${share === 0 || share >= 10 ? share.toFixed(0) : share >= 0.1 ? share.toFixed(1) : '< 0.1'} %`;
  };
  const indexText = (index) => `(${index.join(', ')})`;

  const placeText = (byte, bit) => `${grouped(byte)}${bit ? `, bit ${bit}` : ''} (0x${byte.toString(16)})`;

  // Where a position of an array begins, in words; '' of families that do not say how large an element is.
  const byteText = (description, position) => {
    const leaf = description.strided ?? onlyLeaf(description);
    if (!leaf || typeof position !== 'number') return '';
    const bits = number(leaf.metadata_prefix_bytes) * 8 + position * number(leaf.element_bits);
    if (!Number.isSafeInteger(bits)) return '';
    return placeText(Math.floor(bits / 8), bits % 8);
  };

  // -- Steps -------------------------------------------------------------------

  const digitText = (digit) => {
    const {coordinate, divisor = 1, modulus = 0} = digit;
    const name = coordinate.computed === undefined ? `i${number(coordinate.dimension)}` : `c${coordinate.computed}`;
    return name + (divisor !== 1 ? ` div ${divisor}` : '') + (modulus !== 0 ? ` mod ${modulus}` : '');
  };

  const binary = (value, width) => value.toString(2).padStart(width, '0');

  // [{label, formula, value}] in the order in which one would compute.
  const explainSteps = (explanation, index) => {
    const steps = [];
    const tiling = explanation.tiling;
    if (tiling) {
      const physical = tiling.physical ?? {};
      if (list(tiling.tiles).length > 0 && list(physical.index).join() !== index.join()) {
        steps.push({
          label: 'major to minor', formula: `${indexText(index)} within ${indexText(list(physical.bounds))}`,
          value: indexText(list(physical.index)),
        });
      }
      for (const tile of list(tiling.tiles)) {
        const {index: from, bounds} = tile.tiled ?? {};
        steps.push({
          label: `T${tile.tile}`,
          formula: `${indexText(list(from))} of ${indexText(list(bounds))} by ${indexText(list(tile.divisors))}`,
          value: indexText(list(tile.expanded?.index)),
        });
      }
    }
    for (const [i, computed] of list(explanation.computed).entries()) {
      const terms = list(computed.pieces).map((piece) =>
        digitText(piece.digit) + (number(piece.multiplier) !== 1 ? ` × ${number(piece.multiplier)}` : ''));
      if (number(computed.offset) !== 0) terms.push(String(computed.offset));
      steps.push({label: `c${i}`, formula: terms.join(' + '), value: String(number(computed.value))});
    }
    for (const {digit, stride} of list(explanation.digits)) {
      const value = number(digit.digit);
      steps.push({
        label: '', formula: `${digitText(digit)} = ${value}, × ${number(stride)}`,
        value: String(value * number(stride)), is_term: true,
      });
    }
    if (number(explanation.base) !== 0) {
      steps.push({label: 'base', formula: '', value: String(explanation.base), is_term: true});
    }
    const swizzle = explanation.swizzle;
    if (swizzle) {
      const bits = number(swizzle.bits);
      const base = number(swizzle.base);
      const shift = number(swizzle.shift);
      const before = number(swizzle.before);
      const width = Math.max(base + bits + Math.abs(shift), before.toString(2).length);
      steps.push({label: 'sum', formula: '', value: String(before)});
      steps.push({
        label: `Sw<${bits},${base},${shift}>`,
        formula: `${binary(before, width)} → ${binary(number(explanation.linear_index), width)}, binary`,
        value: String(number(explanation.linear_index)),
      });
    }
    return steps;
  };

  // -- Tenstorrent -------------------------------------------------------------

  // Why the numbers of a tensor's shards are what they are: [{label, formula,
  // value}].
  const shardSteps = (tensor) => {
    const {map} = tensor;
    const tile = list(tensor.tile_shape).length > 0 ? tensor.tile_shape : null;
    const extent = list(tensor.extent);
    const rank = extent.length;
    const tileAlong = (i) => tile && i >= rank - 2 ? tile[i - rank + 2] : 1;
    const steps = map ? [{label: 'map', formula: map, value: ''}] : [];
    extent.forEach((size, i) => {
      const cores = tensor.grid[i];
      const by = tileAlong(i);
      const shard = tensor.shard[i];
      const tiles = tensor.memref[i];
      if (tensor.tiles_first) {
        steps.push({
          label: `dimension ${i}`,
          formula: by === 1 ? `${size} / ${cores} ${cores === 1 ? 'core' : 'cores'}, rounded up`
            : `${size} / ${by}, rounded up, tiles over ${cores} ${cores === 1 ? 'core' : 'cores'}`,
          value: by === 1 ? String(shard) : `${tiles} ${tiles === 1 ? 'tile' : 'tiles'} a core`,
        });
        return;
      }
      steps.push({
        label: `dimension ${i}`, formula: `${size} / ${cores} ${cores === 1 ? 'core' : 'cores'}, rounded up`,
        value: `${shard} a core`,
      });
      if (by !== 1) {
        steps.push({label: '', formula: `${shard} / ${by}, rounded up`, value: `${tiles} ${tiles === 1 ? 'tile' : 'tiles'}`});
      }
    });
    steps.push({
      label: 'bytes a core',
      formula: `${list(tensor.memref).join(' × ')} ${tile ? 'tiles' : 'scalars'} × ${number(tensor.element_bytes)} bytes`,
      value: grouped(number(tensor.bytes_per_shard)),
    });
    if (tensor.memory_space_name === 'l1') {
      steps.push({
        label: 'of L1', formula: `${grouped(number(tensor.bytes_per_shard))} of ${grouped(L1_BYTES)} bytes`,
        value: percent(number(tensor.bytes_per_shard), L1_BYTES),
      });
    }
    return steps;
  };

  // What a shard allocates along its last two dimensions, in scalars.
  const allocatedBox = (tensor) => {
    const tile = list(tensor.tile_shape).length > 0 ? tensor.tile_shape : [1, 1];
    const memref = [1, ...list(tensor.memref)].slice(-2);
    return [memref[0] * tile[0], memref[1] * tile[1]];
  };

  // The cores of a grid, row by row, at most `limit`: [{cell, row, column,
  // valid, number}]; leading dimensions of the grid go down.
  const coresOf = (tensor, limit) => {
    const grid = list(tensor.grid);
    const columns = grid.length === 0 ? 1 : grid[grid.length - 1];
    const count = grid.reduce((product, size) => product * size, 1);
    const cores = [];
    for (let n = 0; n < Math.min(count, limit); ++n) {
      const cell = [];
      for (let i = grid.length - 1, rest = n; i >= 0; rest = Math.floor(rest / grid[i--])) cell.unshift(rest % grid[i]);
      const box = list(tensor.cell_boxes).find(({first, last}) =>
        cell.every((at, i) => list(first)[i] <= at && at <= list(last)[i]));
      cores.push({
        cell, number: n, row: Math.floor(n / columns), column: n % columns,
        valid: list(box?.valid).length ? box.valid : grid.map(() => 0),
      });
    }
    return cores;
  };

  // -- The link ----------------------------------------------------------------

  const DEFAULTS = {
    text: '', rows: null, columns: null, index: [], rowFirst: 0, columnFirst: 0, size: 0, memoryFirst: null,
    memoryWidth: 0, path: false, pin: '', alignments: '', shows: '', color: '', thread: null, tile: '', data: '', bytes: null,
  };
  const NAMES = {
    text: 'layout', rows: 'rows', columns: 'columns', index: 'index', rowFirst: 'row', columnFirst: 'column', size: 'window',
    memoryFirst: 'position', memoryWidth: 'width', path: 'order', pin: 'pin', alignments: 'align', shows: 'shows', color: 'color', thread: 'thread', tile: 'tile', data: 'in',
    bytes: 'bytes',
  };

  // Of those that take one of several values, each with its name on the page.
  const CHOICES = {
    shows: [['', 'nothing'], ['THREADS', 'threads and values'], ['MEMORY', 'banks, modes or offsets'], ['OPERATIONS', 'before and after']],
    color: [['', 'as usual'], ['BY_THREAD', 'thread'], ['BY_VALUE', 'value'], ['BY_BANK', 'bank'], ['BY_MODE', 'mode'], ['BY_OFFSET', 'offset']],
    size: [[0, 'as it fits'], ...[8, 16, 32, 64].map((size) => [size, `${size} × ${size}`])],
    memoryWidth: [[0, 'as it fits'], ...[4, 8, 16, 32, 64].map((width) => [width, `${width} a row`])],
  };

  const toHash = (state) => {
    const parameters = new URLSearchParams();
    for (const [key, name] of Object.entries(NAMES)) {
      const value = String(state[key] === true ? 1 : state[key] ?? '');
      if (value !== String(DEFAULTS[key] ?? '')) parameters.set(name, value);
    }
    return `#${parameters}`;
  };

  // "0, -1" -> [0, -1]; null if it is no list of integers.
  const parseIntegers = (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return [];
    const parts = trimmed.split(/\s*[,x]\s*|\s+/);
    return parts.every((part) => /^-?\d+$/.test(part)) ? parts.map(Number) : null;
  };

  // The question for the picture of threads, banks or operations, as wide as
  // `width`.
  const drawingOf = (state, width) => {
    const drawing = {shows: state.shows, width};
    if (state.shows !== 'OPERATIONS' && state.color) drawing.color = state.color;
    if (state.shows !== 'OPERATIONS' && state.bytes !== null) drawing.bytes = state.bytes;
    if (state.shows === 'THREADS') {
      if (state.thread !== null) drawing.thread = state.thread;
      if (state.data) drawing.memory = state.data;
      if (state.tile) drawing.tile = parseIntegers(state.tile) ?? [];
    }
    return {layout: state.text, drawing};
  };

  // What is not in the link, or is no such value, is as by default.
  const fromHash = (hash) => {
    const parameters = new URLSearchParams(hash.replace(/^#/, ''));
    const state = {...DEFAULTS, index: []};
    for (const [key, name] of Object.entries(NAMES)) {
      const value = parameters.get(name);
      if (value === null) continue;
      const standard = DEFAULTS[key];
      if (typeof standard === 'string') {
        state[key] = value;
      } else if (typeof standard === 'boolean') {
        state[key] = value === '1';
      } else if (Array.isArray(standard)) {
        state[key] = (parseIntegers(value) ?? []).map((entry) => Math.max(0, entry));
      } else if (/^\d{1,15}$/.test(value)) {
        state[key] = Number(value);
      }
      if (CHOICES[key]?.every(([choice]) => choice !== state[key])) state[key] = standard;
    }
    return state;
  };

  return {
    KINDS, FAMILY_NAMES, L1_BYTES, DEFAULTS, CHOICES, number, list, familyOf, boundsOf, onlyLeaf, positionsOf, grouped, bytesText,
    percent, indexText, placeText, byteText, explainSteps, shardSteps, allocatedBox, coresOf, parseIntegers, toHash,
    fromHash, drawingOf,
  };
})();
