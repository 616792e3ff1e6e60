// The memory map: the offset of every value against the schedule.

function drawMemoryMap() {
const candidates = page.modules.filter((module) => module.placed.length > 0);
byId('map').hidden = candidates.length === 0;
if (candidates.length === 0) return;

const GROUPS = 8;
const MARGIN = {left: 72, right: 12, top: 12, bottom: 26};
const canvas = byId('map-canvas');
const plot = byId('map-plot');
const base = document.createElement('canvas');  // all but what is under the pointer
let m = null;       // the map, prepared
let view = null;    // {first, last, low, high}: the steps [first, last) and the bytes [low, high) shown
let hit = -1;
let drag = null;
let colourBy = '';
let box = {width: 0, height: 0};

// The allocation of every value, and the values of every allocation, largest first. Allocations do not overlap.
function shareAllocations(allocations, {offset, bytes}) {
  const sorted = allocations.map((a) => ({...a, begin: Number(a.offset), end: Number(a.offset) + Math.max(1, Number(a.bytes)), members: []}))
                     .sort((a, b) => a.begin - b.begin);
  const allocation = Array.from(offset, (at, i) => {
    let low = 0, high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle].begin <= at) low = middle + 1;
      else high = middle;
    }
    const found = sorted[low - 1];
    if (found === undefined || at >= found.end) return null;
    found.members.push(i);
    return found;
  });
  for (const a of sorted) a.members.sort((x, y) => bytes[y] - bytes[x]);
  return {allocation};
}

function prepare(module, space) {
  const {map} = space;
  const numbers = (key) => Float64Array.from(map.values, (value) => Number(value[key]));
  const values = {first: numbers('first'), last: numbers('last'), offset: numbers('offset'), bytes: numbers('bytes'),
                  padding: numbers('padding_bytes')};
  return {
    map, space, ...values, n: map.values.length, ...shareAllocations(map.allocations, values),
    size: Math.max(1, Number(map.bytes)), steps: Math.max(1, Number(map.steps)),
    value: (i, key) => map.values[i][key],
    step: (i) => module.peak.step_instructions[i],
  };
}

const groupOf = (i) => colourBy === 'kind' ? m.allocation[i]?.kind.replace(/ \d+$/, '') ?? '' :
  m.value(i, colourBy === 'source' ? 'source' : 'group');

// The same in every picture, and in viz/memory_map.cc.
const FIXED_COLOURS = {fusion: 0, temporary: 0, 'custom-call': 1, output: 1, parameter: 2, while: 3, constant: 3, copy: 4};

// Groups with most bytes have colours of their own; all others, and what has no name, share the last.
function findGroups() {
  const totals = new Map();
  m.group = Array.from({length: m.n}, (_, i) => groupOf(i));
  m.group.forEach((group, i) => totals.set(group, (totals.get(group) ?? 0) + m.bytes[i]));
  const names = [...totals.keys()].sort((a, b) => totals.get(b) - totals.get(a) || (a < b ? -1 : 1));
  const coloured = names.filter((name) => name !== '').slice(0, GROUPS - 1);
  const others = names.filter((name) => !coloured.includes(name));
  const free = new Set(Array.from({length: GROUPS - 1}, (_, i) => i));
  m.number = new Map(others.map((name) => [name, GROUPS - 1]));
  const take = (name, number) => {
    if (free.delete(number)) m.number.set(name, number);
  };
  for (const name of coloured) take(name, FIXED_COLOURS[name]);
  for (const name of coloured) if (!m.number.has(name)) take(name, Math.min(...free));
  const key = (number, name) => element('span', {}, element('i', {class: `key g${number}`}), name);
  byId('map-legend').replaceChildren(
      ...coloured.map((name) => key(m.number.get(name), name)),
      ...(others.length === 0 ? [] : [key(GROUPS - 1, others.length > 1 ? `${others.length} more` : others[0] || 'unknown')]));
}

