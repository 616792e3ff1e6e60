// What every part of the page uses: the data, texts of numbers, elements, the address, and what is chosen.

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
// Characters that change the direction of text would show a name as another one.
const data = JSON.parse(byId('memory-page').textContent.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '?'));

// The service's JSON of its answers, as report/page/packed_json.h packs it: keys and texts of tables stand in the data once.
function unpacked(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  if (value.$text !== undefined) return value.$text.map((place) => data.texts[place]);
  if (value.$rows === undefined) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unpacked(part)]));
  const rows = Array.from({length: value.$rows}, () => ({}));
  for (const [key, part] of Object.entries(value.same)) {
    const same = unpacked(part);
    for (const row of rows) row[key] = same;
  }
  for (const [key, parts] of Object.entries(value.each)) rows.forEach((row, i) => { row[key] = unpacked(parts[i]); });
  for (const [key, places] of Object.entries(value.text)) rows.forEach((row, i) => { row[key] = data.texts[places[i]] ?? null; });
  return rows;
}

// An integer past 2^53-1 stands in the data as text: Number() serves pictures and order, BigInt() what is shown in full.
const exact = (value) => BigInt(value).toLocaleString('en-US');
const count = (value) => exact(value);
const quantity = (value, noun) => `${exact(value)} ${noun}${Number(value) === 1 ? '' : 's'}`;
const sum = (rows, key) => rows.reduce((total, row) => total + BigInt(row[key]), 0n);

// The texts are those of base/text/human_bytes.cc.
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
// Marks of an axis: 1.25 GiB, and 4 KiB rather than 4.00 KiB.
const axisBytes = (value) => bytes(value).replace(/(\.\d*?)0+ /, '$1 ').replace('. ', ' ');
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
const difference = (before, after) => BigInt(after) - BigInt(before);
const signedBytes = (value) => value > 0n ? `+${bytes(value)}` : value < 0n ? `\u2212${bytes(-value)}` : 'same';
const paddingOf = (row) => BigInt(row.padded_bytes) - BigInt(row.unpadded_bytes);
const spaceText = (number, name) => name === number ? `S(${number})` : `${name} S(${number})`;
const moduleText = (name) => name === '' ? 'a module without a name' : `module ${name}`;
// "dim 3: 64→128", "element: 8→32 bits", as of report/text/padding_text.cc.
const blameText = ({cause, dimensions, bound, padded}) => cause === '' ? '' :
  `${dimensions.length === 0 ? cause : `dim ${dimensions.join()}`}: ${bound}→${padded}${cause === 'element' ? ' bits' : ''}`;

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

// put(node, {left: 4, width: 10}), in pixels.
function put(node, lengths) {
  for (const [name, pixels] of Object.entries(lengths)) node.style[name] = `${pixels}px`;
  return node;
}

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

// The end of a path, where a path is; texts without a "/" stay.
const baseName = (path) => path.slice(path.lastIndexOf('/') + 1) || path;

// Long names fill no screen: the beginning of one, or its end from a scope on.
const startOf = (text, most = 240) => text.length <= most ? text : `${text.slice(0, most)}…`;
function endOf(name) {
  const MOST = 96;
  if (name.length <= MOST) return name;
  const end = name.slice(-MOST);
  const scope = end.indexOf('/');
  return `…${scope < 0 ? end : end.slice(scope)}`;
}
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

// What the reader has chosen, kept behind the "#" of the address, so that a link or a reload brings it back.
const address = (() => {
  const values = new URLSearchParams(location.hash.slice(1));
  let waiting = 0;
  addEventListener('hashchange', () => location.reload());
  return {
    get: (key) => values.get(key),
    number: (key) => /^\d{1,15}$/.test(values.get(key) ?? '') ? Number(values.get(key)) : null,
    // null forgets it.
    set(key, value) {
      if (value === null || value === '') values.delete(key);
      else values.set(key, value);
      clearTimeout(waiting);
      // Browsers refuse an address that changes at every move of the pointer.
      waiting = setTimeout(() => history.replaceState(
          null, '', values.size === 0 ? location.pathname + location.search : `#${values}`), 120);
    },
  };
})();
// A choice that the address keeps, unless it is the usual one.
function keptChoice(key, label, options, onChoose) {
  const usual = options[0][0];
  const kept = options.some(([value]) => value === address.get(key)) ? address.get(key) : usual;
  const group = choice(label, options, kept, (value) => {
    address.set(key, value === usual ? null : value);
    onChoose(value);
  });
  return {group, kept};
}

// What a module says of its memory spaces, each with its name and number as people write them.
const spacesOf = (by_memory_space) => Object.entries(by_memory_space ?? {}).map(
    ([number, space]) => ({...space, memory_space: spaceText(number, space.name)}));
