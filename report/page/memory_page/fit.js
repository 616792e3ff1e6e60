// Does it fit? The heading, what the program needs, and the memory of the device that the reader names.

// "16 GiB", "16G", "1e9" or "17179869184" as bytes; null for anything else. KiB, K and the like are powers of 1024, KB of 1000.
function bytesOfText(text) {
  const found = /^\s*(\d+(?:\.\d+)?(?:e\+?\d{1,2})?)\s*(?:([KMGTP])(iB|B)?|B)?\s*$/i.exec(text);
  if (found === null) return null;
  const [, number, unit, suffix] = found;
  const base = (suffix ?? '').toUpperCase() === 'B' ? 1000 : 1024;
  const size = Number(number) * (unit === undefined ? 1 : base ** ('KMGTP'.indexOf(unit.toUpperCase()) + 1));
  return size > 0 && size < 2 ** 60 ? Math.round(size) : null;
}

function drawSelectors() {
  const bar = byId('selectors');
  if (selection.scheduled.length > 1) {
    const select = element('select', {'aria-label': 'Module', onchange: () => selection.chooseModule(page.modules[select.value])});
    for (const module of selection.scheduled) {
      const number = page.modules.indexOf(module);
      select.append(element('option', {value: number}, (module.name || `module ${number}`) + (module.file === '' ? '' : ` · ${module.file}`)));
    }
    bar.append(select);
    selection.follow(() => { select.value = page.modules.indexOf(selection.module()); });
  }
  selection.follow(() => {
    byId('space-choice')?.remove();
    const spaces = selection.module().timelines;
    if (spaces.length < 2) return;
    const group = choice('Memory space', spaces.map((timeline) => [timeline, timeline.memory_space]), selection.timeline(),
                         selection.chooseSpace);
    group.id = 'space-choice';
    bar.append(group);
  });
}

function drawVerdict() {
  const input = byId('capacity');
  let needed = 0, padding = 0;
  function draw() {
    const text = input.value.trim();
    const capacity = bytesOfText(text);
    address.set('memory', capacity === null ? null : text);
    input.setAttribute('aria-invalid', String(text !== '' && capacity === null));
    const {memory_space: space} = selection.timeline();
    const left = capacity === null ? 0 : capacity - needed;
    const verdict = byId('verdict-text');
    verdict.className = capacity === null ? '' : left >= 0 ? 'fits' : 'over';
    const need = () => element('b', {title: exactBytes(needed)}, bytes(needed));
    const sentences = [];
    if (capacity === null) {
      sentences.push(element('span', {}, 'It needs ', need(), ` of ${space}. `,
                             text === '' ? 'Enter the device’s memory to check whether it fits.' :
                                           `“${text}” is not a size; write 16 GiB.`));
    } else if (left >= 0) {
      sentences.push(element('span', {}, element('strong', {}, 'It fits. '), 'It needs ', need(), ` of ${bytes(capacity)} of ${space}; `,
                             element('b', {title: exactBytes(left)}, bytes(left)), ' stay free.'));
    } else {
      sentences.push(element('span', {}, element('strong', {}, 'It does not fit. '), 'It needs ', need(),
                             ` of ${space}, `, element('b', {title: exactBytes(-left)}, bytes(-left)), ` more than ${bytes(capacity)}.`));
      if (padding >= -left) sentences.push(` Its padding, ${bytes(padding)}, is more than that.`);
    }
    verdict.replaceChildren(...sentences);
    const scale = Math.max(needed, capacity ?? 0, 1);
    const share = (value) => `${(100 * value) / scale}%`;
    const piece = (kind, value) => {
      const node = element('i', {class: value > 0 ? `${kind} some` : kind, title: exactBytes(Math.round(value))});
      node.style.width = share(value);
      return node;
    };
    const mark = element('u', {title: `the device has ${exactBytes(capacity ?? 0)}`});
    mark.style.left = share(capacity ?? 0);
    const beyond = element('s', {title: exactBytes(Math.max(0, -left))});
    beyond.style.left = share(capacity ?? 0);
    // Without a size, a full bar would read as a full memory.
    byId('gauge').hidden = capacity === null;
    byId('gauge').replaceChildren(piece('data', needed - padding), piece('padding', padding), ...(left < 0 ? [beyond] : []),
                                  ...(capacity === null ? [] : [mark]));
  }
  input.value = address.get('memory') ?? '';
  input.addEventListener('input', draw);
  selection.follow(() => {
    const timeline = selection.timeline();
    needed = Number(neededBytes(timeline));
    padding = Math.min(needed, Math.max(0, needed - Number(timeline.reserved_unpadded_bytes ?? timeline.peak_unpadded_bytes)));
    draw();
  });
}

