// What changed, beside the dump that the page is compared with.

function drawChanges() {
  const section = byId('changes');
  section.hidden = page.changes === null;
  if (page.changes === null) return;
  const {before_title: beforeTitle, modules} = page.changes;
  byId('before').textContent = `compared with ${beforeTitle}`;
  byId('before').hidden = false;

  // "f32[8]{0} → {0:S(1)}": what both shapes have in common stands there once.
  function shapesText({before_shape: before, after_shape: after}) {
    if (before === '' || after === '') return before || after || 'in what it calls';
    const brace = before.indexOf('{') + 1;
    return `${before} → ${brace > 0 && after.startsWith(before.slice(0, brace)) ? after.slice(brace - 1) : after}`;
  }
  // More to the right, less to the left.
  function diverging(change, scale) {
    const node = element('span', {class: 'diverging', 'aria-hidden': 'true'});
    const piece = element('i', {class: change > 0 ? 'grows' : 'shrinks'});
    piece.style.width = `${scale > 0 ? (50 * Math.abs(change)) / scale : 0}%`;
    node.append(piece);
    return node;
  }
  const changeOf = (group) => difference(group.before_bytes, group.after_bytes);
  const each = (group) => difference(BigInt(group.before_bytes) / BigInt(group.count), BigInt(group.after_bytes) / BigInt(group.count));
  function rowOf(group, scale) {
    const change = changeOf(group);
    return element('tr', {},
        element('td', {class: 'number change', title: exactBytes(change)}, signedBytes(change)),
        element('td', {class: 'bars'}, diverging(Number(change), scale)),
        element('td', {class: 'number'}, Number(group.count) === 1 ? '' : `${count(group.count)} × ${signedBytes(each(group))}`),
        element('td', {class: 'what'}, element('span', {class: `tag ${group.change}`}, group.change)),
        element('td', {class: 'name'},
                element('div', {class: 'shape'}, shapesText(group)),
                element('div', {class: 'source'}, [group.instruction, group.source_line].filter((text) => text !== '').join(' · ')),
                group.op_name === '' ? null : element('div', {class: 'source'}, group.op_name)));
  }
  function tableOf(caption, groups, total) {
    const scale = groups.reduce((most, group) => Math.max(most, Math.abs(Number(changeOf(group)))), 0);
    const rest = Number(total) - groups.length;
    return [element('div', {class: 'rows'}, element('table', {},
        element('caption', {class: 'hidden'}, caption),
        element('thead', {}, element('tr', {}, ...[['Change', 'number'], ['', 'bars'], ['Arrays', 'number'], ['What', null], ['Array', 'name']].map(
            ([head, kind]) => element('th', {scope: 'col', class: kind}, element('span', {class: 'head'}, head))))),
        element('tbody', {}, ...groups.map((group) => rowOf(group, scale))))),
      rest > 0 ? element('p', {class: 'more'}, `and ${quantity(rest, 'smaller group')}`) : null].filter((node) => node !== null);
  }
  const fromTo = (before, after) => [
    element('b', {title: exactBytes(difference(before, after)), class: difference(before, after) > 0n ? 'more-bytes' : 'less-bytes'},
            signedBytes(difference(before, after))),
    ` ${bytes(before)} → ${bytes(after)}`];

  function draw(module, spaceName) {
    const body = byId('changes-body');
    body.replaceChildren();
    if (module === undefined) {
      body.append(element('p', {class: 'lead'}, 'The other dump has no such module.'));
      return;
    }
    byId('changes-lead').textContent = module.before === null ? 'Only this dump has the module.' :
      `${quantity(module.matched, 'instruction')} in both, ${count(module.appeared)} new, ${count(module.vanished)} gone.`;
    const space = module.spaces.find((each) => each.memory_space === spaceName);
    if (space !== undefined) {
      const facts = element('dl', {class: 'tiles'});
      const fact = (name, before, after) => facts.append(element('div', {}, element('dt', {}, name), element('dd', {}, ...fromTo(before, after))));
      fact('Peak', space.peak_before, space.peak_after);
      fact('Reserved', space.reserved_before, space.reserved_after);
      if (Number(space.assigned_before) >= 0) fact('Assigned by XLA', space.assigned_before, space.assigned_after);
      body.append(facts, element('h3', {}, `At the peak in ${space.memory_space}`));
      if (space.groups.length === 0) body.append(element('p', {class: 'lead'}, 'The same arrays are at the peak.'));
      else body.append(...tableOf('Changes at the peak', space.groups, space.group_count));
    } else if (module.no_peak !== '') {
      body.append(element('p', {class: 'callout'}, `Peak: not known; ${module.no_peak}.`));
    }
    body.append(element('h3', {}, `All ${module.counted}`));
    if (module.groups.length === 0) body.append(element('p', {class: 'lead'}, 'No array has changed.'));
    else body.append(...tableOf('All changes', module.groups, module.group_count));
  }
  const gone = modules.filter((module) => module.after === null);
  if (gone.length > 0) {
    section.append(element('p', {class: 'lead'}, `Only the other dump has ${gone.map((module) => module.before).join(', ')}.`));
  }
  if (selection.module() === null) draw(modules.find((module) => module.after !== null), '');
  selection.follow(() => draw(modules.find((module) => module.after === page.modules.indexOf(selection.module())),
                              selection.timeline().memory_space));
}