// Rows with equal keys become one, which has the sums.
function merged(rows, keyOf, sums) {
  const byKey = new Map();
  for (const row of rows) {
    const rowKey = keyOf(row), known = byKey.get(rowKey);
    if (known === undefined) byKey.set(rowKey, {...row});
    else for (const key of sums) known[key] = BigInt(known[key]) + BigInt(row[key]);
  }
  return [...byKey.values()];
}

// The answers about all files together.
const page = (() => {
  const files = data.files.map(unpacked);
  const all = (key) => files.flatMap((file) => file[key]);
  const moduleOf = (file, passes, module) => {
    const spaces = spacesOf(module.peak.by_memory_space);
    return {
      ...module, ...module.total, name: module.name, file: files.length > 1 ? file.file : '', spaces, passes,
      // Along the schedule, and where everything lies.
      timelines: spaces.filter((space) => space.bytes.length > 0),
      placed: spaces.filter(({map}) => map !== null && !map.is_unplaced),
      is_assigned_by_xla: spaces.some((space) => space.assigned_bytes !== null),
      no_peak: module.peak.is_unscheduled ? '' : module.peak.reason ?? '',
    };
  };
  const arrays = (key, by) => merged(all(key), (row) => row.shape, ['count', 'total_padding_bytes']).sort((a, b) => Number(b[by]) - Number(a[by]));
  const sums = ['unpadded_bytes', 'padded_bytes'];
  return {
    title: data.title, files, changes: unpacked(data.changes),
    counts_buffers: files.every((file) => file.counted === 'buffers'),
    modules: files.flatMap((file, i) => file.modules.map((module) => moduleOf(file, unpacked(data.passes[i]), module))),
    by_memory_space: merged(all('by_memory_space').map((space) => ({...space, name: spaceText(String(space.memory_space), space.name)})),
                            (space) => space.name, ['arrays', ...sums]),
    by_origin: merged(all('by_origin'), (row) => `${row.opcode}\n${row.source_line}\n${row.op_name}`, ['instructions', ...sums]),
    by_opcode: merged(all('by_origin'), (row) => row.opcode, ['instructions', ...sums]),
    largest: arrays('largest', 'padded_bytes'), most_wasteful: arrays('most_wasteful', 'total_padding_bytes'), moves: all('moves'),
  };
})();

// An array of a module: what it is, and how much of it is no padding.
const shapeText = (array) => array.shape ?? '(the table of a tuple)';
const dataBytes = (array) => Math.min(Number(array.unpadded_bytes), Number(array.padded_bytes));
const arraysAtPeak = ({arrays, peak_position: peak}) => arrays.filter(({first, last}) => first <= peak && peak <= last);
// What a memory space must hold for the whole run: XLA's own number, where it is known.
const reservedBytes = (space) => space.assigned_bytes ?? space.reserved_bytes;
const neededBytes = (space) => reservedBytes(space) ?? space.peak_bytes;

// One module and one memory space are chosen for the whole page: at first HBM, of which people ask whether a program fits, else the
// memory space that needs most; and the module that needs most of it.
const selection = (() => {
  const listeners = [];
  const scheduled = page.modules.filter((module) => module.timelines.length > 0);
  const largest = (items, size) => items.reduce((best, item) => Number(size(item)) > Number(size(best)) ? item : best);
  const usualSpace = (module) => module.timelines.find(({memory_space: space}) => space === 'HBM S(0)') ?? largest(module.timelines, neededBytes);
  const mostNeeded = (module) => neededBytes(usualSpace(module));
  let module = null, timeline = null;
  if (scheduled.length > 0) {
    module = page.modules[address.number('module')] ?? null;
    if (!scheduled.includes(module)) module = largest(scheduled, mostNeeded);
    timeline = module.timelines.find((t) => t.memory_space === address.get('space')) ?? usualSpace(module);
  }
  function choose(newModule, newTimeline) {
    module = newModule;
    timeline = newTimeline;
    address.set('module', page.modules.length > 1 ? String(page.modules.indexOf(module)) : null);
    address.set('space', timeline === usualSpace(module) ? null : timeline.memory_space);
    for (const key of ['at', 'from', 'to', 'map', 'scope']) address.set(key, null);
    for (const listener of listeners) listener();
  }
  return {
    scheduled, usualSpace, mostNeeded,
    module: () => module,
    timeline: () => timeline,
    chooseModule: (newModule) => choose(newModule, usualSpace(newModule)),
    chooseSpace: (newTimeline) => choose(module, newTimeline),
    // Calls it now, if anything is chosen, and whenever something else is.
    follow(listener) {
      listeners.push(listener);
      if (module !== null) listener();
    },
  };
})();

// What the sums are over.
const counted = page.counts_buffers ? 'buffers' : 'results';
const hasPadding = page.modules.some((module) => Number(module.padded_bytes) !== Number(module.unpadded_bytes));
// Of the first module that is scheduled and has no peak all the same; '' where none is.
const reasonForNoPeak = page.modules.map((module) => module.no_peak).find((reason) => reason !== '') ?? '';