const plotWidth = () => Math.max(1, box.width - MARGIN.left - MARGIN.right);
const plotHeight = () => Math.max(1, box.height - MARGIN.top - MARGIN.bottom);
const xOf = (step) => MARGIN.left + ((step - view.first) / (view.last - view.first)) * plotWidth();
const yOf = (offset) => MARGIN.top + (1 - (offset - view.low) / (view.high - view.low)) * plotHeight();
const stepAt = (x) => view.first + ((x - MARGIN.left) / plotWidth()) * (view.last - view.first);
const offsetAt = (y) => view.low + (1 - (y - MARGIN.top) / plotHeight()) * (view.high - view.low);

const rectangle = (i) => {
  const x = xOf(m.first[i]), y = yOf(m.offset[i] + m.bytes[i]);
  return {x, y, width: Math.max(0.5, xOf(m.last[i] + 1) - x), height: yOf(m.offset[i]) - y};
};

function drawBase() {
  const ratio = window.devicePixelRatio || 1;
  box = {width: plot.clientWidth, height: plot.clientHeight};
  for (const each of [canvas, base]) {
    each.width = Math.round(box.width * ratio);
    each.height = Math.round(box.height * ratio);
  }
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const colours = Array.from({length: GROUPS}, (_, i) => colour(`g${i}`));
  const g = base.getContext('2d');
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  g.fillStyle = colour('muted');
  g.strokeStyle = colour('line');
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  const span = view.high - view.low;
  const mark = 2 ** Math.ceil(Math.log2(Math.max(1, span / 8)));
  for (let offset = Math.ceil(view.low / mark) * mark; offset <= view.high; offset += mark) {
    const y = Math.round(yOf(offset)) + 0.5;
    g.beginPath();
    g.moveTo(MARGIN.left, y);
    g.lineTo(box.width - MARGIN.right, y);
    g.stroke();
    g.fillText(axisBytes(offset), MARGIN.left - 8, y);
  }
  g.textBaseline = 'top';
  g.textAlign = 'left';
  g.fillText(`step ${count(Math.floor(view.first))}`, MARGIN.left, box.height - MARGIN.bottom + 8);
  g.textAlign = 'right';
  g.fillText(`step ${count(Math.ceil(view.last) - 1)}`, box.width - MARGIN.right, box.height - MARGIN.bottom + 8);
  g.save();
  g.beginPath();
  g.rect(MARGIN.left, MARGIN.top, plotWidth(), plotHeight());
  g.clip();
  for (const a of m.map.allocations) {
    const top = yOf(Number(a.offset) + Number(a.bytes)), bottom = yOf(Number(a.offset));
    if (bottom - top < 0.2) continue;
    g.fillStyle = colour('hole');
    g.fillRect(MARGIN.left, top, plotWidth(), Math.max(0.2, bottom - top - 0.5));
  }
  for (let i = 0; i < m.n; ++i) {
    if (m.last[i] < view.first || m.first[i] > view.last) continue;
    const {x, y, width, height} = rectangle(i);
    if (height < 0.2 || y > box.height || y + height < 0) continue;
    const gap = Math.min(0.6, height / 4, width / 4);
    g.fillStyle = colours[m.number.get(m.group[i])];
    g.fillRect(x, y, width - gap, height - gap);
    const padding = height * (m.padding[i] / Math.max(1, m.bytes[i]));
    if (padding < 0.5) continue;
    g.fillStyle = colour('padding-over');
    g.fillRect(x, y, width - gap, padding);
  }
  g.restore();
  draw();
}

