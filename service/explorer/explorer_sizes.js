// The size of a layout, its padding, and the cause of the padding.

const ExplorerSizes = (() => {
  'use strict';

  const {make} = Dom;
  const {KINDS, number, list, familyOf, onlyLeaf, grouped, bytesText, percent} = ExplorerModel;

  const oneToOne = ({map_kind: kind, gaps}) => kind === 'GENERAL' ? 'no' : number(gaps) > 0 ? 'yes, with gaps' : 'yes, without gaps';

  const table = (rows) => make('table', {className: 'table'}, make('tbody', {}, ...rows.map(([name, value, small]) =>
    make('tr', {}, make('th', {scope: 'row'}, name), make('td', {}, value, ...(small ? [make('small', {}, small)] : []))))));

  const bar = (parts, whole) => make('div', {className: 'bar', role: 'img', 'aria-label': parts.map(([kind, count]) =>
    `${KINDS[kind].name}: ${percent(count, whole)}`).join(', ')}, ...parts.filter(([, count]) => count > 0).map(([kind, count]) => {
    const part = make('i', {className: KINDS[kind].mark, title: `${KINDS[kind].name}: ${grouped(count)}, ${percent(count, whole)}`});
    part.style.width = `${100 * count / whole}%`;
    return part;
  }));

  // Of a DescribeResult.
  const nodesOf = (description) => {
    const family = familyOf(description);
    const nodes = [];
    if (family === 'xla') {
      const total = description.xla.total ?? {};
      const leaf = onlyLeaf(description);
      const padding = number(total.position_count) - number(total.elements);
      const tail = number(leaf?.tail_padding_elements);
      nodes.push(bar([['ELEMENT', number(total.elements)], ['TILE_PADDING', padding - tail], ['TAIL_PADDING', tail]],
          number(total.position_count)));
      nodes.push(table([
        ['elements', grouped(number(total.elements)), bytesText(number(total.unpadded_bytes))],
        ['padded', grouped(number(total.position_count)), bytesText(number(total.padded_bytes))],
        ['padding', percent(padding, number(total.position_count)), padding > 0 ? `${grouped(padding)} positions` : ''],
        ...list(leaf?.padding).map((dimensions) => {
          const names = list(dimensions.dimensions);
          const bound = number(dimensions.bound);
          const padded = number(dimensions.padded);
          return [names.length === 0 ? 'in front' : `dim ${names.join(' × ')}`,
            bound === padded ? grouped(bound) : `${grouped(bound)} → ${grouped(padded)}`,
            bound === padded ? '' : `${percent(padded - bound, padded)} padding`];
        }),
        ...(leaf ? [['expanded', list(leaf.expanded_shape).join(' × ') || '1'],
          ['element', leaf.element_type, number(leaf.unpadded_element_bits) === number(leaf.element_bits) ?
            `${number(leaf.element_bits)} bits` : `${number(leaf.unpadded_element_bits)} → ${number(leaf.element_bits)} bits`],
          ['memory', leaf.memory_space_name ?? '']] : []),
      ]));
    } else if (family === 'cute') {
      const cute = description.cute;
      if (cute.position_count != null && cute.gaps != null) {
        nodes.push(bar([['ELEMENT', cute.position_count - cute.gaps], ['GAP', cute.gaps]], cute.position_count));
      }
      nodes.push(table([
        ['size', grouped(number(cute.size))],
        ...(cute.cosize == null ? [] : [['cosize', grouped(cute.cosize)]]),
        ...(cute.gaps == null ? [] : [['gaps', grouped(cute.gaps), percent(cute.gaps, cute.position_count)]]),
        ['modes', list(cute.mode_sizes).join(' × ') || '1'],
        ['depth', String(number(cute.depth))],
        ['one to one', oneToOne(cute)],
      ]));
      if (cute.reason) nodes.push(make('p', {className: 'hint'}, cute.reason));
    } else if (family === 'strided') {
      const array = description.strided;
      const positions = number(array.position_count);
      if (array.gaps != null) nodes.push(bar([['ELEMENT', positions - array.gaps], ['GAP', array.gaps]], positions));
      nodes.push(table([
        ['elements', grouped(number(array.elements)), array.unpadded_bytes == null ? '' : bytesText(array.unpadded_bytes)],
        ['buffer', grouped(positions), bytesText(number(array.padded_bytes))],
        ...(array.gaps == null ? [] : [['gaps', grouped(array.gaps), percent(array.gaps, positions)]]),
        ['strides', list(array.strides).join(', ') || 'none', 'elements'],
        ['offset', grouped(number(array.offset)), 'elements'],
        ['one to one', oneToOne(array)],
        ['element', array.element_type, `${number(array.element_bits)} bits`],
      ]));
    } else {
      const tensor = description.tensor;
      nodes.push(bar([['ELEMENT', number(tensor.elements)], ['TILE_PADDING', number(tensor.tile_padding)],
        ['GRID_PADDING', number(tensor.grid_padding)], ['GAP', number(tensor.gaps)]], number(tensor.position_count)));
      nodes.push(table([
        ['elements', grouped(number(tensor.elements)), percent(number(tensor.elements), number(tensor.position_count))],
        ['tile padding', grouped(number(tensor.tile_padding)), percent(number(tensor.tile_padding), number(tensor.position_count))],
        ['grid padding', grouped(number(tensor.grid_padding)), percent(number(tensor.grid_padding), number(tensor.position_count))],
        ['gaps', grouped(number(tensor.gaps)), percent(number(tensor.gaps), number(tensor.position_count))],
        ['all cores', bytesText(number(tensor.bytes)), `${grouped(number(tensor.position_count))} scalars`],
        ['physical', list(tensor.extent).join(' × ')],
        ['shard', list(tensor.shard).join(' × ')],
        ['memref', list(tensor.memref).join(' × '), tensor.element],
        ['padding holds', tensor.oob_value || 'not said'],
      ]));
      for (const warning of list(tensor.warnings)) {
        nodes.push(make('p', {className: 'warning'}, `${warning.rule}: ${warning.message}`));
      }
    }
    return nodes;
  };

  return {nodesOf};
})();
