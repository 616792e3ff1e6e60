// What changed, beside the dump that the page is compared with.

function drawChanges() {
  const section = byId('changes');
  section.hidden = page.changes === null;
  if (page.changes === null) return;
  const {before_file: beforeTitle, modules} = page.changes;
  byId('title').textContent = `${baseName(beforeTitle)} → ${baseName(page.title)}`;
  byId('title').title = `${beforeTitle} → ${page.title}`;
  // What has changed comes first, then what the program takes now.
  section.after(byId('verdict'), byId('tiles'), byId('notes'));

  // "f32[8]{0} → {0:S(1)}": what both shapes have in common stands there once.
  function shapesText({before_shape: before, after_shape: after, opcode}) {
    if (before === null || after === null) return before ?? after ?? `(within ${opcode})`;
    const brace = before.indexOf('{') + 1;
    return `${before} → ${brace > 0 && after.startsWith(before.slice(0, brace)) ? after.slice(brace - 1) : after}`;
  }
  // More to the right, less to the left.
  function diverging(change, scale) {
    const node = element('span', {class: 'diverging', 'aria-hidden': 'true'});
    if (change === 0) return node;
    const piece = element('i', {class: change > 0 ? 'grows' : 'shrinks'});
    piece.style.width = `${(50 * Math.abs(change)) / scale}%`;
    node.append(piece);
    return node;
  }
  const changeOf = (group) => difference(group.before_bytes, group.after_bytes);
  const each = (group) => difference(BigInt(group.before_bytes) / BigInt(group.count), BigInt(group.after_bytes) / BigInt(group.count));
  function rowOf(group, scale) {
    const change = changeOf(group);
    const where = [group.instruction, group.source_line].filter((text) => text !== '').join(' · ');
    return element('tr', {},
        element('td', {class: 'number change', title: exactBytes(change)}, signedBytes(change)),
        element('td', {class: 'bars'}, diverging(Number(change), scale)),
        element('td', {class: 'number'}, Number(group.count) === 1 ? '' : `${count(group.count)} × ${signedBytes(each(group))}`),
        element('td', {class: 'what'}, element('span', {class: `tag ${group.change}`}, group.change)),
        element('td', {class: 'name'},
                element('div', {class: 'shape', title: shapesText(group)}, startOf(shapesText(group))),
                element('div', {class: 'source', title: where}, startOf(where)),
                element('div', {class: 'source since'}, sinceText(group)),
                group.op_name === '' || group.op_name === group.instruction ? null :
                  element('div', {class: 'source', title: group.op_name}, endOf(group.op_name))));
  }
  function tableOf(caption, groups, total) {
    const FIRST_ROWS = 10;
    const scale = groups.reduce((most, group) => Math.max(most, Math.abs(Number(changeOf(group)))), 0);
    const body = element('tbody', {}, ...groups.slice(0, FIRST_ROWS).map((group) => rowOf(group, scale)));
    const foot = element('div', {class: 'more'});
    const drawFoot = (shown) => {
      const rest = Number(total) - shown;
      foot.hidden = rest === 0;
      foot.replaceChildren(element('span', {}, `and ${quantity(rest, 'smaller group')}`));
      if (shown === groups.length) return;
      foot.append(element('button', {type: 'button', class: 'quiet', onclick: () => {
        body.append(...groups.slice(shown).map((group) => rowOf(group, scale)));
        drawFoot(groups.length);
      }}, groups.length === Number(total) ? 'Show all' : `Show the largest ${count(groups.length)}`));
    };
    drawFoot(Math.min(FIRST_ROWS, groups.length));
    return [element('div', {class: 'rows'}, element('table', {},
        element('caption', {class: 'hidden'}, caption),
        element('thead', {}, element('tr', {}, ...[['Change', 'number'], ['', 'bars'], ['Arrays', 'number'], ['What', null], ['Array', 'name']].map(
            ([head, kind]) => element('th', {scope: 'col', class: kind}, element('span', {class: 'head'}, head))))),
        body)), foot];
  }
  function fromTo(before, after) {
    const change = difference(before, after);
    return [element('b', {title: exactBytes(change), class: change > 0n ? 'more-bytes' : change < 0n ? 'less-bytes' : null}, signedBytes(change)),
            ` ${bytes(before)} → ${bytes(after)}`];
  }

  // What the chosen memory space needs, before and after; of a module without peaks, the sums of all spaces.
  function factsOf(module, space) {
    const facts = element('dl', {class: 'tiles'});
    const fact = (name, before, after) => facts.append(element('div', {}, element('dt', {}, name), element('dd', {}, ...fromTo(before, after))));
    if (space !== undefined) {
      fact('Peak', space.before, space.after);
      fact('Reserved', space.reserved_before, space.reserved_after);
      if (space.assigned_before !== null && space.assigned_after !== null) fact('Assigned by XLA', space.assigned_before, space.assigned_after);
    }
    for (const {memory_space: name, before, after} of spacesOf(module.by_memory_space)) {
      if (space === undefined) fact(`All ${module.counted} in ${name}`, before.padded_bytes, after.padded_bytes);
      else if (name === space.memory_space) fact(`All ${module.counted}`, before.padded_bytes, after.padded_bytes);
    }
    return facts;
  }
  // The other memory spaces whose peak is another, those too that only the other dump has.
  const elsewhereText = (spaces, space) => spaces.filter((each) => each !== space && each.before !== each.after).map(
      ({memory_space: name, before, after}) => `${name}, ${signedBytes(difference(before, after))} (${bytes(before)} → ${bytes(after)})`).join('; ');

  function draw(module, spaceName) {
    const body = byId('changes-body');
    body.replaceChildren();
    const matched = module.matched_by_structure + module.matched_by_signature + module.matched_by_name;
    const spaces = spacesOf(module.peak_bytes);
    byId('changes-lead').textContent = module.before === null ? 'Only this dump has the module.' :
      `${quantity(matched, 'instruction')} in both, ${count(module.appeared)} new, ${count(module.vanished)} gone.`;
    const space = spaces.find((each) => each.memory_space === spaceName);
    body.append(factsOf(module, space));
    if (module.reason !== null) {
      const reason = module.reason.replace('assume_text_order', '--assume-text-order');
      body.append(element('p', {class: 'callout'}, `The peaks are not known. ${sentence(reason)}`));
    }
    const elsewhere = elsewhereText(spaces, space);
    if (elsewhere !== '') body.append(element('p', {class: 'lead elsewhere'}, `Other peaks that changed: ${elsewhere}.`));
    if (module.passes !== null) body.append(...nodesOfParting(module.passes));
    if (space !== undefined) {
      body.append(element('h3', {}, `At the peak in ${space.memory_space}`));
      if (space.groups.length === 0) body.append(element('p', {class: 'lead'}, 'The same arrays are at the peak.'));
      else body.append(...tableOf('Changes at the peak', space.groups, space.group_count));
    }
    body.append(element('h3', {}, `All ${module.counted}`));
    if (module.groups.length === 0) body.append(element('p', {class: 'lead'}, 'No array has changed.'));
    else body.append(...tableOf('All changes', module.groups, module.group_count));
  }
  const gone = modules.filter((module) => module.after === null);
  if (gone.length > 0) {
    section.append(element('p', {class: 'lead'}, `Only the other dump has ${gone.map((module) => module.before).join(', ')}.`));
  }
  const note = (text) => section.append(element('p', {class: 'lead'}, text));
  if (page.changes.before_reading?.diagnostic_count > 0) note('The other dump could not be read in full; only the parts that could be read are compared.');
  if (modules.some((module) => module.is_text_order_assumed)) {
    note('Assumed: if a module of either dump is not scheduled, its instructions run in the order of the text.');
  }
  // The modules of this dump are in the same order.
  const changeOfModule = (number) => modules.filter((module) => module.after !== null)[number];
  if (selection.module() !== null) {
    selection.follow(() => draw(changeOfModule(page.modules.indexOf(selection.module())), selection.timeline().memory_space));
  } else if (page.modules.length > 0) {
    draw(changeOfModule(0), '');
  } else {
    byId('changes-lead').textContent = 'This dump has no module.';
  }
}
