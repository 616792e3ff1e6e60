'use strict';
(() => {
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const page = JSON.parse(byId('memory-page').textContent);

// ---- Numbers and texts -------------------------------------------------------------------------------------------

// An integer past 2^53-1 stands in the data as text: Number() serves pictures and order, BigInt() what is shown in full.
const exact = (value) => BigInt(value).toLocaleString('en-US');
const count = (value) => exact(value);
const quantity = (value, noun) => `${exact(value)} ${noun}${Number(value) === 1 ? '' : 's'}`;
const sum = (rows, key) => rows.reduce((total, row) => total + BigInt(row[key]), 0n);

// The texts are those of text/human_bytes.cc.
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
function bytes(value) {
  let number = Number(value);
  if (Math.abs(number) < 1024) return `${number} B`;
  let unit = 0;
  // 1023.95 would print as 1024.0.
  while (Math.abs(number) >= (unit === 0 ? 1024 : 1023.95) && unit + 1 < UNITS.length) {
    number /= 1024;
    unit += 1;
  }
  return `${number.toFixed(Math.abs(number) < 9.995 ? 2 : 1)} ${UNITS[unit]}`;
}
const exactBytes = (value) => quantity(value, 'byte');
function percent(part, whole) {
  const share = Number(whole) > 0 ? Math.min(Math.max(Number(part) / Number(whole), 0), 1) : 0;
  if (share > 0 && share < 0.001) return '<0.1%';
  return `${(100 * share).toFixed(1)}%`;
}
function factor(padded, unpadded) {
  if (Number(padded) === Number(unpadded)) return '1.00×';
  return Number(unpadded) > 0 ? `${(Number(padded) / Number(unpadded)).toFixed(2)}×` : '–';
}
const paddingOf = (row) => BigInt(row.padded_bytes) - BigInt(row.unpadded_bytes);

// element('p', {class: 'lead', onclick: f}, 'text', child...): texts are never taken for markup.
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const bytesNode = (value, tag = 'span') => element(tag, {title: exactBytes(value)}, bytes(value));

// Data and padding as parts of `scale`.
function bar(unpadded, padded, scale) {
  const share = (part) => `${scale > 0 ? Math.max(0, Math.min(100, (100 * part) / scale)) : 0}%`;
  const data = Number(unpadded);
  const padding = Math.max(0, Number(padded) - data);
  const node = element('span', {class: 'bar', 'aria-hidden': 'true'});
  for (const [name, part] of [['data', data], ['padding', padding]]) {
    const piece = element('i', {class: part > 0 ? `${name} some` : name});
    piece.style.width = share(part);
    node.append(piece);
  }
  return node;
}

// A group of buttons of which one is pressed.
function choice(label, options, chosen, onChoose) {
  const group = element('span', {class: 'choice', role: 'group', 'aria-label': label});
  options.forEach(([value, text]) => {
    group.append(element('button', {
      type: 'button', 'aria-pressed': String(value === chosen),
      onclick: (event) => {
        for (const button of group.children) button.setAttribute('aria-pressed', String(button === event.currentTarget));
        onChoose(value);
      },
    }, text));
  });
  return group;
}

// Runs `draw` at most once a frame.
function onceAFrame(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}

// ---- Heading -----------------------------------------------------------------------------------------------------

// The end of a path, where a path is; texts without a "/" stay.
const baseName = (path) => path.slice(path.lastIndexOf('/') + 1) || path;

function positionOfPeak(timeline) {
  const live = timeline.live_bytes;
  if (timeline.peak >= 0 && timeline.peak < live.length) return Number(timeline.peak);
  let peak = 0;
  for (let i = 1; i < live.length; ++i) if (Number(live[i]) > Number(live[peak])) peak = i;
  return peak;
}

// Of the first module that is scheduled and has no peak all the same; '' where none is.
const reasonForNoPeak = page.modules.map((module) => module.no_peak).find((reason) => reason !== '') ?? '';

// What the sums are over.
const counted = page.counts_buffers ? 'buffers' : 'results';
const hasPadding = page.modules.some((module) => Number(module.padded_bytes) !== Number(module.unpadded_bytes));

function drawHeading() {
  const {modules} = page;
  byId('title').textContent = baseName(page.title) || 'Untitled';
  byId('title').title = page.title;
  byId('module-name').textContent =
      modules.length === 0 ? 'no module' : modules.length === 1 ? modules[0].name : quantity(modules.length, 'module');
  const tiles = byId('tiles');
  const tile = (name, value, ...below) =>
    tiles.append(element('div', {}, element('dt', {}, name), element('dd', {}, value, ...below)));

  const padded = sum(modules, 'padded_bytes');
  const unpadded = sum(modules, 'unpadded_bytes');
  const paddingTile = (name, whole, data, of) =>
    tile(name, element('span', {title: exactBytes(whole - data)}, percent(whole - data, whole)),
         element('small', {title: exactBytes(whole - data)}, `${bytes(whole - data)} ${of}`), bar(data, whole, Number(whole)));
  let highest = null;
  for (const module of modules) {
    for (const timeline of module.timelines) {
      if (timeline.live_bytes.length === 0) continue;
      const value = timeline.live_bytes[positionOfPeak(timeline)];
      if (highest === null || Number(value) > Number(highest.value)) highest = {value, timeline};
    }
  }
  if (highest !== null) {
    const {value, timeline} = highest;
    tile('Peak', bytesNode(value), element('small', {}, `live at once in ${timeline.memory_space}`));
    if (hasPadding) paddingTile('Padding at the peak', BigInt(value), BigInt(timeline.peak_unpadded_bytes), `in ${timeline.memory_space}`);
    if (Number(timeline.reserved_bytes) >= 0) {
      tile('Reserved', bytesNode(timeline.reserved_bytes), element('small', {}, `for the whole run in ${timeline.memory_space}`));
    }
    const assigned = modules.filter((module) => module.is_assigned_by_xla && module.timelines.includes(timeline))
        .flatMap((module) => module.maps).find((map) => map.title === timeline.memory_space);
    if (assigned !== undefined) {
      tile('Assigned', bytesNode(assigned.bytes), element('small', {}, `by XLA in ${timeline.memory_space}`));
    }
  } else if (reasonForNoPeak !== '') {
    tile('Peak', 'not known', element('small', {}, reasonForNoPeak));
  }
  tile(`All ${counted}`, bytesNode(padded), element('small', {}, 'if nothing were reused'));
  if (hasPadding) paddingTile('Padding', padded, unpadded, `of all ${counted}`);
  tile('Instructions', count(sum(modules, 'instructions')));
  tile('Computations', count(sum(modules, 'computations')));
  if (modules.length === 1) tile('Distinct shapes', count(modules[0].distinct_shapes));
  if (modules.some((module) => module.is_assigned_by_xla)) {
    byId('origin').textContent = 'What is assigned, and the map, are XLA’s own; all else is worked out from the modules.';
  }
  byId('counted').textContent = page.counts_buffers ?
    'Sums count every buffer as if it shared no memory with another; XLA reuses memory. ' +
      'A result in the buffer of an operand is no buffer, nor is anything inside a fusion.' :
    'Sums count every result as if it had its own memory; XLA reuses and shares buffers.';
  for (const note of page.notes) byId('notes').append(element('p', {}, note));
}

// ---- The timeline ------------------------------------------------------------------------------------------------

// What a timeline is asked for at every move of the cursor, computed once.
function prepareTimeline(module, timeline) {
  const live = Float64Array.from(timeline.live_bytes, Number);
  const n = live.length;
  const columns = timeline.buffers;
  const buffers = columns.first.length;
  const first = new Int32Array(buffers);
  const last = new Int32Array(buffers);
  const size = Float64Array.from(columns.padded_bytes, Number);
  const data = Float64Array.from(columns.unpadded_bytes, Number);
  const padding = new Float64Array(n + 1);
  const arrays = new Int32Array(n + 1);
  for (let b = 0; b < buffers; ++b) {
    first[b] = Math.max(0, Math.min(n, Number(columns.first[b])));
    last[b] = Math.max(-1, Math.min(n - 1, Number(columns.last[b])));
    if (last[b] < first[b]) continue;
    padding[first[b]] += size[b] - data[b];
    padding[last[b] + 1] -= size[b] - data[b];
    arrays[first[b]] += 1;
    arrays[last[b] + 1] -= 1;
  }
  for (let i = 1; i <= n; ++i) {
    padding[i] += padding[i - 1];
    arrays[i] += arrays[i - 1];
  }
  // The first live ones in this order are the largest live ones.
  const bySize = Array.from({length: buffers}, (_, b) => b).sort((a, b) => size[b] - size[a] || a - b);
  const peak = positionOfPeak(timeline);
  const text = (list, i) => page.strings[list[i]] ?? '';
  return {
    n, live, padding, arrays, first, last, size, data, bySize, peak, columns,
    exactLive: (i) => timeline.live_bytes[i],
    space: timeline.memory_space,
    instruction: (i) => ({name: text(module.schedule.name, i), opcode: text(module.schedule.opcode, i)}),
    buffer: (b, key) => text(columns[key], b),
  };
}

function drawTimelines() {
  const candidates = page.modules.filter((module) => module.timelines.some((t) => t.live_bytes.length > 0));
  if (candidates.length === 0) {
    const message = byId('no-timeline');
    message.hidden = false;
    message.textContent = page.modules.length === 0 ?
      'There is no module in this file, so nothing to show along a schedule.' :
      reasonForNoPeak !== '' ?
      `Peak: not known; ${reasonForNoPeak}. Only the ENTRY computation has the whole schedule.` :
      'Not scheduled: this module does not fix the order of its instructions, so which arrays are live at once is ' +
      'not known. A dump taken after scheduling says is_scheduled=true in its first line.';
    return;
  }
  byId('timeline-body').hidden = false;

  const body = byId('timeline-body');
  const plot = byId('plot');
  const canvas = byId('plot-canvas');
  const MARGIN = {left: 72, right: 12, top: 34, bottom: 26};
  const LIVE_ROWS = 60;
  let t = null;          // the timeline, prepared
  let view = [0, 1];     // the positions shown, [from, to)
  let cursor = 0;
  let pinned = false;
  let box = {width: 0, height: 0};

  const plotWidth = () => Math.max(1, box.width - MARGIN.left - MARGIN.right);
  const plotHeight = () => Math.max(1, box.height - MARGIN.top - MARGIN.bottom);
  const ceiling = () => Math.max(1, t.live[t.peak] || 0) * 1.04;
  const xOf = (position) => MARGIN.left + ((position - view[0]) / (view[1] - view[0])) * plotWidth();
  const yOf = (value) => MARGIN.top + plotHeight() * (1 - value / ceiling());
  const positionAt = (x) => view[0] + ((x - MARGIN.left) / plotWidth()) * (view[1] - view[0]);

  // Of the instructions under one pixel the one with the most bytes live, so that a peak can be hit.
  function highest(from, to) {
    let best = Math.max(view[0], Math.min(view[1] - 1, from));
    for (let i = best + 1; i < Math.min(to, view[1]); ++i) if (t.live[i] > t.live[best]) best = i;
    return best;
  }
  const instructionAt = (x) => highest(Math.floor(positionAt(x)), Math.floor(positionAt(x + 1)));

  function drawPlot() {
    const ratio = window.devicePixelRatio || 1;
    box = {width: plot.clientWidth, height: plot.clientHeight};
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    const style = getComputedStyle(root);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const left = MARGIN.left, right = box.width - MARGIN.right, bottom = box.height - MARGIN.bottom;

    g.fillStyle = colour('muted');
    g.strokeStyle = colour('line');
    g.lineWidth = 1;
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    const step = Math.max(1, 2 ** Math.ceil(Math.log2(ceiling() / 6.5)));
    for (let value = 0; value <= ceiling(); value += step) {
      const y = Math.round(yOf(value)) + 0.5;
      g.beginPath();
      g.moveTo(left, y);
      g.lineTo(right, y);
      g.stroke();
      g.fillText(bytes(value).replace('.0 ', ' '), left - 8, y);
    }

    // Steps: one a pixel where there are more instructions than pixels, else one an instruction.
    const steps = [];
    const shown = view[1] - view[0];
    if (shown > plotWidth()) {
      for (let x = left; x < right; ++x) {
        const from = Math.floor(positionAt(x));
        steps.push([x, x + 1, highest(from, Math.max(from + 1, Math.floor(positionAt(x + 1))))]);
      }
    } else {
      for (let i = view[0]; i < view[1]; ++i) steps.push([xOf(i), xOf(i + 1), i]);
    }
    const area = (value) => {
      g.beginPath();
      g.moveTo(left, yOf(0));
      for (const [from, to, i] of steps) {
        const y = yOf(value(i));
        g.lineTo(from, y);
        g.lineTo(to, y);
      }
      g.lineTo(right, yOf(0));
      g.closePath();
    };
    area((i) => t.live[i]);
    g.fillStyle = colour('padding');
    g.fill();
    area((i) => Math.max(0, t.live[i] - t.padding[i]));
    g.fillStyle = colour('data');
    g.fill();
    g.beginPath();
    steps.forEach(([from, to, i], k) => {
      const y = yOf(t.live[i]);
      if (k === 0) g.moveTo(from, y);
      g.lineTo(from, y);
      g.lineTo(to, y);
    });
    g.strokeStyle = colour('edge');
    g.lineWidth = 1.25;
    g.lineJoin = 'round';
    g.stroke();

    // Positions, counted from 0 as in the data.
    g.fillStyle = colour('muted');
    g.textBaseline = 'top';
    let stride = 10 ** Math.max(0, Math.floor(Math.log10(shown / 6)));
    for (const times of [2, 2.5, 2]) if (shown / stride > Math.max(2, plotWidth() / 110)) stride = Math.ceil(stride * times);
    for (let i = Math.ceil(view[0] / stride) * stride; i < view[1]; i += stride) {
      const x = xOf(i + (shown <= plotWidth() / 8 ? 0.5 : 0));
      g.textAlign = x < left + 24 ? 'left' : x > right - 24 ? 'right' : 'center';
      g.fillText(count(i), x, bottom + 8);
    }
    drawPeak();
    drawCursor();
  }

  // Puts a label beside a point, inside the plot.
  function place(label, x, y) {
    const width = label.offsetWidth;
    label.style.left = `${Math.max(4, Math.min(box.width - width - 4, x - width / 2))}px`;
    label.style.top = `${y}px`;
  }

  function centreOf(position) {
    return xOf(position + 0.5);
  }

  function drawPeak() {
    const inView = view[0] <= t.peak && t.peak < view[1];
    byId('peak-label').hidden = byId('peak-dot').hidden = !inView;
    if (!inView) return;
    const x = centreOf(t.peak), y = yOf(t.live[t.peak]);
    byId('peak-dot').style.left = `${x}px`;
    byId('peak-dot').style.top = `${y}px`;
    byId('peak-label').replaceChildren(
        `Peak ${bytes(t.exactLive(t.peak))} `, element('span', {}, `at ${count(t.peak)} · ${t.instruction(t.peak).name}`));
    place(byId('peak-label'), x, 2);
  }

  // Crosshair and label follow at once; the lists come with them.
  function drawCursor() {
    const inView = view[0] <= cursor && cursor < view[1];
    for (const id of ['plot-crosshair', 'plot-dot', 'cursor-label']) byId(id).hidden = !inView;
    if (inView) {
      const x = centreOf(cursor);
      const line = byId('plot-crosshair').style;
      line.left = `${Math.round(x)}px`;
      line.top = `${MARGIN.top - 8}px`;
      line.height = `${plotHeight() + 8}px`;
      byId('plot-dot').style.left = `${x}px`;
      byId('plot-dot').style.top = `${yOf(t.live[cursor])}px`;
      byId('cursor-label').textContent = count(cursor);
      place(byId('cursor-label'), x, box.height - MARGIN.bottom + 4);
    }
    drawReadout();
  }

  function drawReadout() {
    const {name, opcode} = t.instruction(cursor);
    const live = t.exactLive(cursor);
    const padding = Math.max(0, t.padding[cursor]);
    const arrays = t.arrays[cursor];
    body.classList.toggle('pinned', pinned);
    byId('readout-position').textContent =
        `Instruction ${count(cursor)} of ${count(t.n)}${cursor === t.peak ? ', the peak' : ''}`;
    byId('readout-pin').textContent = pinned ? 'Unpin' : 'Pin';
    byId('readout-pin').setAttribute('aria-pressed', String(pinned));
    byId('readout-name').textContent = name;
    byId('readout-name').title = name;
    byId('readout-opcode').textContent = opcode;
    const part = (kind, value) => element('span', {title: exactBytes(value)}, element('i', {class: `key ${kind}`}), bytes(value));
    byId('readout-sums').replaceChildren(
        element('b', {title: exactBytes(live)}, `${bytes(live)} live`),
        part('data', Math.max(0, t.live[cursor] - padding)), part('padding', padding),
        element('span', {}, quantity(arrays, 'array')));
    plot.setAttribute('aria-valuemin', '0');
    plot.setAttribute('aria-valuemax', String(t.n - 1));
    plot.setAttribute('aria-valuenow', String(cursor));
    plot.setAttribute('aria-valuetext',
                      `${count(cursor)}: ${name} ${opcode}, ${bytes(live)} live in ${quantity(arrays, 'array')}`);
    drawLive();
  }

  function drawLive() {
    const rows = [];
    let rest = t.live[cursor];
    for (const b of t.bySize) {
      if (t.first[b] > cursor || cursor > t.last[b]) continue;
      rows.push(liveRow(b));
      rest -= t.size[b];
      if (rows.length === LIVE_ROWS) break;
    }
    byId('live-rows').replaceChildren(...rows);
    byId('live').scrollTop = 0;
    byId('plot-life').hidden = true;
    const more = t.arrays[cursor] - rows.length;
    byId('live-rest').textContent =
        rows.length === 0 ? 'No array is live here.' :
        more > 0 ? `and ${count(more)} smaller, ${bytes(Math.max(0, rest))} in all` : '';
  }

  function liveRow(b) {
    const text = (key) => t.buffer(b, key);
    const unpadded = t.columns.unpadded_bytes[b], padded = t.columns.padded_bytes[b];
    const life = element('i', {}), now = element('u', {});
    life.style.left = `${(100 * t.first[b]) / t.n}%`;
    life.style.width = `${(100 * (t.last[b] + 1 - t.first[b])) / t.n}%`;
    now.style.left = `${(100 * (cursor + 0.5)) / t.n}%`;
    const from = t.first[b], to = t.last[b];
    return element('tr', {onpointerenter: () => drawLife(b), onpointerleave: () => { byId('plot-life').hidden = true; }},
        element('td', {},
                element('div', {class: 'name', title: text('name')}, element('b', {}, text('name')),
                        text('name').startsWith(text('opcode')) ? null : element('span', {}, text('opcode'))),
                element('div', {class: 'shape'}, text('shape')),
                text('source') === '' ? null : element('div', {class: 'source'}, text('source')),
                element('div', {class: 'span', title: `live from instruction ${count(from)} to ${count(to)}`}, life, now)),
        element('td', {}, bytesNode(padded), bar(unpadded, padded, t.size[t.bySize[0]])));
  }

  // The life of the array under the pointer, below the plot's own area.
  function drawLife(b) {
    const from = Math.max(view[0], t.first[b]), to = Math.min(view[1], t.last[b] + 1);
    const life = byId('plot-life');
    life.hidden = to <= from;
    life.style.left = `${xOf(from)}px`;
    life.style.width = `${Math.max(3, xOf(to) - xOf(from))}px`;
    life.style.top = `${box.height - MARGIN.bottom + 1}px`;
  }

  const redrawCursor = onceAFrame(drawCursor);
  function moveTo(position) {
    cursor = Math.max(0, Math.min(t.n - 1, position));
    redrawCursor();
  }
  function showRange(from, to) {
    const length = Math.max(Math.min(8, t.n), Math.round(to - from));
    const start = Math.max(0, Math.min(t.n - length, Math.round(from)));
    view = [start, Math.min(t.n, start + length)];
    byId('zoom-out').hidden = view[0] === 0 && view[1] === t.n;
    drawPlot();
  }
  function zoom(by) {
    const length = (view[1] - view[0]) * by;
    showRange(cursor - length / 2, cursor + length / 2);
  }
  function release() {
    pinned = false;
    moveTo(t.peak);
  }
  // Steps of the keyboard stay in sight.
  function step(to) {
    pinned = true;
    moveTo(to);
    const length = view[1] - view[0];
    if (cursor < view[0] || cursor >= view[1]) showRange(cursor - length / 2, cursor + length / 2);
  }

  let drag = null;
  const localX = (event) => event.clientX - plot.getBoundingClientRect().left;
  plot.addEventListener('pointerdown', (event) => {
    if (event.button === 0) drag = {from: localX(event), zooms: false};
  });
  plot.addEventListener('pointermove', (event) => {
    const x = localX(event);
    if (drag !== null && event.pointerType === 'mouse' && Math.abs(x - drag.from) > 5) drag.zooms = true;
    if (drag !== null && drag.zooms) {
      plot.setPointerCapture(event.pointerId);
      const area = byId('plot-drag');
      const clamped = Math.max(MARGIN.left, Math.min(box.width - MARGIN.right, x));
      area.hidden = false;
      area.style.left = `${Math.min(drag.from, clamped)}px`;
      area.style.width = `${Math.abs(clamped - drag.from)}px`;
      area.style.top = `${MARGIN.top}px`;
      area.style.height = `${plotHeight()}px`;
      drag.to = clamped;
    } else if (!pinned) {
      moveTo(instructionAt(x));
    }
  });
  plot.addEventListener('pointerup', (event) => {
    byId('plot-drag').hidden = true;
    const done = drag;
    drag = null;
    if (done === null) return;
    if (done.zooms) {
      showRange(positionAt(Math.min(done.from, done.to)), positionAt(Math.max(done.from, done.to)));
      return;
    }
    const hit = instructionAt(localX(event));
    pinned = !(pinned && Math.abs(centreOf(hit) - centreOf(cursor)) < 4);
    moveTo(hit);
  });
  plot.addEventListener('pointercancel', () => {
    drag = null;
    byId('plot-drag').hidden = true;
  });
  plot.addEventListener('pointerleave', () => {
    if (!pinned && drag === null) moveTo(t.peak);
  });
  plot.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.shiftKey ? 10 : 1;
    const actions = {
      ArrowLeft: () => step(cursor - by), ArrowRight: () => step(cursor + by),
      ArrowDown: () => step(cursor - by), ArrowUp: () => step(cursor + by),
      PageDown: () => step(cursor - Math.ceil(t.n / 20)), PageUp: () => step(cursor + Math.ceil(t.n / 20)),
      Home: () => step(0), End: () => step(t.n - 1), p: () => step(t.peak), P: () => step(t.peak),
      Enter: () => { pinned = !pinned; redrawCursor(); }, ' ': () => { pinned = !pinned; redrawCursor(); },
      Escape: release, '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), 0: () => showRange(0, t.n),
    };
    if (actions[event.key] === undefined) return;
    event.preventDefault();
    actions[event.key]();
  });
  byId('readout-pin').addEventListener('click', () => {
    pinned = !pinned;
    redrawCursor();
  });
  byId('zoom-out').addEventListener('click', () => showRange(0, t.n));

  function show(module, timeline) {
    t = prepareTimeline(module, timeline);
    cursor = t.peak;
    pinned = false;
    showRange(0, t.n);
  }
  function chooseModule(module) {
    const timelines = module.timelines.filter((timeline) => timeline.live_bytes.length > 0);
    const largest = timelines.reduce((best, timeline) =>
      Number(timeline.live_bytes[positionOfPeak(timeline)]) > Number(best.live_bytes[positionOfPeak(best)]) ? timeline : best);
    byId('space-choice')?.remove();
    const spaces = choice('Memory space', timelines.map((timeline) => [timeline, timeline.memory_space]), largest,
                          (timeline) => show(module, timeline));
    spaces.id = 'space-choice';
    byId('timeline-controls').append(spaces);
    show(module, largest);
  }
  if (candidates.length > 1) {
    const select = element('select', {'aria-label': 'Module', onchange: () => chooseModule(candidates[select.value])});
    candidates.forEach((module, i) => select.append(element('option', {value: i}, module.name || `module ${i}`)));
    byId('timeline-controls').append(select);
  }
  chooseModule(candidates[0]);
  new ResizeObserver(onceAFrame(() => {
    if (plot.clientWidth !== box.width || plot.clientHeight !== box.height) drawPlot();
  })).observe(plot);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawPlot);
}