function draw() {
  const ratio = window.devicePixelRatio || 1;
  const style = getComputedStyle(root);
  const g = canvas.getContext('2d');
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.clearRect(0, 0, canvas.width, canvas.height);
  g.drawImage(base, 0, 0);
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.strokeStyle = style.getPropertyValue('--ink').trim();
  if (hit >= 0) {
    const {x, y, width, height} = rectangle(hit);
    g.lineWidth = 1.6;
    g.strokeRect(x, y, width, Math.max(height, 1));
  }
  if (drag !== null && drag.to) {
    g.lineWidth = 1;
    g.setLineDash([4, 3]);
    g.strokeRect(Math.min(drag.x, drag.to.x), Math.min(drag.y, drag.to.y), Math.abs(drag.x - drag.to.x), Math.abs(drag.y - drag.to.y));
    g.setLineDash([]);
  }
}

// What is drawn last is on top.
function valueAt(x, y) {
  const step = Math.floor(stepAt(x)), offset = offsetAt(y);
  const slack = (view.high - view.low) / plotHeight();
  for (let i = m.n - 1; i >= 0; --i) {
    if (m.first[i] > step || step > m.last[i]) continue;
    if (m.offset[i] - slack <= offset && offset < m.offset[i] + m.bytes[i] + slack) return i;
  }
  return -1;
}

const row = (head, ...content) => element('tr', {}, element('th', {scope: 'row'}, head), element('td', {}, ...content));

// The largest of the other values in the allocation of value `i`.
function sharersText(i) {
  const {members} = m.allocation[i];
  if (members.length === 1) return ['nothing else'];
  const MOST = 4;
  const largest = members.slice(0, MOST + 1).filter((other) => other !== i).slice(0, MOST).map((other) => m.value(other, 'name'));
  const rest = members.length - 1 - largest.length;
  return [element('span', {class: 'source'}, largest.join(', ')), rest > 0 ? ` and ${count(rest)} more` : ''];
}

function drawReadout(step) {
  const {map, space} = m;
  const rows = [];
  if (hit < 0) {
    byId('map-name').textContent = space.memory_space;
    byId('map-opcode').textContent = '';
    rows.push(row('assigned', bytesNode(map.bytes)), row('allocations', count(map.allocations.length)), row('values', count(m.n)));
    if (space.bytes.length > 0) {
      const {peak_bytes: used, peak_position: peak} = space;
      rows.push(row('peak use', bytesNode(used)), row('at', `step ${count(peak)} ${m.step(peak)}`),
                row('unused at that step', bytesNode(difference(used, map.bytes))));
    }
  } else {
    const source = m.value(hit, 'source');
    const allocation = m.allocation[hit];
    const at = Math.max(m.first[hit], Math.min(m.last[hit], step));
    const live = (i) => i !== hit && m.first[i] <= at && at <= m.last[i];
    let below = -1, above = -1;
    for (let i = 0; i < m.n; ++i) {
      if (!live(i)) continue;
      if (m.offset[i] < m.offset[hit] && (below < 0 || m.offset[i] > m.offset[below])) below = i;
      if (m.offset[i] > m.offset[hit] && (above < 0 || m.offset[i] < m.offset[above])) above = i;
    }
    byId('map-name').textContent = m.value(hit, 'name');
    byId('map-opcode').textContent = m.value(hit, 'group');
    rows.push(row('shape', element('span', {class: 'shape'}, m.value(hit, 'shape'))),
              row('bytes', bytesNode(m.value(hit, 'bytes'))));
    if (m.padding[hit] > 0) {
      rows.push(row('padding', bytesNode(m.value(hit, 'padding_bytes')), ` ${percent(m.padding[hit], m.bytes[hit])}`));
    }
    rows.push(row('offset', bytesNode(m.value(hit, 'offset'))),
              row('steps', `${count(m.first[hit])} to ${count(m.last[hit])}`));
    if (source !== '') rows.push(row('from', element('span', {class: 'source'}, source)));
    if (allocation !== null) {
      rows.push(row('lies in', `${allocation.name}, ${allocation.kind}`),
                row('with', ...sharersText(hit)));
    }
    if (above >= 0) rows.push(row('above it', m.value(above, 'name')));
    if (below >= 0) rows.push(row('below it', m.value(below, 'name')));
  }
  byId('map-rows').replaceChildren(...rows);
}

