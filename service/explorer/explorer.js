// The page: what is asked, when, and what is done with the answers. What the
// page says is made in explorer_model.js, and what its handles change in
// explorer_handles.js. It reads no layout itself: the service does.
//
// `data-state` of <html> is "busy" from an event until everything that follows
// from it is drawn, then "ready"; `data-errors` counts script errors.

(() => {
  'use strict';

  const {
    KINDS, FAMILY_NAMES, number, list, familyOf, boundsOf, onlyLeaf, positionsOf, grouped, indexText, byteText,
    explainSteps, parseIntegers, placeText, toHash, fromHash, CHOICES,
  } = ExplorerModel;

  const {$, make, options, button, calculation} = Dom;

  const root = document.documentElement;
  const failed = (reason) => {
    root.dataset.errors = Number(root.dataset.errors) + 1;
    root.dataset.firstError = root.dataset.firstError || String(reason);
  };
  window.addEventListener('error', (event) => failed(event.message));
  window.addEventListener('unhandledrejection', (event) => failed(event.reason));

  const EXAMPLES = {
    XLA: [
      'f32[3,5]{1,0:T(2,2)}', 'bf16[10,14]{1,0:T(4,4)(2,1)}', 'f32[4,6]{0,1}', 'f32[3,4,5]{2,1,0}',
      'bf16[9,130]{1,0:T(8,128)(2,1)}', 's4[6,10]{1,0:T(4,8)E(4)}', 'f32[20]{0:T(8)(3)}',
      'f32[7,1024,1024]{2,1,0:T(8,128)}',
    ],
    CuTe: [
      '((2,2),3):((24,2),8)', '(8,8):(8,1)', 'Sw<2,0,3> o 0 o (8,8):(8,1)', '((2,4),(2,2)):((1,4),(2,16))', '(4,3):(1,8)',
      '(3,2):(0,1)', 'Sw<3,4,3> o 0 o (8,64):(64,1)',
    ],
    Threads: ['SM80_16x8x16_F32F16F16F32_TN', 'Copy_Atom<SM75_U32x4_LDSM_N, half_t>', 'SM90_64x16x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>'],
    Tenstorrent: [
      tensorText('53x63', 'f32', '(d0, d1) -> (d0, d1)', '3x2', '1x1x!tt.tile<32x32, f32>'),
      tensorText('53x63', 'f32', '(d0, d1) -> (d0, d1)', '3x2', '18x32xf32'),
      tensorText('2x3x64x128', 'f32', '(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)', '2x4', '192x32xf32'),
      tensorText('3x64x128', 'f32', '(d0, d1, d2) -> (d0 * 64 + d1, d2)', '3x2', '2x2x!tt.tile<32x32, bfp_bf8>'),
      tensorText('2x3x64x128', 'bf16', '(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)', '2x2x4', '1x3x1x!tt.tile<32x32, bf16>'),
    ],
  };
  function tensorText(shape, type, map, grid, memref) {
    return `tensor<${shape}x${type}, #tt.metal_layout<${map}, undef, <${grid}>, memref<${memref}, #tt.memory_space<l1>>>>`;
  }
  const MEMORY_ROWS = 16;
  // A memory of so many rows is shown whole.
  const WHOLE_MEMORY_ROWS = 18;
  const DEBOUNCE_MS = 90;

  // -- Asking --------------------------------------------------------------------

  const exported = JSON.parse($('export')?.textContent ?? 'null');

  // Integers that a JavaScript number does not hold stay text.
  const exactly = (key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && context?.source ? context.source : value;

  let pending = 0;
  const settle = () => {
    root.dataset.state = pending === 0 ? 'ready' : 'busy';
  };
  const busyWhile = async (work) => {
    ++pending;
    settle();
    try {
      return await work();
    } finally {
      --pending;
      settle();
    }
  };

  // The response to a question: its result, or {error}.
  const ask = async (kind, question) => {
    if (exported) {
      const answer = exported[kind]?.[question.index ? question.index.join() : (question.indices ?? []).join()];
      return answer ?? {error: {message: 'this page was saved without the answer'}};
    }
    let response;
    try {
      const reply = await fetch('v1/ask', {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({[kind]: question}),
      });
      response = JSON.parse(await reply.text(), exactly);
    } catch (reason) {
      return {error: {message: `the server does not answer: ${reason.message}`}};
    }
    return response.error ? {error: response.error} : response[kind] ?? {};
  };

  // -- State -----------------------------------------------------------------------

  let state = fromHash(location.hash);
  let description = null;
  let describedText = '';  // what `description`, and all that is explained, is about
  let family = 'xla';
  let picture = null;      // its `text` is the layout that it shows
  let selection = null;    // {text, position, index or null, kind, cell}: what the readout is about
  let refreshTurn = 0;

  // Whether the picture is one of the text as it is now: a wrong text leaves the
  // old one, and a new text has none until it is answered.
  const isPictureOfText = () => picture?.text === state.text && describedText === state.text;

  const remember = () => {
    if (exported) return;
    history.replaceState(null, '', toHash(state));
  };

  const resetView = () => {
    Object.assign(state, {rows: null, columns: null, index: [], rowFirst: 0, columnFirst: 0, memoryFirst: null, pin: '',
      thread: null, tile: '', data: '', bytes: null});
  };

  let timer = 0;
  let isWaiting = false;
  const schedule = () => {
    // What is asked already is of a state that has passed.
    ++refreshTurn;
    clearTimeout(timer);
    if (!isWaiting) {
      isWaiting = true;
      ++pending;
      settle();
    }
    timer = setTimeout(() => {
      isWaiting = false;
      busyWhile(refresh);
      --pending;
      settle();
    }, DEBOUNCE_MS);
  };

  const setText = (text, {keepsView}) => {
    state.text = text;
    if ($('text').value !== text) $('text').value = text;
    growText();
    if (!keepsView) resetView();
    state.pin = '';
    schedule();
  };
  const growText = () => {
    const field = $('text');
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight, 190)}px`;
  };

  // -- From text to picture ----------------------------------------------------------

  const CHARACTER_PX = 6.7;
  const widthOf = (characters) => Math.max(26, Math.ceil(characters * CHARACTER_PX) + 7);
  const ROOMY_PX = 42;
  const digitsOf = (value) => String(Math.max(0, value - 1)).length;

  // As many cells as fit beside each other.
  const roomOf = (panel) => panel.clientWidth - 8 - widthOf(3);
  const fitting = (panel, width) => Math.min(64, Math.max(4, Math.floor(roomOf(panel) / width)));
  // Whether few enough cells are shown to make them larger.
  const isRoomy = (panel, rows, columns, width) => rows <= 10 && columns * Math.max(ROOMY_PX, width * 1.2) <= roomOf(panel);

  const question = () => {
    const bounds = boundsOf(description) ?? [];
    const rowCells = state.size || 16;
    const columnCells = state.size || fitting($('logical'), widthOf(digitsOf(positionsOf(description))));
    const indexCharacters = bounds.reduce((sum, bound) => sum + digitsOf(bound) + 1, -1);
    let width = state.memoryWidth;
    if (!width) {
      width = Math.min(16, list(description.tensor?.tile_shape)[1] ?? 16);
      while (width > 4 && width > fitting($('memory'), widthOf(indexCharacters))) width /= 2;
    }
    const asked = {layout: state.text};
    if (state.rows !== null) asked.rows = state.rows;
    if (state.columns !== null) asked.columns = state.columns;
    if (family === 'cute' && bounds.length > 2 && state.rows === null && state.columns === null) {
      Object.assign(asked, {rows: 0, columns: 1});
    }
    if (state.index.length === bounds.length && state.index.some((at) => at > 0)) asked.index = state.index;
    asked.row_window = {first: state.rowFirst, count: rowCells <= 16 ? Math.max(rowCells, 20) : rowCells};
    asked.column_window = {first: state.columnFirst, count: columnCells};
    return {asked, width, first: state.memoryFirst};
  };

  // What memory is shown around: what is pinned, or else the first element of
  // the window.
  const anchorOf = async (answer) => {
    if (state.pin.startsWith('p')) return Number(state.pin.slice(1)) || 0;
    const index = /^e([\d,]+)$/.exec(state.pin);
    if (index) {
      const [explanation] = await explain(index[1].split(',').map(Number));
      if (!explanation.error && typeof number(explanation.linear_index) === 'number') return number(explanation.linear_index);
    }
    const first = list(answer.linear_indices).reduce((least, position, n) =>
      answer.kinds[n] === 'ELEMENT' && position < least ? position : least, Infinity);
    return Number.isFinite(first) ? first : 0;
  };

  // An element that the window is to move to.
  let goal = null;

  const MOST_TRIES = 16;

  const askPicture = async (tries = 0) => {
    const {asked, width, first} = question();
    const rows = positionsOf(description) <= WHOLE_MEMORY_ROWS * width ? WHOLE_MEMORY_ROWS : MEMORY_ROWS;
    // Memory begins with the window's first position, unless it was moved.
    let answer = await ask('picture', {...asked, memory: {first: first ?? 0, count: width * rows}});
    if (answer.error) return answer;
    for (const [axis, key, window] of [['rows', 'rowFirst', 'row_window'], ['columns', 'columnFirst', 'column_window']]) {
      const {count, window: got} = answer[axis];
      if (number(count) > 0 && number(got.count) < asked[window].count && number(got.first) > 0) {
        state[key] = Math.max(0, count - asked[window].count);
        return askPicture(tries);
      }
    }
    if (goal !== null && tries < MOST_TRIES) {
      // A cell is no coordinate where there is padding between those.
      let isThere = true;
      for (const [axis, key] of [['rows', 'rowFirst'], ['columns', 'columnFirst']]) {
        const {dimension, coordinates, window, count} = answer[axis];
        if (dimension == null || list(coordinates).includes(goal[dimension])) continue;
        const nearest = list(coordinates).reduce((best, at, i) => at >= 0 &&
            Math.abs(at - goal[dimension]) < Math.abs(best.at - goal[dimension]) ? {at, i} : best, {at: Infinity, i: 0});
        // As many cells on as coordinates, which is never too far.
        const cell = Number.isFinite(nearest.at) ? number(window.first) + nearest.i + goal[dimension] - nearest.at
          : number(window.first) + number(window.count);
        const isBefore = nearest.at > goal[dimension] && Number.isFinite(nearest.at);
        const moved = Math.max(0, Math.min(isBefore ? cell - number(window.count) + 1 : cell, count - number(window.count)));
        if (moved !== state[key]) isThere = false;
        state[key] = moved;
      }
      if (!isThere) return askPicture(tries + 1);
    }
    if (first === null) {
      const anchor = await anchorOf(answer);
      const begin = anchor < width * rows ? 0 : Math.floor(anchor / width) * width - (state.pin ? 4 * width : 0);
      if (begin > 0) answer = await ask('picture', {...asked, memory: {first: begin, count: width * rows}});
    }
    answer.width = width;
    return answer;
  };

  async function refresh() {
    const turn = ++refreshTurn;
    remember();
    const described = exported ? exported.description : await ask('describe', {layout: state.text});
    if (turn !== refreshTurn) return;
    if (described.error) return showAtom(described.error, turn);
    root.classList.remove('is-drawing');
    description = described;
    family = familyOf(described);
    root.dataset.family = family;
    $('family').textContent = FAMILY_NAMES[family];
    if (describedText !== state.text) explanations.clear();
    describedText = state.text;
    // A saved page has no handles.
    const made = exported ? {} : await ask('parts', {layout: state.text});
    if (turn !== refreshTurn) return;
    let answer = exported ? {...exported.picture, width: exported.width} : await askPicture();
    if (turn !== refreshTurn) return;
    goal = null;
    if (answer.error && toHash(state) !== toHash({...state, rows: null, columns: null, index: []})) {
      // The view may be that of another text.
      resetView();
      answer = await askPicture();
      if (turn !== refreshTurn) return;
    }
    showHandles(made);
    $('sizes').replaceChildren(...ExplorerSizes.nodesOf(description));
    showLeaves();
    if (answer.error) return showError(answer.error, turn);
    clearError();
    picture = answer;
    picture.text = state.text;
    showView();
    cores.show(description);
    keepFocus('logical', showLogical, () => logicalCells);
    keepFocus('memory', showMemory, () => memoryCells);
    showLegend();
    await showThreads(turn);
    if (turn !== refreshTurn) return;
    await restoreSelection(turn);
  }

  let atomText = null;  // of the atom that was drawn last

  // An atom is drawn, and nothing else is said of it.
  async function showAtom(error, turn) {
    if (exported) return showError(error, turn);
    const shown = {...state, shows: 'THREADS', tile: '', data: '', bytes: null};
    const answer = await threads.answerOf(shown, true);
    if (turn !== refreshTurn) return;
    // What is wrong with a control stands beside it.
    if (answer.error && atomText !== state.text) return showError(error, turn);
    atomText = state.text;
    clearError();
    picture = null;
    root.classList.add('is-drawing');
    $('family').textContent = 'CuTe atom';
    $('leaves').hidden = true;
    threads.show(shown, true, answer);
  }

  // Below the cores, what is chosen of a CuTe layout.
  async function showThreads(turn) {
    if (exported) return;
    if (family !== 'cute') return threads.hide();
    const answer = await threads.answerOf(state, false);
    if (turn === refreshTurn) threads.show(state, false, answer);
  }

  // -- Errors ------------------------------------------------------------------------

  const clearError = () => {
    $('error').hidden = true;
    root.classList.remove('has-error', 'is-stale', 'is-blank');
    $('text').setAttribute('aria-invalid', 'false');
  };

  const showError = async (error, turn) => {
    const box = $('error');
    const parts = [];
    if (error.position?.excerpt) parts.push(make('pre', {}, error.position.excerpt));
    const at = error.position ? `Column ${number(error.position.column)}: ` : '';
    parts.push(make('p', {}, at + error.message));
    const read = error.code !== 'FAILED_PRECONDITION' || exported ? {} : await ask('parse', {text: state.text});
    if (read.kind === 'TENSOR') {
      const checked = await ask('check', {tensor: state.text});
      if (turn !== refreshTurn) return;
      const findings = [...list(checked.errors), ...list(checked.warnings)];
      if (findings.length > 0) {
        parts.splice(0, parts.length, make('p', {}, 'The layout does not fit its tensor:'),
            make('ul', {}, ...findings.map((finding) => make('li', {}, `${finding.rule}: ${finding.message}`))));
      }
      if (checked.memref) parts.push(make('p', {}, `The rules give ${checked.memref}.`));
    }
    box.replaceChildren(...parts);
    box.hidden = false;
    root.classList.add('has-error');
    root.classList.toggle('is-stale', picture !== null);
    root.classList.toggle('is-blank', picture === null);
    $('text').setAttribute('aria-invalid', 'true');
  };

  // A tuple has no picture, its arrays do.
  const showLeaves = () => {
    const leaves = onlyLeaf(description) ? [] : list(description.xla?.leaves).slice(0, 24);
    $('leaves').hidden = leaves.length === 0;
    $('leaves').replaceChildren('Its arrays: ', ...leaves.map((leaf) => make('button', {
      type: 'button', on: {click: () => setText(leaf.canonical, {keepsView: false})},
    }, leaf.canonical)));
  };

  // -- Handles -----------------------------------------------------------------------

  const handles = new ExplorerHandles.Rows($('handles-body'));
  const planes = new ExplorerHandles.Rows(make('div'));

  // What the handles of a tensor show. Intervals and alignments are typed.
  const tensorModel = ({tensor}, made) => {
    collapse = made.no_collapse ? '' : list(made.collapse_intervals).join(',') || collapse;
    return {...made, extent: list(tensor.extent), shard: list(tensor.shard), collapse, alignments: state.alignments};
  };

  // What was typed last, or what the map itself does.
  let collapse = '0,-1';

  // The parts of the text as it is now, which may be another than that which a
  // handle was made for.
  let parts = null;

  // Makes the parts the text.
  let formatTurn = 0;
  const format = (made) => busyWhile(async () => {
    const turn = ++formatTurn;
    const answer = await ask('parts', made);
    if (turn !== formatTurn) return;
    if (answer.error) return showError(answer.error, refreshTurn);
    setText(answer.canonical, {keepsView: true});
  });

  const formatTensor = ({extent, shard, ...from}) => {
    ({collapse} = from);
    state.alignments = from.alignments;
    const intervals = parseIntegers(from.collapse);
    const alignments = parseIntegers(from.alignments);
    if (intervals === null || alignments === null) {
      return showError({message: `${intervals === null ? from.collapse : from.alignments} is not a list of integers`}, refreshTurn);
    }
    const {collapse: typed, ...tensor} = from;
    return format({tensor: {...tensor, collapse_intervals: intervals, no_collapse: intervals.length === 0, alignments}});
  };

  const changeParts = (formatParts) => (edit) => {
    parts = structuredClone(parts);
    edit(parts);
    formatParts(parts);
  };

  const showHandles = (made) => {
    let groups = [];
    if (made.xla) {
      parts = made.xla;
      groups = ExplorerHandles.ofXla(parts, changeParts((xla) => format({xla})));
    } else if (made.cute) {
      parts = made.cute;
      groups = ExplorerHandles.ofCute(parts, changeParts((cute) => format({cute})));
    } else if (made.tensor) {
      parts = tensorModel(description, made.tensor);
      groups = ExplorerHandles.ofTensor(parts, changeParts(formatTensor));
    }
    $('handles').hidden = groups.length === 0;
    handles.show(groups);
  };

  // -- View --------------------------------------------------------------------------

  const viewPlanes = $('view-body').appendChild(make('div'));
  const viewIndex = $('view-body').appendChild(planes.body);
  viewIndex.className = 'live';

  const showView = () => {
    const bounds = boundsOf(description) ?? [];
    const name = family === 'cute' ? 'mode' : 'dim';
    const {rows, columns} = picture;
    const drawn = [rows.dimension, columns.dimension];
    const row = (label, key, properties, choices) => make('div', {className: 'row live'},
        make('span', {className: 'label'}, label),
        make('select', {id: `view-${key}`, 'aria-label': label, ...properties}, ...choices));
    const pick = (label, key, other) => row(label, key, {
      on: {change: (event) => {
        const to = Number(event.target.value);
        const from = {rows: rows.dimension, columns: columns.dimension};
        // Both change places rather than be one.
        state[other] = to === from[other] ? from[key] : from[other];
        state[key] = to;
        Object.assign(state, {rowFirst: 0, columnFirst: 0, memoryFirst: null});
        schedule();
      }},
    }, options(bounds.map((bound, i) => [i, `${name} ${i}, of ${grouped(bound)}`]), {rows, columns}[key].dimension));
    const select = (label, key) => row(label, key, {
      on: {change: (event) => {
        state[key] = Number(event.target.value);
        if (key === 'memoryWidth') state.memoryFirst = null;
        schedule();
      }},
    }, options(CHOICES[key], state[key]));
    const path = make('input', {type: 'checkbox', id: 'view-path', checked: state.path, on: {change: () => {
      state.path = path.checked;
      remember();
      drawPath();
    }}});
    const focused = document.activeElement?.id;
    viewPlanes.replaceChildren(
        ...(bounds.length > 1 ? [pick('rows', 'rows', 'columns'), pick('columns', 'columns', 'rows')] : []),
        select('window', 'size'), select('memory', 'memoryWidth'),
        make('div', {className: 'row'}, path, make('label', {htmlFor: 'view-path', style: ''}, 'Draw memory order')));
    viewPlanes.querySelector('label[for="view-path"]').style.width = 'auto';
    if (focused?.startsWith('view-')) $(focused)?.focus();
    const others = bounds.map((bound, i) => [bound, i]).filter(([, i]) => !drawn.includes(i));
    planes.show(others.length === 0 ? [] : [{
      title: 'The others are held at',
      rows: others.map(([bound, i]) => ({
        key: `index${i}`, label: `${name} ${i}`, name: `Index of ${name} ${i}`, value: list(picture.index)[i] ?? 0, minimum: 0,
        maximum: Math.max(0, bound - 1),
        set: (value) => {
          const index = bounds.map((_, j) => list(picture.index)[j] ?? 0);
          index[i] = Math.min(Math.max(0, value), Math.max(0, bound - 1));
          state.index = index;
          state.memoryFirst = null;
          schedule();
        },
      })),
    }]);
  };

  // -- The two sides -----------------------------------------------------------------

  let logicalCells = [];
  let memoryCells = [];
  let cellsAt = new Map();   // by position
  let placeAt = new Map();

  const indexAt = (n) => {
    const {rows, columns} = picture;
    const across = number(columns.window.count);
    const index = list(picture.index).slice();
    if (rows.dimension != null) index[rows.dimension] = rows.coordinates[Math.floor(n / across)];
    if (columns.dimension != null) index[columns.dimension] = columns.coordinates[n % across];
    return index;
  };

  const selectionOfCell = (n) => {
    const kind = picture.kinds[n];
    return {position: picture.linear_indices[n], kind, index: kind === 'ELEMENT' ? indexAt(n) : null, cell: n};
  };
  const selectionOfPlace = (place) => ({
    position: number(place.linear_index), kind: place.kind ?? 'ELEMENT',
    index: (place.kind ?? 'ELEMENT') === 'ELEMENT' ? list(place.index) : null, cell: place.cell,
  });

  const lineClasses = (at, axis, extent, name) => {
    const levels = list(picture.levels);
    const cell = at + number(axis.phase);
    if (at === 0 && levels.length === 0) return [`${name}1`];
    if (levels.length > 0 && cell % number(levels[0][extent]) === 0) return [`${name}2`];
    return levels.some((level) => cell % number(level[extent]) === 0) ? [`${name}1`] : [];
  };

  const ends = (cell, axis, extent) => {
    const levels = list(picture.levels);
    const isTile = levels.length > 0 &&
        ((cell + 1 + number(axis.phase)) % number(levels[0][extent]) === 0 || cell + 1 === number(axis.count));
    return isTile ? 2 : 1;
  };

  const gridOf = (side, label, columnCount, axisWidth, cellWidth, roomy) => {
    const grid = make('div', {className: roomy ? 'cells roomy' : 'cells', role: 'grid', 'aria-label': label});
    const width = roomy ? Math.max(ROOMY_PX, cellWidth * 1.2) : cellWidth;
    grid.style.gridTemplateColumns = `${axisWidth + (roomy ? 4 : 0)}px repeat(${columnCount}, ${width}px)`;
    grid.dataset.side = side;
    return grid;
  };

  // The cells are made anew; what had the focus has it again.
  const keepFocus = (side, draw, cells) => {
    const focused = $(side).contains(document.activeElement) ? document.activeElement.dataset.n : undefined;
    draw();
    const cell = cells()[focused];
    if (cell) focusCell(cell);
  };

  // Rows are there for assistive technology; their cells lie in the grid.
  const rowOf = (cells) => {
    const row = make('div', {role: 'row'}, ...cells);
    row.style.display = 'contents';
    return row;
  };

  const showLogical = () => {
    const {rows, columns} = picture;
    const [top, left] = [number(rows.window.first), number(columns.window.first)];
    const [down, across] = [number(rows.window.count), number(columns.window.count)];
    const name = family === 'cute' ? 'mode' : 'dim';
    const longest = list(picture.linear_indices).reduce((most, position) => Math.max(most, String(position).length), 1);
    const tall = [...list(rows.coordinates), ...list(columns.coordinates)].reduce((most, at) => Math.max(most, String(at).length), 1);
    const least = Math.max(widthOf(longest), widthOf(tall) - 4);
    const roomy = isRoomy($('logical'), down, across, least);
    const grid = gridOf('logical', 'Array', across, widthOf(tall) - 2, least, roomy);
    const coordinate = (axis, i) => axis.coordinates[i] < 0 ? '·' : String(axis.coordinates[i]);
    const lines = [rowOf([make('span', {className: 'axis top'}), ...Array.from({length: across}, (_, j) => make(
        'span', {className: 'axis top', role: 'columnheader'}, coordinate(columns, j)))])];
    logicalCells = [];
    cellsAt = new Map();
    for (let i = 0; i < down; ++i) {
      const cells = [make('span', {className: 'axis', role: 'rowheader'}, rows.dimension == null ? '' : coordinate(rows, i))];
      for (let j = 0; j < across; ++j) {
        const n = i * across + j;
        const position = picture.linear_indices[n];
        const kind = picture.kinds[n];
        const isNothing = position === -1;
        const classes = ['c', ...lineClasses(top + i, rows, 'rows', 'top'), ...lineClasses(left + j, columns, 'columns', 'left')];
        if (isNothing) classes.push('nothing');
        else classes.push(`t${number(list(picture.colors)[n])}`);
        if (!isNothing && kind !== 'ELEMENT') classes.push('pad', KINDS[kind].mark);
        if (j === across - 1) classes.push('end-right', `right${ends(left + j, columns, 'columns')}`);
        if (i === down - 1) classes.push('end-bottom', `bottom${ends(top + i, rows, 'rows')}`);
        const node = make('div', {className: classes.join(' '), role: 'gridcell', tabIndex: -1},
            make('b', {}, isNothing ? '' : String(position)));
        node.setAttribute('aria-label', isNothing ? 'nothing'
          : `${kind === 'ELEMENT' ? `element ${indexText(indexAt(n))}` : KINDS[kind].name}, position ${position}`);
        node.dataset.n = n;
        cells.push(node);
        logicalCells.push(node);
        if (!isNothing) cellsAt.set(position, [...(cellsAt.get(position) ?? []), n]);
      }
      lines.push(rowOf(cells));
    }
    grid.append(...lines);
    const plane = make('div', {className: 'plane'}, grid);
    $('logical').replaceChildren(plane);
    if (number(picture.elements) === 0) $('logical').append(make('p', {className: 'note'}, 'The array has no elements.'));
    const described = rows.dimension == null
      ? (columns.dimension == null ? 'a single element' : `${name} ${columns.dimension} across`)
      : `${name} ${rows.dimension} down` + (columns.dimension == null ? '' : `, ${name} ${columns.dimension} across`);
    const held = list(picture.index).map((at, i) => [i, number(at)])
      .filter(([i]) => i !== rows.dimension && i !== columns.dimension)
      .map(([i, at]) => `, ${name} ${i} at ${at}`).join('');
    const isWhole = number(rows.count) === down && number(columns.count) === across;
    $('logical-sum').textContent = isWhole ? described + held
      : `${described}${held}; rows ${grouped(top)}–${grouped(top + down - 1)} of ${grouped(number(rows.count))}, ` +
        `columns ${grouped(left)}–${grouped(left + across - 1)} of ${grouped(number(columns.count))}`;
    showOverview(isWhole);
    if (logicalCells[0]) logicalCells[0].tabIndex = 0;
    drawPath();
  };

  const showMemory = () => {
    const memory = list(picture.memory);
    const width = picture.width;
    const first = memory.length ? number(memory[0].linear_index) : 0;
    const longest = memory.reduce((most, place) => Math.max(most, list(place.index).join().length), 1);
    const labels = String(first + memory.length).length;
    const roomy = isRoomy($('memory'), Math.ceil(memory.length / width), width, widthOf(longest));
    const grid = gridOf('memory', 'Memory', width, widthOf(labels), widthOf(longest), roomy);
    memoryCells = [];
    placeAt = new Map();
    const levels = list(picture.levels).length;
    const tileOf = (place) => levels > 0 && place?.cell != null ? picture.tiles[place.cell * levels] : undefined;
    const differ = (a, b) => tileOf(a) != null && tileOf(b) != null && tileOf(a) !== tileOf(b);
    for (let i = 0; i < memory.length; i += width) {
      const cells = [make('span', {className: 'axis', role: 'rowheader'}, String(memory[i].linear_index ?? 0))];
      for (let n = i; n < Math.min(i + width, memory.length); ++n) {
        const place = memory[n];
        const kind = place.kind ?? 'ELEMENT';
        const classes = ['c'];
        if (place.cell != null) classes.push(`t${number(list(picture.colors)[place.cell])}`);
        else if (kind === 'ELEMENT') classes.push('elsewhere');
        if (kind !== 'ELEMENT') classes.push('pad', KINDS[kind].mark);
        classes.push(n === 0 || n % width === 0 ? 'left1' : differ(place, memory[n - 1]) ? 'left2' : '');
        classes.push(n < width ? 'top1' : differ(place, memory[n - width]) ? 'top2' : '');
        if (n === memory.length - 1 || (n + 1) % width === 0) classes.push('end-right');
        if (n + width >= memory.length) classes.push('end-bottom');
        const text = kind === 'ELEMENT' ? list(place.index).join() || '()' : '';
        const node = make('div', {className: classes.join(' '), role: 'gridcell', tabIndex: -1}, make('b', {}, text));
        node.setAttribute('aria-label', `position ${number(place.linear_index)}, ` +
            `${kind === 'ELEMENT' ? `element ${indexText(list(place.index))}` : KINDS[kind].name}`);
        node.dataset.n = n;
        cells.push(node);
        memoryCells.push(node);
        placeAt.set(number(place.linear_index), n);
      }
      grid.append(rowOf(cells));
    }
    $('memory').replaceChildren(grid);
    const count = number(picture.position_count);
    if (picture.shares_positions) {
      $('memory').replaceChildren(make('p', {className: 'note'},
          'Elements may share a position, so a position does not determine an element. ' +
          'Point at an element to see the others at its position.'));
    } else if (memory.length === 0) {
      $('memory').append(make('p', {className: 'note'}, 'There are no positions.'));
    }
    const end = first + memory.length - 1;
    $('memory-sum').textContent = picture.shares_positions || memory.length === 0 ? '' : memory.length === count
      ? `${grouped(count)} positions` : `positions ${grouped(first)}–${grouped(end)} of ${grouped(count)}`;
    showMemoryOverview(first, memory.length, count);
    if (memoryCells[0]) memoryCells[0].tabIndex = 0;
  };

  // -- Overviews ---------------------------------------------------------------------

  const moveWindow = (rowFirst, columnFirst) => {
    const {rows, columns} = picture;
    const clamp = (first, axis) => Math.max(0, Math.min(first, number(axis.count) - number(axis.window.count)));
    const [row, column] = [clamp(rowFirst, rows), clamp(columnFirst, columns)];
    if (row === state.rowFirst && column === state.columnFirst) return false;
    Object.assign(state, {rowFirst: row, columnFirst: column, memoryFirst: null});
    schedule();
    return true;
  };
  const moveMemory = (first) => {
    const memory = list(picture.memory);
    const width = picture.width;
    const last = Math.max(0, Math.ceil(number(picture.position_count) / width) * width - MEMORY_ROWS * width);
    const to = Math.max(0, Math.min(Math.floor(first / width) * width, last));
    if (memory.length && to === number(memory[0].linear_index)) return false;
    state.memoryFirst = to;
    schedule();
    return true;
  };

  // Follows the pointer from where it goes down until it goes up.
  const onDrag = (node, move) => {
    const follow = (event) => {
      const box = node.getBoundingClientRect();
      move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    };
    node.addEventListener('pointerdown', (event) => {
      node.setPointerCapture(event.pointerId);
      follow(event);
    });
    node.addEventListener('pointermove', (event) => {
      if (node.hasPointerCapture(event.pointerId)) follow(event);
    });
  };
  onDrag($('logical-overview'), (x, y) => {
    const {rows, columns} = picture;
    moveWindow(Math.round(y * number(rows.count) - number(rows.window.count) / 2),
        Math.round(x * number(columns.count) - number(columns.window.count) / 2));
  });
  onDrag($('memory-overview'), (x) => moveMemory(x * number(picture.position_count) - MEMORY_ROWS * picture.width / 2));

  const showOverview = (isWhole) => {
    const box = $('logical-overview');
    box.hidden = isWhole;
    const moves = $('logical-moves');
    moves.replaceChildren();
    if (isWhole) return;
    const {rows, columns} = picture;
    const [high, wide] = [number(rows.count), number(columns.count)];
    const scale = Math.min(180 / wide, 64 / high);
    box.style.width = `${Math.max(60, wide * scale)}px`;
    box.style.height = `${Math.max(14, high * scale)}px`;
    const level = list(picture.levels)[0];
    const pitch = level ? [number(level.columns) * 100 / wide, number(level.rows) * 100 / high] : [100, 100];
    const isFine = pitch[0] < 2 || pitch[1] < 4;
    box.style.backgroundImage = level && !isFine
      ? ['right', 'bottom'].map((side) => `linear-gradient(to ${side}, var(--tile-line) 1px, transparent 1px)`).join() : '';
    // Percentages of a background count its own size out.
    const [width, height] = [parseFloat(box.style.width), parseFloat(box.style.height)];
    box.style.backgroundSize = `${width * pitch[0] / 100}px ${height * pitch[1] / 100}px`;
    const mark = make('i');
    mark.style.left = `${100 * number(columns.window.first) / wide}%`;
    mark.style.top = `${100 * number(rows.window.first) / high}%`;
    mark.style.width = `${100 * number(columns.window.count) / wide}%`;
    mark.style.height = `${100 * number(rows.window.count) / high}%`;
    box.replaceChildren(mark);
    const [top, left] = [number(rows.window.first), number(columns.window.first)];
    const [down, across] = [number(rows.window.count), number(columns.window.count)];
    moves.append(
        button('←', 'Columns before', () => moveWindow(top, left - across), left === 0),
        button('→', 'Columns after', () => moveWindow(top, left + across), left + across >= wide),
        button('↑', 'Rows before', () => moveWindow(top - down, left), top === 0),
        button('↓', 'Rows after', () => moveWindow(top + down, left), top + down >= high));
  };

  const showMemoryOverview = (first, shown, count) => {
    const box = $('memory-overview');
    const isWhole = shown >= count || picture.shares_positions;
    box.hidden = isWhole;
    $('memory-moves').replaceChildren();
    if (isWhole) return;
    const mark = make('i');
    mark.style.left = `${100 * first / count}%`;
    mark.style.width = `${100 * shown / count}%`;
    mark.style.top = mark.style.bottom = '-2px';
    box.replaceChildren(mark);
    $('memory-moves').append(
        button('↑', 'Positions before', () => moveMemory(first - shown), first === 0),
        button('↓', 'Positions after', () => moveMemory(first + shown), first + shown >= count));
  };

  // The elements in the order of memory, as a line through their cells.
  const drawPath = () => {
    const plane = $('logical').querySelector('.plane');
    if (!plane) return;
    plane.querySelector('svg')?.remove();
    if (!state.path) return;
    const points = list(picture.path).map((n) => {
      const cell = logicalCells[n];
      return [cell.offsetLeft + cell.offsetWidth / 2, cell.offsetTop + cell.offsetHeight / 2];
    });
    if (points.length === 0) return;
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('width', plane.offsetWidth);
    svg.setAttribute('height', plane.offsetHeight);
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(svg.namespaceURI, 'path');
    path.setAttribute('d', points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join(''));
    const start = document.createElementNS(svg.namespaceURI, 'circle');
    start.setAttribute('cx', points[0][0]);
    start.setAttribute('cy', points[0][1]);
    start.setAttribute('r', '4');
    svg.append(path, start);
    plane.append(svg);
  };

  // Both sides show the first place of a core.
  const cores = new ExplorerCores.Cores((position) => exported || !isPictureOfText() || busyWhile(async () => {
    state.memoryFirst = position;
    const answer = await ask('delinearize', {layout: state.text, linear_indices: [position]});
    if (list(answer.kinds)[0] === 'ELEMENT') {
      goal = list(answer.indices);
      state.index = goal.slice();
    }
    schedule();
  }));

  const threads = exported ? null : new ExplorerThreads.Threads(ask, (change) => {
    Object.assign(state, change);
    schedule();
  });

  // -- The readout -------------------------------------------------------------------

  const explanations = new Map();  // of elements of `describedText`, by their index
  const explain = (index) => {
    const key = index.join();
    if (!explanations.has(key)) {
      explanations.set(key, Promise.all([
        ask('explain', {layout: describedText, index}),
        family === 'tensor' ? ask('locate', {tensor: describedText, indices: index}) : null,
      ]));
    }
    return explanations.get(key);
  };

  let showTurn = 0;
  const facts = (rows) => $('facts').replaceChildren(...rows.filter(([, value]) => value !== '' && value != null).flatMap(
      ([name, value]) => [make('dt', {}, name), make('dd', {}, String(value))]));

  const tileText = (cell) => {
    const levels = list(picture.levels);
    if (cell == null || levels.length === 0) return '';
    return levels.map((level, i) =>
      `${number(level.rows)} × ${number(level.columns)}, number ${picture.tiles[cell * levels.length + i]} row by row`).join('; ');
  };

  const mark = () => {
    for (const node of document.querySelectorAll('.c.here, .c.same, .c.pinned')) node.classList.remove('here', 'same', 'pinned');
    for (const node of document.querySelectorAll('.axis.lit')) node.classList.remove('lit');
    if (!selection) return;
    const cells = cellsAt.get(selection.position) ?? [];
    for (const n of cells) {
      const isHere = selection.cell == null || n === selection.cell;
      logicalCells[n].classList.add(isHere ? 'here' : 'same');
      if (isHere && state.pin) logicalCells[n].classList.add('pinned');
      if (isHere) {
        const row = logicalCells[n].parentElement;
        row.firstElementChild.classList.add('lit');
        const header = row.parentElement.firstElementChild;
        header.children[n % number(picture.columns.window.count) + 1].classList.add('lit');
      }
    }
    const place = placeAt.get(selection.position);
    if (place != null) {
      memoryCells[place].classList.add('here');
      if (state.pin) memoryCells[place].classList.add('pinned');
      memoryCells[place].parentElement.firstElementChild.classList.add('lit');
    }
  };

  const select = (to) => busyWhile(async () => {
    const turn = ++showTurn;
    selection = to && {...to, text: picture.text};
    mark();
    cores.mark(to?.position);
    if (!to) {
      $('readout-heading').textContent = 'Point at a cell';
      $('readout-pin').textContent = '';
      facts([]);
      $('steps-heading').hidden = true;
      $('steps').replaceChildren();
      return;
    }
    const kind = KINDS[to.kind];
    $('readout-heading').textContent = to.index ? `Element ${indexText(to.index)}` : kind.name;
    $('readout-pin').textContent = state.pin ? 'pinned; Esc releases' : to.index ? '' : kind.text;
    const isOutside = picture.memory && !placeAt.has(to.position) && !picture.shares_positions;
    const common = [
      ['position', `${grouped(to.position)}${isOutside ? ', outside the window of memory' : ''}`],
      ['byte', byteText(description, to.position)],
      ['tile', tileText(to.cell ?? (cellsAt.get(to.position) ?? [])[0])],
    ];
    if (family === 'tensor' && !to.index && typeof to.position === 'number') {
      const cell = cores.cellOf(to.position);
      if (cell) common.push(['core', indexText(cell)]);
      common.push(['scalar of the shard', grouped(to.position % cores.places())]);
      common.push(['holds', description.tensor.oob_value]);
    }
    if (picture.shares_positions) {
      common.push(['shared by', `${(cellsAt.get(to.position) ?? []).length} elements of the window`]);
    }
    facts(common);
    if (!to.index) {
      $('steps-heading').hidden = true;
      $('steps').replaceChildren();
      return;
    }
    const [explanation, located] = await explain(to.index);
    if (turn !== showTurn) return;
    const location = located?.locations?.[0];
    if (location) {
      cores.mark(to.position, location);
      const tile = location.in_tile;
      facts([
        ...common.slice(0, 1),
        ['core', indexText(list(location.cell))],
        ['in its shard', indexText(list(location.offset))],
        ['tile', tile ? `${indexText(list(location.tile))}, row ${number(tile.row)}, column ${number(tile.column)}` : ''],
        ['face', tile ? `${number(tile.face)}, row ${number(tile.face_row)}, column ${number(tile.face_column)}` : ''],
        ['byte of the shard', placeText(number(location.byte), number(location.bit))],
        ['exponent', location.exponent_byte == null ? '' : `byte ${grouped(location.exponent_byte)}`],
      ]);
    }
    $('steps-heading').hidden = false;
    $('steps').replaceChildren(explanation.error ? make('p', {className: 'note'}, explanation.error.message)
      : calculation(explainSteps(explanation, to.index), number(explanation.linear_index)));
  });

  const pin = (to) => {
    if (!to || to.position === -1) return;
    state.pin = to.index ? `e${to.index.join()}` : `p${to.position}`;
    remember();
    select(to);
    const isMissing = !exported && (to.index && !cellsAt.has(to.position) ||
        !picture.shares_positions && !placeAt.has(to.position));
    if (!isMissing) return;
    // Both sides come to show it.
    if (!placeAt.has(to.position)) state.memoryFirst = null;
    if (to.index && !cellsAt.has(to.position)) {
      goal = to.index;
      state.index = to.index.slice();
      if (state.memoryFirst === null) state.memoryFirst = number(picture.memory[0]?.linear_index);
    }
    schedule();
  };
  const unpin = () => {
    if (!state.pin) return;
    state.pin = '';
    remember();
    if (isPictureOfText()) return select(selection);
  };

  // What is pinned may have come with the link.
  const restoreSelection = async (turn) => {
    // What was pointed at is of another picture.
    if (selection?.text !== picture.text) select(null);
    const index = /^e([\d,]*)$/.exec(state.pin);
    const position = /^p(\d{1,15})$/.exec(state.pin);
    if (index) {
      const at = index[1] === '' ? [] : index[1].split(',').map(Number);
      const [explanation] = await explain(at);
      if (turn !== refreshTurn) return;
      if (explanation.error) {
        state.pin = '';
      } else {
        const to = number(explanation.linear_index);
        const cell = (cellsAt.get(to) ?? []).find((n) => indexAt(n).join() === at.join());
        return select({position: to, kind: 'ELEMENT', index: at, cell});
      }
    } else if (position) {
      const to = Number(position[1]);
      const n = placeAt.get(to);
      if (n != null) return select(selectionOfPlace(picture.memory[n]));
      const answer = await ask('delinearize', {layout: picture.text, linear_indices: [to]});
      if (turn !== refreshTurn) return;
      if (!answer.error) return select({position: to, kind: list(answer.kinds)[0] ?? 'ELEMENT', index: null});
      state.pin = '';
    }
    if (!selection) return;
    // What was pointed at is another cell of a window that has moved.
    const cell = (cellsAt.get(selection.position) ?? []).find((n) =>
      !selection.index || indexAt(n).join() === selection.index.join());
    return select({...selection, cell});
  };

  const selectionAt = (node) => {
    const cell = node.closest?.('.c[data-n]');
    if (!cell || !isPictureOfText()) return null;
    const n = Number(cell.dataset.n);
    const isLogical = cell.closest('.cells').dataset.side === 'logical';
    const to = isLogical ? selectionOfCell(n) : selectionOfPlace(picture.memory[n]);
    return to.position === -1 ? null : to;
  };

  const moveFocus = (side, from, key) => {
    const isLogical = side === 'logical';
    const cells = isLogical ? logicalCells : memoryCells;
    const across = isLogical ? number(picture.columns.window.count) : picture.width;
    const [right, down] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[key];
    const n = from + right + down * across;
    const [row, column] = [Math.floor(from / across) + down, from % across + right];
    const isInside = isLogical ? column >= 0 && column < across && row >= 0 && n < cells.length : n >= 0 && n < cells.length;
    if (isInside) return focusCell(cells[n]);
    // The window follows.
    const moved = isLogical
      ? moveWindow(number(picture.rows.window.first) + down, number(picture.columns.window.first) + right)
      : moveMemory(number(picture.memory[0].linear_index) + (n < 0 ? -across : across));
    if (moved) focusAfterRefresh = {side, n: isLogical ? from : n < 0 ? n + across : n - across};
  };
  let focusAfterRefresh = null;

  const focusCell = (cell) => {
    for (const other of cell.closest('.cells').querySelectorAll('.c[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
  };

  for (const side of ['logical', 'memory']) {
    const panel = $(side);
    panel.addEventListener('pointerover', (event) => {
      if (state.pin) return;
      const to = selectionAt(event.target);
      if (to) select(to);
    });
    panel.addEventListener('focusin', (event) => {
      if (state.pin || !event.target.matches(':focus-visible')) return;
      const to = selectionAt(event.target);
      if (to) select(to);
    });
    panel.addEventListener('click', (event) => {
      const to = selectionAt(event.target);
      if (!to) return;
      focusCell(event.target.closest('.c'));
      pin(to);
    });
    panel.addEventListener('keydown', (event) => {
      const cell = event.target.closest('.c[data-n]');
      if (!cell) return;
      if (event.key.startsWith('Arrow')) {
        event.preventDefault();
        moveFocus(side, Number(cell.dataset.n), event.key);
      } else if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        pin(selectionAt(cell));
      }
    });
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') unpin();
  });
  new MutationObserver(() => {
    if (root.dataset.state !== 'ready' || !focusAfterRefresh) return;
    const {side, n} = focusAfterRefresh;
    focusAfterRefresh = null;
    const cell = (side === 'logical' ? logicalCells : memoryCells)[n];
    if (cell) focusCell(cell);
  }).observe(root, {attributeFilter: ['data-state']});

  // -- Legend ------------------------------------------------------------------------

  const showLegend = () => {
    const kinds = new Set([...list(picture.kinds).filter((_, n) => picture.linear_indices[n] !== -1),
      ...list(picture.memory).map((place) => place.kind ?? 'ELEMENT')]);
    const item = (className, text) => make('li', {}, ...(className ? [make('i', {className: `swatch ${className}`})] : []), text);
    const items = [item('', 'Array cells show memory positions; memory cells show element indices.')];
    for (const [kind, {name, mark, text}] of Object.entries(KINDS)) {
      if (kind !== 'ELEMENT' && kinds.has(kind)) items.push(item(mark, `${name}: ${text}`));
    }
    for (const note of list(picture.legend)) {
      if (note.subject === 'TILES') items.push(item(number(note.level) === 0 ? 'thick' : 'thin', note.text));
      if (note.subject === 'NOTHING' || note.subject === 'SHARING') items.push(item('', note.text));
    }
    $('legend').replaceChildren(...items);
  };

  // -- Start -------------------------------------------------------------------------

  const start = () => {
    for (const [name, texts] of Object.entries(EXAMPLES)) {
      $('examples').append(make('optgroup', {label: name}, ...texts.map((text) => make('option', {value: text}, text))));
    }
    $('examples').prepend(make('option', {value: '', selected: true}, 'Examples'));
    $('examples').addEventListener('change', () => {
      if ($('examples').value) setText($('examples').value, {keepsView: false});
      $('examples').value = '';
    });
    $('text').addEventListener('input', () => setText($('text').value, {keepsView: false}));
    $('copy-link').addEventListener('click', async () => {
      remember();
      try {
        await navigator.clipboard.writeText(location.href);
        $('copied').textContent = 'copied';
      } catch {
        $('copied').textContent = 'it is in the address bar';
      }
    });
    // What fits is another number of cells.
    if (!exported) window.addEventListener('resize', schedule);
    window.addEventListener('hashchange', () => {
      if (location.hash === toHash(state)) return;
      state = fromHash(location.hash);
      if (!state.text) state.text = EXAMPLES.XLA[0];
      $('text').value = state.text;
      growText();
      schedule();
    });
    if (exported) {
      root.classList.add('is-export');
      state.text = exported.description.canonical;
      $('text').readOnly = true;
    }
    if (!state.text) state.text = EXAMPLES.XLA[0];
    $('text').value = state.text;
    growText();
    busyWhile(refresh);
  };
  start();
})();