// ---- The treemap -------------------------------------------------------------------------------------------------

// Rectangles of the given values, largest first, in a rectangle; as square as may be (Bruls, Huizing, van Wijk: Squarified
// Treemaps).
function squarify(values, {x, y, width, height}) {
  const rectangles = [];
  let rest = values.reduce((total, value) => total + value, 0);
  let i = 0;
  while (i < values.length && rest > 0 && width > 0 && height > 0) {
    const scale = (width * height) / rest;
    const side = Math.min(width, height);
    const worst = (rowSum, least, most) =>
      Math.max((side * side * most) / (rowSum * rowSum), (rowSum * rowSum) / (side * side * least));
    let end = i + 1;
    let row = values[i] * scale;
    let ratio = worst(row, row, row);
    while (end < values.length) {
      const next = worst(row + values[end] * scale, values[end] * scale, values[i] * scale);
      if (next > ratio) break;
      ratio = next;
      row += values[end] * scale;
      end += 1;
    }
    const thickness = row / side;
    let at = 0;
    for (; i < end; ++i) {
      const length = (values[i] * scale) / thickness;
      rectangles.push(width >= height ? {x, y: y + at, width: thickness, height: length} :
                                        {x: x + at, y, width: length, height: thickness});
      at += length;
      rest -= values[i];
    }
    if (width >= height) {
      x += thickness;
      width -= thickness;
    } else {
      y += thickness;
      height -= thickness;
    }
  }
  return rectangles;
}