function showAll() {
  view = {first: 0, last: m.steps, low: 0, high: m.size};
  byId('map-zoom-out').hidden = true;
  address.set('map', null);
  drawBase();
}
function showPart(part) {
  view = part;
  byId('map-zoom-out').hidden = false;
  address.set('map', [view.first, view.last, view.low, view.high].join());
  drawBase();
}
// What the address says, if it is a part of this map.
function keptPart() {
  const [first, last, low, high] = (address.get('map') ?? '').split(',').map(Number);
  return 0 <= first && first < last && last <= m.steps && 0 <= low && low < high && high <= m.size ? {first, last, low, high} : null;
}

const place = (event) => {
  const rect = plot.getBoundingClientRect();
  return {x: event.clientX - rect.left, y: event.clientY - rect.top};
};
const point = onceAFrame(() => {
  draw();
  drawReadout(pointed === null ? 0 : Math.floor(stepAt(pointed.x)));
});
let pointed = null;
plot.addEventListener('pointerdown', (event) => {
  pointed = place(event);
  hit = valueAt(pointed.x, pointed.y);
  if (event.button === 0 && event.pointerType === 'mouse') drag = {...pointed};
  point();
});
plot.addEventListener('pointermove', (event) => {
  pointed = place(event);
  if (drag !== null && Math.hypot(pointed.x - drag.x, pointed.y - drag.y) > 6) drag.to = pointed;
  if (drag === null || !drag.to) hit = valueAt(pointed.x, pointed.y);
  point();
});
plot.addEventListener('pointerup', () => {
  const done = drag;
  drag = null;
  if (done === null || !done.to) return;
  const steps = [stepAt(done.x), stepAt(done.to.x)].sort((a, b) => a - b);
  const offsets = [offsetAt(done.y), offsetAt(done.to.y)].sort((a, b) => a - b);
  const first = Math.max(0, Math.floor(steps[0])), low = Math.max(0, offsets[0]);
  showPart({first, last: Math.max(first + 1, Math.min(m.steps, Math.ceil(steps[1]))),
            low: Math.round(low), high: Math.round(Math.max(low + 1, Math.min(m.size, offsets[1])))});
});
plot.addEventListener('pointerleave', () => {
  drag = null;
  pointed = null;
  hit = -1;
  point();
});
byId('map-zoom-out').addEventListener('click', showAll);

const colours = keptChoice('colour', 'Color', [['opcode', 'Opcode'], ['source', 'Source line'], ['kind', 'Kind']], (by) => {
  colourBy = by;
  findGroups();
  drawBase();
});
colourBy = colours.kept;
byId('map-controls').append(colours.group);

function show(module) {
  const {placed} = module;
  byId('map').hidden = placed.length === 0;
  if (placed.length === 0) return;
  const chosen = placed.includes(selection.timeline()) ? selection.timeline() :
    placed.reduce((best, space) => Number(space.map.bytes) > Number(best.map.bytes) ? space : best);
  m = prepare(module, chosen);
  hit = -1;
  byId('map-lead').textContent = `The map shows ${chosen.memory_space} ${module.is_assigned_by_xla ? 'as XLA assigned it.' :
    'as XLA would assign it, computed from the module.'} Each rectangle is a value: its height is its bytes, its width the steps at ` +
    'which it is live, the faded part is padding. Gray is allocated but unused.';
  findGroups();
  const part = keptPart();
  if (part === null) showAll();
  else showPart(part);
  drawReadout(0);
}
if (selection.module() === null) show(candidates[0]);
else selection.follow(() => show(selection.module()));
new ResizeObserver(onceAFrame(() => {
  if (plot.clientWidth !== box.width || plot.clientHeight !== box.height) drawBase();
})).observe(plot);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawBase);
}
