// Memory along the schedule, and what is live at the cursor.

// What a timeline is asked for at every move of the cursor, computed once.
function prepareTimeline(module, timeline) {
  const live = Float64Array.from(timeline.bytes, Number);
  const n = live.length;
  const buffers = timeline.arrays;
  const first = Int32Array.from(buffers, (each) => each.first);
  const last = Int32Array.from(buffers, (each) => each.last);
  const size = Float64Array.from(buffers, (each) => Number(each.padded_bytes));
  const data = Float64Array.from(buffers, dataBytes);
  // Arrays that share a place count once, as they do in the bytes.
  const padding = Float64Array.from(timeline.bytes, (_, i) => Number(timeline.padding_bytes[i] ?? 0));
  const arrays = new Int32Array(n + 1);
  for (let b = 0; b < buffers.length; ++b) {
    if (last[b] < first[b]) continue;
    arrays[first[b]] += 1;
    arrays[last[b] + 1] -= 1;
  }
  for (let i = 1; i <= n; ++i) {
    arrays[i] += arrays[i - 1];
  }
  // The first live ones in this order are the largest live ones.
  const bySize = Array.from(buffers, (_, b) => b).sort((a, b) => size[b] - size[a] || a - b);
  const {step_instructions: names, step_opcodes: opcodes} = module.peak;
  return {
    n, live, padding, arrays, first, last, size, data, bySize, buffers, peak: timeline.peak_position,
    exactLive: (i) => timeline.bytes[i],
    space: timeline.memory_space,
    instruction: (i) => ({name: names[i], opcode: opcodes[i]}),
  };
}

function drawTimelines() {
  if (selection.module() === null) {
    const message = byId('no-timeline');
    message.hidden = false;
    message.textContent = page.modules.length === 0 ?
      'There is no module in this file, so there is no schedule to show.' :
      reasonForNoPeak !== '' ?
      `Peak: not known; ${reasonForNoPeak}. Only the ENTRY computation has the whole schedule.` :
      'Not scheduled: this module does not fix the order of its instructions, so which arrays are live at once is ' +
      'not known. A dump taken after scheduling has is_scheduled=true in its first line; --assume-text-order uses the ' +
      'order of the text.';
    return;
  }
  byId('timeline-body').hidden = false;
  byId('plot-padding').hidden = !hasPadding;

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
      g.fillText(axisBytes(value), left - 8, y);
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
    put(label, {left: Math.max(4, Math.min(box.width - width - 4, x - width / 2)), top: y});
  }

  function centreOf(position) {
    return xOf(position + 0.5);
  }

  function drawPeak() {
    const inView = view[0] <= t.peak && t.peak < view[1];
    byId('peak-label').hidden = byId('peak-dot').hidden = !inView;
    if (!inView) return;
    const x = centreOf(t.peak), y = yOf(t.live[t.peak]);
    put(byId('peak-dot'), {left: x, top: y});
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
      put(byId('plot-crosshair'), {left: Math.round(x), top: MARGIN.top - 8, height: plotHeight() + 8});
      put(byId('plot-dot'), {left: x, top: yOf(t.live[cursor])});
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
        `Step ${count(cursor)}, from 0 to ${count(t.n - 1)}${cursor === t.peak ? ', the peak' : ''}`;
    byId('readout-pin').textContent = pinned ? 'Unpin' : 'Pin';
    byId('readout-pin').setAttribute('aria-pressed', String(pinned));
    byId('readout-name').textContent = name;
    byId('readout-name').title = name;
    byId('readout-opcode').textContent = opcode;
    const part = (kind, value) => element('span', {title: exactBytes(value)}, element('i', {class: `key ${kind}`}), bytes(value));
    byId('readout-sums').replaceChildren(
        element('b', {title: exactBytes(live)}, `${bytes(live)} live`),
        ...(hasPadding ? [part('data', Math.max(0, t.live[cursor] - padding)), part('padding', padding)] : []),
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
    const {instruction: name, opcode, source_line: source, padded_bytes: padded} = t.buffers[b];
    const life = element('i', {}), now = element('u', {});
    life.style.left = `${(100 * t.first[b]) / t.n}%`;
    life.style.width = `${(100 * (t.last[b] + 1 - t.first[b])) / t.n}%`;
    now.style.left = `${(100 * (cursor + 0.5)) / t.n}%`;
    const from = t.first[b], to = t.last[b];
    return element('tr', {onpointerenter: () => drawLife(b), onpointerleave: () => { byId('plot-life').hidden = true; }},
        element('td', {},
                element('div', {class: 'name', title: name}, element('b', {}, name),
                        name.startsWith(opcode) ? null : element('span', {}, opcode)),
                element('div', {class: 'shape'}, shapeText(t.buffers[b])),
                source === null ? null : element('div', {class: 'source'}, source),
                element('div', {class: 'span', title: `live from instruction ${count(from)} to ${count(to)}`}, life, now)),
        element('td', {}, bytesNode(padded), bar(t.data[b], padded, t.size[t.bySize[0]])));
  }

  // The life of the array under the pointer, below the plot's own area.
  function drawLife(b) {
    const from = Math.max(view[0], t.first[b]), to = Math.min(view[1], t.last[b] + 1);
    const life = byId('plot-life');
    life.hidden = to <= from;
    put(life, {left: xOf(from), width: Math.max(3, xOf(to) - xOf(from)), top: box.height - MARGIN.bottom + 1});
  }

  const redrawCursor = onceAFrame(() => {
    address.set('at', pinned ? String(cursor) : null);
    drawCursor();
  });
  function moveTo(position) {
    cursor = Math.max(0, Math.min(t.n - 1, position));
    redrawCursor();
  }
  function showRange(from, to) {
    const length = Math.max(Math.min(8, t.n), Math.round(to - from));
    const start = Math.max(0, Math.min(t.n - length, Math.round(from)));
    view = [start, Math.min(t.n, start + length)];
    const isWhole = view[0] === 0 && view[1] === t.n;
    byId('zoom-out').hidden = isWhole;
    address.set('from', isWhole ? null : String(view[0]));
    address.set('to', isWhole ? null : String(view[1]));
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
      put(area, {left: Math.min(drag.from, clamped), width: Math.abs(clamped - drag.from), top: MARGIN.top, height: plotHeight()});
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

  selection.follow(() => {
    t = prepareTimeline(selection.module(), selection.timeline());
    const at = address.number('at'), from = address.number('from'), to = address.number('to');
    pinned = at !== null && at < t.n;
    cursor = pinned ? at : t.peak;
    showRange(from ?? 0, Math.max((from ?? 0) + 1, to ?? t.n));
  });
  new ResizeObserver(onceAFrame(() => {
    if (plot.clientWidth !== box.width || plot.clientHeight !== box.height) drawPlot();
  })).observe(plot);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawPlot);
}