// The longest of a path's endings that fits into so many lines: ["b/model.py:12"], ["model.py:12"], ["model", ":12"];
// empty where none does.
function fitting(text, width, lines) {
  const fits = (part) => part.length * 6.6 <= width;
  let part = text;
  while (!fits(part) && part.includes('/')) part = part.slice(part.indexOf('/') + 1);
  if (fits(part)) return [part];
  const [, stem, line] = /^([^.]+)\.\w+(:\d+)$/.exec(part) ?? [];
  return lines > 1 && stem !== undefined && fits(stem) && fits(line) ? [stem, line] : [];
}

function drawTreemap() {
  const body = byId('treemap-body');
  const tooltip = byId('tooltip');
  let measure = 'padded';
  let outer = 'opcode';
  let zoomed = null;
  const entries = page.treemap.map((entry) => ({
    opcode: entry.opcode, source: entry.source, file: entry.source.replace(/:\d+$/, ''), instructions: Number(entry.instructions),
    unpadded: BigInt(entry.unpadded_bytes), padded: BigInt(entry.padded_bytes),
  }));
  if (!entries.some((entry) => entry.padded > 0n)) {
    byId('treemap-lead').textContent = 'No instruction has a result that takes memory.';
    body.hidden = true;
    return;
  }
  const labelOf = (key, value) => value !== '' ? value : key === 'opcode' ? 'no opcode' : 'no source line';
  // Inside a file its name need not stand again.
  const cellLabel = (label) => outer === 'file' ? label.replace(/^.*:(\d+)$/s, 'line $1') : label;
  const valueOf = (item) => Number(measure === 'padded' ? item.padded : item.padded - item.unpadded);
  const add = (to, item) => {
    to.instructions += item.instructions;
    to.unpadded += item.unpadded;
    to.padded += item.padded;
  };
  function total(label, items) {
    const result = {label, items, instructions: 0, unpadded: 0n, padded: 0n};
    for (const item of items) add(result, item);
    return result;
  }
  function groupBy(items, key) {
    const lists = new Map();
    for (const item of items) {
      const list = lists.get(item[key]);
      if (list === undefined) lists.set(item[key], [item]);
      else list.push(item);
    }
    return Array.from(lists, ([value, list]) => ({...total(labelOf(key, value), list), value}));
  }
  // Largest first; those under `least` become one.
  function gather(items, least) {
    const sorted = items.filter((item) => valueOf(item) > 0).sort((a, b) => valueOf(b) - valueOf(a));
    const small = sorted.findIndex((item) => valueOf(item) < least);
    if (small < 0 || sorted.length - small < 2) return sorted;
    const rest = sorted.slice(small);
    const merged = {...total(`${count(rest.length)} smaller`, rest), value: null, merged: true};
    return [...sorted.slice(0, small), merged].sort((a, b) => valueOf(b) - valueOf(a));
  }

  function showTooltip(event, title, item) {
    const padding = item.padded - item.unpadded;
    const row = (kind, name, value) => element('tr', {},
        element('th', {scope: 'row'}, kind === null ? null : element('i', {class: `key ${kind}`}), name),
        element('td', {}, bytes(value)), element('td', {}, exactBytes(value)));
    tooltip.replaceChildren(element('b', {}, ...title.map((line) => element('div', {}, line))),
        element('table', {}, row('data', 'data', item.unpadded), row('padding', `padding, ${percent(padding, item.padded)}`, padding),
                row(null, 'in all', item.padded)),
        element('div', {}, quantity(item.instructions, 'instruction')));
    tooltip.hidden = false;
    const {offsetWidth: width, offsetHeight: height} = tooltip;
    const left = event.clientX + 14 + width > innerWidth ? event.clientX - 14 - width : event.clientX + 14;
    const top = event.clientY + 14 + height > innerHeight ? event.clientY - 14 - height : event.clientY + 14;
    tooltip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }
  const hideTooltip = () => { tooltip.hidden = true; };

  function put(node, rectangle) {
    node.style.left = `${rectangle.x}px`;
    node.style.top = `${rectangle.y}px`;
    node.style.width = `${Math.max(0, rectangle.width)}px`;
    node.style.height = `${Math.max(0, rectangle.height)}px`;
    return node;
  }

  function cellNode(group, item, rectangle) {
    const across = rectangle.width > 2.5 * rectangle.height;
    const share = measure === 'padded' && item.padded > 0n ? Number(item.padded - item.unpadded) / Number(item.padded) : 1;
    const padding = element('i', {});
    padding.style[across ? 'width' : 'height'] = `${100 * Math.max(0, Math.min(1, share))}%`;
    const cell = element('div', {class: across ? 'cell across' : 'cell'}, padding);
    const lines = Math.floor((rectangle.height - 4) / 14);
    const label = lines > 0 ? fitting(cellLabel(item.label), rectangle.width - 10, lines) : [];
    if (label.length > 0 && label.length < lines && rectangle.width >= 66) label.push(bytes(valueOf(item)));
    for (const line of label) cell.append(element('span', {}, line));
    const title = group === null ? [item.label] : [group.label, cellLabel(item.label)];
    cell.addEventListener('pointermove', (event) => showTooltip(event, title, item));
    cell.addEventListener('pointerleave', hideTooltip);
    if (group !== null && zoomed === null && !group.merged) cell.addEventListener('click', () => setZoom(group.value));
    return put(cell, rectangle);
  }

  const GAP = 1;
  const inset = ({x, y, width, height}, by) => ({x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by});
  // The cells of one group; `origin` is where it lies.
  function cells(group, rectangle) {
    const leastArea = 36;
    const items = gather(groupBy(group.items, 'source'), (leastArea * valueOf(group)) / Math.max(1, rectangle.width * rectangle.height));
    return squarify(items.map(valueOf), rectangle).map((place, i) => cellNode(group, items[i], inset(place, GAP / 2)));
  }

  function draw() {
    hideTooltip();
    const whole = {x: 0, y: 0, width: body.clientWidth, height: body.clientHeight};
    const everything = total('', entries);
    body.classList.toggle('zoomed', zoomed !== null);
    body.replaceChildren();
    drawControls();
    const what = measure === 'padded' ? 'bytes' : 'bytes of padding';
    if (zoomed !== null) {
      const group = total(labelOf(outer, zoomed), entries.filter((entry) => entry[outer] === zoomed));
      byId('treemap-lead').textContent = `${group.label}: ${bytes(group.padded)}, ${percent(group.padded - group.unpadded, group.padded)} ` +
        `of it padding, in ${quantity(group.instructions, 'instruction')}. Areas are ${what}.`;
      body.append(...cells(group, whole));
      return;
    }
    byId('treemap-lead').textContent = `Areas are ${what}, all ${counted} as if none shared its memory: ${bytes(everything.padded)}` +
      `${hasPadding ? `, ${percent(everything.padded - everything.unpadded, everything.padded)} of it padding` : ''}. ` +
      'Choose a group to look closer.';
    const groups = gather(groupBy(entries, outer), (220 * valueOf(everything)) / Math.max(1, whole.width * whole.height));
    if (groups.length === 0) body.append(element('p', {class: 'lead'}, 'There is no padding.'));
    squarify(groups.map(valueOf), whole).forEach((place, i) => {
      const group = groups[i];
      const rectangle = inset(place, 1.5);
      const node = put(element('div', {class: 'group'}), rectangle);
      const head = rectangle.width >= 48 && rectangle.height >= 44 ? 21 : 0;
      const label = outer === 'file' ? fitting(group.label, rectangle.width - 90, 1)[0] ?? baseName(group.label) : group.label;
      if (head > 0) {
        node.append(element('button', {
          type: 'button', title: group.merged ? null : `Look closer at ${group.label}`, 'aria-label': group.label,
          disabled: group.merged ? '' : null, onclick: () => setZoom(group.value),
        }, label, 7 * label.length + 80 < rectangle.width ? element('span', {}, bytes(valueOf(group))) : null));
      }
      const room = {x: 1, y: head + (head > 0 ? 0 : 1), width: rectangle.width - 4, height: rectangle.height - head - (head > 0 ? 3 : 4)};
      if (head > 0) node.append(...cells(group, room));
      else node.append(cellNode(null, group, room));
      if (head === 0 && !group.merged) node.addEventListener('click', () => setZoom(group.value));
      body.append(node);
    });
  }
  function setZoom(value) {
    zoomed = value;
    draw();
    if (value !== null) byId('treemap-back').focus();
  }
  function drawControls() {
    const back = element('button', {type: 'button', class: 'quiet', id: 'treemap-back', onclick: () => setZoom(null)},
                         outer === 'opcode' ? '← All opcodes' : '← All files');
    if (zoomed !== null && byId('treemap-back') === null) byId('treemap-controls').prepend(back);
    if (zoomed === null) byId('treemap-back')?.remove();
  }
  byId('treemap-controls').append(
      choice('Grouped by', [['opcode', 'By opcode'], ['file', 'By source file']], outer, (value) => {
        outer = value;
        zoomed = null;
        draw();
      }),
      choice('Area', [['padded', 'All memory'], ['padding', 'Padding only']], measure, (value) => {
        measure = value;
        draw();
      }));
  draw();
  let width = body.clientWidth;
  new ResizeObserver(onceAFrame(() => {
    if (body.clientWidth === width) return;
    width = body.clientWidth;
    draw();
  })).observe(body);
}

