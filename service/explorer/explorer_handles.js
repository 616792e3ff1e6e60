// The handles of a layout: numbers to drag and to type, and buttons, that change
// its parts: those of a PartsResult (proto/layout_questions.proto). Each tells its
// change by a function that edits the parts as they are then.

const ExplorerHandles = (() => {
  'use strict';

  const {make, options, button} = Dom;

  const TYPES = ['f32', 'f16', 'bf16', 'bfp_f8', 'bfp_bf8', 'bfp_f4', 'bfp_bf4', 'u32', 'u16', 'u8'];
  const TILES = ['', '32x32', '16x32', '32x16', '16x16', '8x32', '4x32', '2x32', '1x32'];

  // Rows of labelled numbers that survive a redraw while they are used.
  class Rows {
    constructor(body) {
      this.body = body;
      this.signature = '';
      this.setters = new Map();
      this.inputs = new Map();
    }

    // groups: [{title, action, rows: [{key, label, value, minimum, maximum, set}], extra: [nodes]}]
    show(groups) {
      const rows = groups.flatMap((group) => group.rows);
      for (const row of rows) this.setters.set(row.key, row.set);
      const signature = JSON.stringify(groups.map((group) => [group.title, group.rows.map((row) => row.key), group.tag ?? '']));
      if (signature !== this.signature) {
        const focused = document.activeElement?.dataset?.key;
        this.inputs.clear();
        this.body.replaceChildren(...groups.map((group) => this.groupOf(group)));
        this.signature = signature;
        if (focused) this.body.querySelector(`[data-key="${focused}"]`)?.focus();
      }
      for (const row of rows) this.update(row);
    }

    groupOf(group) {
      const head = group.title ? [make('h3', {}, group.title, ...(group.action ? [group.action] : []))] : [];
      return make('div', {className: 'group'}, ...head, ...group.rows.map((row) => this.rowOf(row)), ...(group.extra ?? []));
    }

    rowOf({key, label, name}) {
      const change = (event) => {
        const value = Number(event.target.value);
        if (event.target.value === '' || !Number.isSafeInteger(value)) return;
        const [slider, field] = this.inputs.get(key);
        (event.target === slider ? field : slider).value = value;
        this.setters.get(key)(value);
      };
      const slider = make('input', {type: 'range', on: {input: change}, 'aria-label': `${name ?? label}, slider`, tabIndex: -1});
      const field = make('input', {type: 'number', on: {input: change}, 'aria-label': name ?? label});
      field.dataset.key = key;
      slider.dataset.slider = key;
      this.inputs.set(key, [slider, field]);
      return make('div', {className: 'row'}, make('span', {className: 'label'}, label), slider, field);
    }

    update({key, value, minimum = 0, maximum}) {
      const [slider, field] = this.inputs.get(key);
      const reach = maximum ?? Math.max(16, 2 ** Math.ceil(Math.log2(Math.max(1, 2 * value))));
      for (const input of [slider, field]) {
        input.min = minimum;
        if (maximum !== undefined) input.max = maximum;
        if (document.activeElement !== input) {
          if (input === slider) input.max = reach;
          input.value = value;
        }
      }
    }
  }

  // Of a ShapeProto.
  const ofXla = (model, change) => {
    // An unbounded dimension has no number.
    if (!model.dimensions.every(Number.isSafeInteger)) return [];
    const {minor_to_major: minorToMajor, tiles} = model.layout;
    const order = make('div', {className: 'order'}, ...minorToMajor.map((dimension, i) => button(
        String(dimension), i === 0 ? `Dimension ${dimension} is the most minor` : `Move dimension ${dimension} towards minor`,
        () => change(({layout: {minor_to_major: order}}) => order.splice(i - 1, 2, order[i], order[i - 1])), i === 0)));
    const groups = [{
      title: 'Bounds',
      rows: model.dimensions.map((bound, i) => ({
        key: `d${i}`, label: `dim ${i}`, name: `Bound of dimension ${i}`, value: bound,
        set: (value) => change((parts) => { parts.dimensions[i] = value; }),
      })),
    }];
    if (model.dimensions.length > 1) {
      groups.push({
        title: 'Order, minor to major', tag: minorToMajor, rows: [],
        extra: [order, make('p', {className: 'hint'}, 'Click a dimension to move it towards minor.')],
      });
    }
    tiles.forEach(({dimensions: tile}, i) => groups.push({
      title: `Tile ${i + 1}`,
      action: button('Remove', `Remove tile ${i + 1}`, () => change(({layout}) => layout.tiles.splice(i, 1))),
      rows: tile.map((entry, j) => ({
        key: `t${i}.${j}`, label: {1: 'minor', 2: 'major'}[tile.length - j] ?? `entry ${j}`, name: `Tile ${i + 1}, entry ${j}`,
        value: entry, minimum: 1, set: (value) => change(({layout}) => { layout.tiles[i].dimensions[j] = value; }),
      // An entry * is -1.
      })).filter((row) => row.value > 0),
    }));
    if (model.dimensions.length > 0) {
      const added = {dimensions: model.dimensions.length === 1 ? [4] : tiles.length === 0 ? [2, 2] : [2, 1]};
      groups.push({
        title: '', rows: [], extra: [button('Add a tile', 'Add a tile', () => change(({layout}) => layout.tiles.push(added)))],
      });
    }
    return groups;
  };

  // The integers of an IntTupleParts: [{path: [0, 1], value}].
  const leavesOf = ({value, modes}, path = []) => value != null
    ? [{path, value}] : modes.flatMap((mode, i) => leavesOf(mode, [...path, i]));

  const leafAt = (tuple, path) => path.reduce(({modes}, i) => modes[i], tuple);

  // Of a CuteParts.
  const ofCute = (model, change) => {
    const leafRows = (part, title, minimum) => leavesOf(model[part]).map(({path, value}) => ({
      key: `${part}${path.join('.')}`, label: path.length === 0 ? 'mode' : `mode ${path.join('.')}`,
      name: `${title} of mode ${path.join('.') || '0'}`, value, minimum,
      set: (to) => change((parts) => { leafAt(parts[part], path).value = to; }),
    }));
    const swizzled = (swizzle) => () => change((parts) => Object.assign(parts, {swizzle, offset: 0}));
    return [
      {title: 'Shape', rows: leafRows('shape', 'Shape', 1)},
      {title: 'Stride', rows: leafRows('stride', 'Stride', 0)},
      model.swizzle ? {
        title: 'Swizzle', action: button('Remove', 'Remove the swizzle', swizzled(null)),
        rows: ['bits', 'base', 'shift'].map((label, i) => ({
          key: `swizzle${i}`, label, name: `Swizzle ${label}`, value: model.swizzle[label], minimum: i === 2 ? -8 : 0, maximum: 8,
          set: (to) => change((parts) => { parts.swizzle[label] = to; }),
        })),
      } : {title: '', rows: [], extra: [button('Add a swizzle', 'Add a swizzle', swizzled({bits: 2, base: 0, shift: 3}))]},
    ];
  };

  // Of a TensorParts, with the extent and the shard of its description and the
  // intervals and alignments as text.
  const ofTensor = (model, change) => {
    const numbers = (title, key, values, label, set) => ({
      title, rows: values.map((value, i) => ({
        key: `${key}${i}`, label: `${label} ${i}`, name: `${title}, ${label} ${i}`, value, minimum: 1,
        set: (to) => change((parts) => set(parts, i, Math.max(1, to))),
      })),
    });
    const row = (label, node) => make('div', {className: 'row'}, make('span', {className: 'label'}, label), node);
    const choice = (label, values, chosen, set) => row(label, make('select', {
      'aria-label': label, on: {change: (event) => change((parts) => set(parts, event.target.value))},
    }, ...options(values, chosen)));
    const text = (label, key, hint) => row(label, make('input', {
      type: 'text', value: model[key], 'aria-label': hint, title: hint,
      on: {change: (event) => change((parts) => { parts[key] = event.target.value; })},
    }));
    const withOwn = (values, own) => values.includes(own) ? values : [own, ...values];
    return [
      numbers('Shape', 'shape', model.shape, 'dim', (parts, i, to) => { parts.shape[i] = to; }),
      numbers('Grid', 'grid', model.grid, 'axis', (parts, i, to) => { parts.grid[i] = to; }),
      // Of a shard there is a grid that has it, or the next smaller one.
      numbers('Shard', 'shard', model.shard, 'axis', (parts, i, to) => { parts.grid[i] = Math.ceil(parts.extent[i] / to); }),
      {
        title: 'Elements', rows: [], tag: [model.scalar_type, model.tile_shape, model.memory_space_name],
        extra: [
          choice('type', withOwn(TYPES, model.scalar_type).map((type) => [type, type]), model.scalar_type,
              (parts, type) => { parts.scalar_type = type; }),
          choice('tile', withOwn(TILES, model.tile_shape.join('x')).map((tile) => [tile, tile || 'none: scalars']),
              model.tile_shape.join('x'), (parts, tile) => { parts.tile_shape = tile ? tile.split('x').map(Number) : []; }),
          choice('memory', [['l1', 'L1'], ['dram', 'DRAM']], model.memory_space_name,
              (parts, space) => { parts.memory_space_name = space; }),
        ],
      },
      {
        title: 'Map', rows: [], tag: [model.collapse, model.alignments],
        extra: [
          text('collapse', 'collapse', 'Intervals of dimensions to join: begin, end, begin, end; empty for none'),
          text('align', 'alignments', 'Alignments that strides are bumped to; empty for none'),
          make('p', {className: 'hint'}, 'Changing a value recomputes the map and the memref.'),
        ],
      },
    ];
  };

  return {Rows, ofXla, ofCute, ofTensor};
})();