function drawTiles() {
  const {modules} = page;
  const tiles = byId('tiles');
  tiles.replaceChildren();
  const tile = (name, value, ...below) =>
    tiles.append(element('div', {}, element('dt', {}, name), element('dd', {}, value, ...below)));
  const paddingTile = (name, whole, data, of) =>
    tile(name, element('span', {title: exactBytes(whole - data)}, percent(whole - data, whole)),
         element('small', {title: exactBytes(whole - data)}, `${bytes(whole - data)} ${of}`), bar(data, whole, Number(whole)));
  const timeline = selection.timeline();
  if (timeline !== null) {
    const {memory_space: space} = timeline;
    const peak = BigInt(timeline.peak_bytes);
    tile('Peak', bytesNode(peak), element('small', {}, `in use at one step in ${space}`));
    if (hasPadding) paddingTile('Padding at the peak', peak, BigInt(timeline.peak_unpadded_bytes), `in ${space}`);
    if (reservedBytes(timeline) !== null) {
      tile('Reserved', bytesNode(reservedBytes(timeline)), element('small', {}, `for the whole run in ${space}`));
    }
    if (timeline.assigned_bytes !== null) tile('Assigned', bytesNode(timeline.assigned_bytes), element('small', {}, `by XLA in ${space}`));
    if (Number(timeline.donated_result_bytes) > 0) {
      tile('Donated', bytesNode(timeline.donated_result_bytes), element('small', {}, `results in parameters of ${space}`));
    }
    if (Number(timeline.donatable_bytes) > 0) {
      tile('Could be donated', bytesNode(timeline.donatable_bytes), element('small', {}, 'parameters with the shape of a result'));
    }
    const scoped = selection.module().peak.scoped_vmem;
    if (Number(scoped?.largest_bytes ?? 0) > 0) {
      const limit = scoped.largest_limit_bytes === null ? '' : `of ${bytes(scoped.largest_limit_bytes)}, `;
      tile('Scoped VMEM', bytesNode(scoped.largest_bytes), element('small', {}, `${limit}${scoped.largest_instruction}`));
    }
  } else if (reasonForNoPeak !== '') {
    tile('Peak', 'not known', element('small', {}, reasonForNoPeak));
  }
  const padded = sum(modules, 'padded_bytes');
  const unpadded = sum(modules, 'unpadded_bytes');
  // The tiles before are about the module that is chosen.
  const ofAll = modules.length > 1 ? ` of ${count(modules.length)} modules` : '';
  tile(`All ${counted}${ofAll}`, bytesNode(padded), element('small', {}, 'if nothing were reused'));
  if (hasPadding) paddingTile(`Padding${ofAll}`, padded, unpadded, `of all ${counted}`);
  tile('Instructions', count(sum(modules, 'instructions')),
       element('small', {}, `in ${quantity(sum(modules, 'computations'), 'computation')}`));
}

function drawOrigin() {
  const chosen = selection.module();
  const isByXla = (chosen === null ? page.modules : [chosen]).some((module) => module.is_assigned_by_xla);
  byId('origin').textContent = isByXla ? 'The assignment and the map are XLA’s own; everything else is computed from the module.' :
    'Computed from the module; not XLA’s buffer assignment.';
}

function drawFit() {
  const {modules} = page;
  byId('title').textContent = baseName(page.title) || 'Untitled';
  byId('title').title = page.title;
  byId('module-name').textContent =
      modules.length === 0 ? 'no module' : modules.length === 1 ? modules[0].name : quantity(modules.length, 'module');
  for (const draw of [drawTiles, drawOrigin]) {
    if (selection.module() === null) draw();
    selection.follow(draw);
  }
  byId('verdict').hidden = selection.module() === null;
  if (selection.module() !== null) {
    drawSelectors();
    drawVerdict();
  }
  byId('counted').textContent = page.counts_buffers ?
    'Sums count every buffer as if none shared memory; XLA reuses memory. ' +
      'Results that reuse an operand’s buffer, and values inside a fusion, are not counted.' :
    'Sums count every result as if it had its own memory; XLA reuses and shares buffers.';
  for (const note of notes()) byId('notes').append(element('p', {}, note));
}

// Sentences on what the numbers take for granted or leave out.
function notes() {
  const notes = [];
  for (const file of page.files) {
    const note = (text) => notes.push(page.files.length > 1 ? `${file.file}: ${text}` : text);
    for (const {name, peak} of file.modules) {
      for (const {memory_space: space, map} of spacesOf(peak.by_memory_space)) {
        if (map === null || map.value_count === map.values.length) continue;
        note(`The map of ${space} has the ${count(map.values.length)} largest of ${quantity(map.value_count, 'value')}.`);
      }
      if (peak.reason !== null) {
        if (!peak.is_unscheduled) note(`${moduleText(name)} has no timeline: ${peak.reason}.`);
        continue;
      }
      if (peak.is_text_order_assumed) {
        note(`Assumed: the instructions of ${moduleText(name)}, which is not scheduled, run in the order of the text.`);
      }
      const unresolved = peak.unresolved + peak.unresolved_calls;
      if (unresolved > 0) note(`${moduleText(name)} has unresolved operands, aliases or calls: ${count(unresolved)}.`);
    }
    if (file.modules_without_entry > 0) {
      note(`All results are counted if no computation is marked ENTRY: in ${quantity(file.modules_without_entry, 'module')}.`);
    }
    const leftOut = (number, noun, what) => { if (number > 0) note(`Left out: ${quantity(number, noun)} ${what}.`); };
    leftOut(file.instructions_without_shape, 'instruction', 'without a shape');
    leftOut(file.skipped_arrays, 'array', 'with an unbounded dimension');
    if (file.diagnostic_count > 0) note('The file could not be read in full; only the parts that could be read are counted.');
    if (file.total.is_saturated) note('A sum is larger than 8 EiB and is shown as that.');
  }
  // Of many modules, the page has the timelines of those that need most.
  const undrawn = page.modules.filter(({peak}) => peak.steps > 0 && peak.step_instructions.length === 0).length;
  if (undrawn > 0) {
    notes.push(`The ${count(selection.scheduled.length)} modules that need the most memory have a timeline and a map. ${quantity(undrawn, 'smaller module')} ` +
               `${undrawn === 1 ? 'has' : 'have'} neither; 'tessera hlo peak FILE --html' draws them.`);
  }
  return notes;
}