// ---- Tables ------------------------------------------------------------------------------------------------------

// "copy.9" before "copy.10".
const COLLATOR = new Intl.Collator('en', {numeric: true});

// Columns: {head, value(row): what sorts, cell(row): node or text, kind: 'number', 'name', 'shape', 'bars' or none}.
function addTable({id, heading, lead, columns, rows, sort, none}) {
  const FIRST_ROWS = 50;
  const section = element('section', {id, 'aria-labelledby': `${id}-heading`},
      element('div', {class: 'section-head'}, element('h2', {id: `${id}-heading`}, heading), element('div', {class: 'controls'})));
  byId('main').append(section);
  if (rows.length === 0) {
    section.append(element('p', {class: 'lead none'}, none));
    return;
  }
  section.append(element('p', {class: 'lead'}, lead));
  const plain = (node) => typeof node === 'string' ? node : node.textContent;
  const items = rows.map((row) => {
    const nodes = columns.map((column) => column.cell(row));
    return {row, nodes, text: nodes.map(plain).join('\n').toLowerCase()};
  });
  let {column: sorted, descending} = sort;
  let all = false;
  const filter = element('input', {
    type: 'search', placeholder: 'Filter', 'aria-label': `Filter ${heading.toLowerCase()}`,
    oninput: () => { all = false; draw(); }});
  const isShort = rows.length <= 5;
  if (!isShort) section.querySelector('.controls').append(filter);
  const heads = columns.map((column, i) => element('th', {scope: 'col', class: column.kind === 'number' ? 'number' : column.kind},
      column.value === undefined ? column.head : element('button', {type: 'button', onclick: () => {
        descending = sorted === i ? !descending : column.kind === 'number';
        sorted = i;
        draw();
      }}, column.head)));
  const body = element('tbody', {});
  const shown = element('span', {role: 'status'});
  const more = element('button', {type: 'button', class: 'quiet', onclick: () => { all = true; draw(); }}, 'Show all');
  section.append(
      element('div', {class: 'rows', tabindex: 0, role: 'region', 'aria-labelledby': `${id}-heading`},
          element('table', {class: columns.some((column) => column.kind === 'shape') ? null : 'no-shape'}, element('caption', {class: 'hidden'}, heading),
                  element('thead', {}, element('tr', {}, ...heads)), body)),
      element('div', {class: 'more', hidden: isShort ? '' : null}, shown, more));
  function compare(a, b) {
    const x = columns[sorted].value(a.row), y = columns[sorted].value(b.row);
    return typeof x === 'string' ? COLLATOR.compare(x, y) : x - y;
  }
  function draw() {
    heads.forEach((head, i) => {
      if (i === sorted) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    const wanted = filter.value.trim().toLowerCase();
    const found = items.filter((item) => item.text.includes(wanted));
    found.sort((a, b) => descending ? compare(b, a) : compare(a, b));
    const visible = all ? found : found.slice(0, FIRST_ROWS);
    body.replaceChildren(...visible.map((item) => element('tr', {}, ...item.nodes.map(
        (node, i) => element('td', {class: columns[i].kind || null}, node)))));
    if (found.length === 0) body.append(element('tr', {}, element('td', {class: 'none', colspan: columns.length}, 'Nothing matches.')));
    shown.textContent = found.length === rows.length ? quantity(rows.length, 'row') :
      `${count(found.length)} of ${quantity(rows.length, 'row')}`;
    if (visible.length < found.length) shown.textContent += `, the first ${visible.length} shown`;
    more.hidden = visible.length === found.length;
  }
  draw();
}

const textColumn = (head, key, kind) => ({head, kind, value: (row) => row[key], cell: (row) => row[key]});
const numberColumn = (head, value, cell) => ({head, kind: 'number', value: (row) => Number(value(row)), cell: (row) => cell(value(row), row)});
const countColumn = (head, key) => numberColumn(head, (row) => row[key], (value) => count(value));
const bytesColumn = (head, value) => numberColumn(head, value, (number) => bytesNode(number));
const paddingColumn = (head, value, whole) => numberColumn(head, value, (number, row) => element('span', {title: exactBytes(number)},
    bytes(number), ' ', element('small', {}, percent(number, whole(row)))));
function barColumn(rows) {
  const scale = Math.max(0, ...rows.map((row) => Number(row.padded_bytes)));
  return {head: element('span', {class: 'hidden'}, 'Data and padding'), kind: 'bars',
          cell: (row) => bar(row.unpadded_bytes, row.padded_bytes, scale)};
}
const paddedBytes = (row) => row.padded_bytes;

function drawTables() {
  const bytesAndPadding = (rows) => [bytesColumn('Bytes', paddedBytes),
                                     ...(hasPadding ? [paddingColumn('Padding', paddingOf, paddedBytes)] : []), barColumn(rows)];
  const byBytes = (column) => ({column, descending: true});
  if (page.modules.length > 1) {
    addTable({
      id: 'modules', heading: 'Modules', lead: 'What each module of the file holds.', rows: page.modules, sort: byBytes(4),
      columns: [textColumn('Module', 'name', 'name'), countColumn('Instructions', 'instructions'), countColumn('Computations', 'computations'),
                countColumn('Distinct shapes', 'distinct_shapes'), ...bytesAndPadding(page.modules)],
    });
  }
  addTable({
    id: 'memory-spaces', heading: 'Memory spaces', lead: `All ${counted} together, by where their layouts put them.`,
    rows: page.by_memory_space, sort: byBytes(2), none: 'There are no arrays.',
    columns: [textColumn('Memory space', 'name'), countColumn('Arrays', 'arrays'), ...bytesAndPadding(page.by_memory_space)],
  });
  addTable({
    id: 'largest', heading: 'Largest arrays', lead: 'Distinct shapes by the bytes of one such array.',
    rows: page.largest, sort: byBytes(0), none: 'There are no arrays.',
    columns: [...bytesAndPadding(page.largest), countColumn('Uses', 'uses'), textColumn('Shape', 'shape', 'shape')],
  });
  addTable({
    id: 'most-wasteful', heading: 'Most wasteful arrays',
    lead: 'Distinct shapes by the padding of all their uses, with the dimension that pays most and the order of dimensions, minor to ' +
      'major, that would pad least.',
    rows: page.most_wasteful, sort: byBytes(0), none: 'No array is padded.',
    columns: [
      bytesColumn('Padding of all uses', (row) => row.total_padding_bytes),
      numberColumn('Factor', (row) => Number(row.padded_bytes) / Math.max(1, Number(row.unpadded_bytes)),
                   (_, row) => factor(row.padded_bytes, row.unpadded_bytes)),
      bytesColumn('One array', paddedBytes), barColumn(page.most_wasteful),
      countColumn('Uses', 'uses'), textColumn('Shape', 'shape', 'shape'), textColumn('Dimension that pays', 'padded_dimension', 'name'),
      {head: 'Better order', value: (row) => row.better_order === '' ? 0 : Number(row.padded_bytes) - Number(row.better_bytes),
       cell: (row) => row.better_order === '' ? element('small', {}, 'none') : element('span', {title: `${exactBytes(row.better_bytes)} each`},
           element('code', {}, row.better_order), ' ', element('small', {}, `${bytes(row.better_bytes)} each`))},
    ],
  });
  addTable({
    id: 'relayouts', heading: 'Relayouts', 
    lead: 'Instructions that change the layout of an array. A free one, a bitcast, moves nothing; a fused one moves nothing in memory.',
    rows: page.relayouts, sort: byBytes(0), none: 'No instruction changes a layout.',
    columns: [numberColumn('Bytes moved', (row) => row.is_free || row.is_fused ? 0 : row.bytes,
                           (moved, row) => row.is_free || row.is_fused ?
                             element('small', {title: exactBytes(row.bytes)}, row.is_free ? 'free' : 'fused') : bytesNode(moved)),
              textColumn('Instruction', 'instruction', 'name'), textColumn('Opcode', 'opcode', 'name'),
              textColumn('From', 'from', 'shape'), textColumn('To', 'to', 'shape')],
  });
  addTable({
    id: 'opcodes', heading: 'Instructions by opcode', lead: `How many there are with ${counted}, and the bytes of these.`,
    rows: page.by_opcode, sort: byBytes(2), none: 'There are no instructions.',
    columns: [textColumn('Opcode', 'opcode', 'name'), countColumn('Instructions', 'instructions'), ...bytesAndPadding(page.by_opcode)],
  });
}

drawHeading();
drawTimelines();
drawMemoryMaps(page, {byId, element, choice, bytes, bytesNode, exactBytes, percent, count, quantity, onceAFrame, root});
drawTreemap();
drawTables();
root.dataset.ready = '';
})();
