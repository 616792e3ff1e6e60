// Tables that sort and filter, and those of this page.

// "copy.9" before "copy.10".
const COLLATOR = new Intl.Collator('en', {numeric: true});

// Columns: {head, value(row): what sorts, cell(row): node or text, kind: 'number', 'name', 'dimension', 'shape', 'bars' or none}. Returns what
// shows other rows. Nodes are made for the rows that are shown, and texts to search once somebody searches.
function addTable({id, heading, lead, columns, rows, sort, none}) {
  const FIRST_ROWS = 50;
  const section = element('section', {id, 'aria-labelledby': `${id}-heading`},
      element('div', {class: 'section-head'}, element('h2', {id: `${id}-heading`}, heading), element('div', {class: 'controls'})));
  byId('main').append(section);
  const leadNode = element('p', {class: 'lead'});
  const plain = (node) => typeof node === 'string' ? node : node.textContent;
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, columns.map((column) => plain(column.cell(row))).join('\n').toLowerCase());
    return texts.get(row);
  };
  let {column: sorted, descending} = sort;
  const [, keptColumn, keptOrder] = /^(\d+)(up|down)$/.exec(address.get(`sort.${id}`) ?? '') ?? [];
  if (columns[keptColumn]?.value !== undefined) {
    sorted = Number(keptColumn);
    descending = keptOrder === 'down';
  }
  let all = false;
  const filter = element('input', {
    type: 'search', placeholder: 'Filter', 'aria-label': `Filter ${heading.toLowerCase()}`, value: address.get(`filter.${id}`),
    oninput: () => { address.set(`filter.${id}`, filter.value); all = false; draw(); }});
  section.querySelector('.controls').append(filter);
  const heads = columns.map((column, i) => element('th', {scope: 'col', class: column.kind === 'number' ? 'number' : column.kind},
      column.value === undefined ? column.head : element('button', {type: 'button', onclick: () => {
        descending = sorted === i ? !descending : column.kind === 'number';
        sorted = i;
        const isUsual = sorted === sort.column && descending === sort.descending;
        address.set(`sort.${id}`, isUsual ? null : `${sorted}${descending ? 'down' : 'up'}`);
        draw();
      }}, column.head)));
  const body = element('tbody', {});
  const shown = element('span', {role: 'status'});
  const more = element('button', {type: 'button', class: 'quiet', onclick: () => { all = true; draw(); }}, 'Show all');
  const whole = element('div', {class: 'rows cards', tabindex: 0, role: 'region', 'aria-labelledby': `${id}-heading`},
      element('table', {class: columns.some((column) => column.kind === 'shape') ? null : 'no-shape'},
              element('caption', {class: 'hidden'}, heading), element('thead', {}, element('tr', {}, ...heads)), body));
  const foot = element('div', {class: 'more'}, shown, more);
  section.append(leadNode, whole, foot);
  function compare(a, b) {
    const x = columns[sorted].value(a), y = columns[sorted].value(b);
    return typeof x === 'string' ? COLLATOR.compare(x, y) : x - y;
  }
  function draw() {
    const isShort = rows.length <= 5;
    filter.hidden = isShort;
    whole.hidden = rows.length === 0;
    foot.hidden = isShort;
    leadNode.className = rows.length === 0 ? 'lead none' : 'lead';
    leadNode.textContent = rows.length === 0 ? none : lead;
    heads.forEach((head, i) => {
      if (i === sorted) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    const wanted = isShort ? '' : filter.value.trim().toLowerCase();
    const found = wanted === '' ? rows.slice() : rows.filter((row) => textOf(row).includes(wanted));
    found.sort((a, b) => descending ? compare(b, a) : compare(a, b));
    const visible = all ? found : found.slice(0, FIRST_ROWS);
    body.replaceChildren(...visible.map((row) => element('tr', {}, ...columns.map(
        (column) => element('td', {class: column.kind || null, 'data-head': typeof column.head === 'string' ? column.head : null},
                            column.cell(row))))));
    if (found.length === 0) body.append(element('tr', {}, element('td', {class: 'none', colspan: columns.length}, 'Nothing matches.')));
    shown.textContent = found.length === rows.length ? quantity(rows.length, 'row') :
      `${count(found.length)} of ${quantity(rows.length, 'row')}`;
    if (visible.length < found.length) shown.textContent += `, the first ${visible.length} shown`;
    more.hidden = visible.length === found.length;
  }
  draw();
  return {
    setRows(newRows, newLead) {
      rows = newRows;
      lead = newLead;
      draw();
    },
  };
}

const textColumn = (head, key, kind) => ({head, kind, value: (row) => row[key] ?? '',
                                          cell: (row) => (row[key] ?? '').length > 240 ? element('span', {title: row[key]}, startOf(row[key])) : row[key] ?? ''});
const numberColumn = (head, value, cell) => ({head, kind: 'number', value: (row) => Number(value(row)), cell: (row) => cell(value(row), row)});
const countColumn = (head, key) => numberColumn(head, (row) => row[key], (value) => count(value));
const bytesColumn = (head, value) => numberColumn(head, value, (number) => bytesNode(number));
const paddingColumn = (head, value, whole) => numberColumn(head, value, (number, row) => element('span', {title: exactBytes(number)},
    bytes(number), ' ', element('small', {}, percent(number, whole(row)))));
function barColumn(rows) {
  const scale = rows.reduce((most, row) => Math.max(most, Number(row.padded_bytes)), 0);
  return {head: element('span', {class: 'hidden'}, 'Data and padding'), kind: 'bars',
          cell: (row) => bar(row.unpadded_bytes, row.padded_bytes, scale)};
}
const paddedBytes = (row) => row.padded_bytes;

function drawTables() {
  const bytesAndPadding = (rows) => [bytesColumn('Bytes', paddedBytes),
                                     ...(hasPadding ? [paddingColumn('Padding', paddingOf, paddedBytes)] : []), barColumn(rows)];
  const byBytes = (column) => ({column, descending: true});
  drawPaddingTable();
  drawRelayouts();
  if (page.modules.length > 1) {
    drawModules();
  }
  addTable({
    id: 'memory-spaces', heading: 'Memory spaces', lead: `All ${counted} together, by the memory space of their layouts.`,
    rows: page.by_memory_space, sort: byBytes(2), none: 'There are no arrays.',
    columns: [textColumn('Memory space', 'name'), countColumn('Arrays', 'arrays'), ...bytesAndPadding(page.by_memory_space)],
  });
  addTable({
    id: 'largest', heading: 'Largest arrays', lead: 'Distinct shapes, by the size of one array.',
    rows: page.largest, sort: byBytes(1), none: 'There are no arrays.',
    columns: [textColumn('Shape', 'shape', 'shape'), ...bytesAndPadding(page.largest), countColumn('Uses', 'count')],
  });
  addTable({
    id: 'opcodes', heading: 'Instructions by opcode', lead: `How many there are with ${counted}, and the bytes of these.`,
    rows: page.by_opcode, sort: byBytes(2), none: 'There are no instructions.',
    columns: [textColumn('Opcode', 'opcode', 'name'), countColumn('Instructions', 'instructions'), ...bytesAndPadding(page.by_opcode)],
  });
}

// Where there are several modules, the page begins with them. A click on a name shows that module.
function drawModules() {
  const needed = (module) => selection.scheduled.includes(module) ? selection.mostNeeded(module) : -1;
  const peak = (module) => selection.scheduled.includes(module) ? selection.usualSpace(module).peak_bytes : -1;
  const known = (value) => value < 0 ? element('small', {}, 'not known') : bytesNode(value);
  const name = (module) => module.name || `module ${page.modules.indexOf(module)}`;
  addTable({
    id: 'modules', heading: 'Modules', lead: 'The bytes that each module needs in HBM, or else in the memory space of which it needs the most. Click a name to see that module.',
    rows: page.modules, sort: {column: page.modules.some((module) => module.file !== '') ? 2 : 1, descending: true},
    columns: [
      {head: 'Module', kind: 'name', value: name, cell: (module) => selection.scheduled.includes(module) ?
        element('button', {type: 'button', class: 'link', title: name(module), onclick: () => {
          selection.chooseModule(module);
          window.scrollTo(0, 0);
        }}, startOf(name(module))) : startOf(name(module))},
      ...(page.modules.some((module) => module.file !== '') ? [textColumn('File', 'file', 'file')] : []),
      numberColumn('Reserved', needed, known), numberColumn('Peak', peak, known),
      countColumn('Instructions', 'instructions'), bytesColumn('Bytes', paddedBytes),
      ...(hasPadding ? [paddingColumn('Padding', paddingOf, paddedBytes)] : [])],
  });
  byId('main').prepend(byId('modules'));
}

// What of it is padding, and how to lose it: every padded shape, with what it pads at the peak that is chosen.
function drawPaddingTable() {
  const hasPeak = selection.module() !== null;
  // By shape: how many such arrays are at the peak.
  let atPeak = new Map();
  const peakUses = (row) => atPeak.get(row.shape) ?? 0;
  const peakPadding = (row) => BigInt(peakUses(row)) * paddingOf(row);
  const saved = (row) => row.hint === null ? 0n : BigInt(row.padded_bytes) - BigInt(row.hint.padded_bytes);
  const columns = [
    textColumn('Shape', 'shape', 'shape'),
    ...(hasPeak ? [bytesColumn('Padding at the peak', peakPadding)] : []),
    bytesColumn('Padding over all uses', (row) => row.total_padding_bytes),
    countColumn('Uses', 'count'),
    numberColumn('Factor', (row) => Number(row.padded_bytes) / Math.max(1, Number(row.unpadded_bytes)),
                 (_, row) => factor(row.padded_bytes, row.unpadded_bytes)),
    bytesColumn('One array', paddedBytes), barColumn(page.most_wasteful),
    {head: 'Dimension', kind: 'dimension', value: (row) => blameText(row.most_padded), cell: (row) => blameText(row.most_padded)},
    {head: 'Better order', value: (row) => Number(saved(row)),
     cell: (row) => row.hint === null ? element('small', {}, 'none') : element('span', {title: `${exactBytes(row.hint.padded_bytes)} each`},
         element('code', {}, `{${row.hint.minor_to_major.join()}}`), ' ', element('small', {}, `${bytes(row.hint.padded_bytes)} each`))},
  ];
  const how = 'To avoid it, make that dimension a multiple of its tile, merge it with a neighbor, or use the better ' +
    'order of dimensions, minor to major.';
  const table = addTable({
    id: 'most-wasteful', heading: 'How much is padding, and how to avoid it?', lead: how, rows: page.most_wasteful, sort: {column: 1, descending: true},
    none: 'No array is padded.', columns,
  });
  selection.follow(() => {
    const timeline = selection.timeline();
    atPeak = new Map();
    for (const {shape} of arraysAtPeak(timeline)) atPeak.set(shape, (atPeak.get(shape) ?? 0) + 1);
    const whole = BigInt(timeline.peak_bytes);
    const padding = whole - BigInt(timeline.peak_unpadded_bytes);
    const gain = page.most_wasteful.reduce((total, row) => total + BigInt(peakUses(row)) * saved(row), 0n);
    table.setRows(page.most_wasteful,
                  `${bytes(padding)} of the ${bytes(whole)} at the peak in ${timeline.memory_space} are padding. ` +
                  `${gain > 0n ? `Better orders would save ${bytes(gain)} of it. ` : ''}${how}`);
  });
}

function drawRelayouts() {
  const moves = (row) => !row.is_free && !row.is_fused;
  const moved = page.moves.filter(moves);
  const others = page.moves.length - moved.length;
  const isOne = moved.length === 1;
  const lead = (moved.length === 0 ? 'No instruction moves an array. ' :
                  `${quantity(moved.length, 'instruction')} ${isOne ? 'puts' : 'put'} an array elsewhere or in another layout, and ` +
                    `${isOne ? 'moves' : 'move'} ${bytes(sum(moved, 'bytes'))}. `) +
    (others === 0 ? '' : `${quantity(others, 'other')} ${others === 1 ? 'moves' : 'move'} nothing: a bitcast is free, and a fused ` +
                           'instruction does not move anything in memory.');
  const table = addTable({
    id: 'relayouts', heading: 'What moved?', lead, rows: moved, sort: {column: 1, descending: true},
    none: page.moves.length === 0 ? 'No instruction changes a layout.' : lead,
    columns: [textColumn('Instruction', 'instruction', 'name'),
              numberColumn('Bytes moved', (row) => moves(row) ? row.bytes : 0,
                           (number, row) => moves(row) ? bytesNode(number) :
                             element('small', {title: exactBytes(row.bytes)}, row.is_free ? 'free' : 'fused')),
              textColumn('Moves', 'moves'), textColumn('Made by', 'producer', 'name'), textColumn('Wanted by', 'user', 'name'),
              textColumn('Opcode', 'opcode', 'name'), textColumn('From', 'from_shape', 'shape'), textColumn('To', 'to_shape', 'shape')],
  });
  if (moved.length === page.moves.length) return;
  const show = (which) => table.setRows(which === 'all' ? page.moves : moved, lead);
  const which = keptChoice('relayouts', 'Which relayouts', [['moving', 'Moving'], ['all', 'All']], show);
  document.querySelector('#relayouts .controls').prepend(which.group);
  show(which.kept);
}
