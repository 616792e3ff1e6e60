// The treemap of the groups.

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

// The groups of a tree as rectangles, two levels at a time.
function makeTreemapView({sortedChildren, valueOf, measure, noun}) {
  const GAP = 1;
  const body = byId('treemap-body');
  const tooltip = byId('tooltip');
  let whole = null, scope = null;

  // Children, largest first; those under `least` become one.
  function gather(node, least) {
    const sorted = sortedChildren(node);
    const small = sorted.findIndex((child) => valueOf(child) < least);
    if (small < 0 || sorted.length - small < 2) return sorted;
    const rest = sorted.slice(small);
    const merged = {name: `${count(rest.length)} smaller`, key: null, children: [], item: null, instructions: 0, unpadded: 0n, padded: 0n};
    for (const child of rest) {
      merged.instructions += child.instructions;
      merged.unpadded += child.unpadded;
      merged.padded += child.padded;
    }
    return [...sorted.slice(0, small), merged].sort((a, b) => valueOf(b) - valueOf(a));
  }
  const hasGroups = (node) => node.key !== null && node.children.length > 0;

  function showTooltip(event, title, node) {
    const padding = node.padded - node.unpadded;
    const row = (kind, name, value) => element('tr', {},
        element('th', {scope: 'row'}, kind === null ? null : element('i', {class: `key ${kind}`}), name),
        element('td', {}, bytes(value)), element('td', {}, exactBytes(value)));
    tooltip.replaceChildren(element('b', {}, ...title.map((line) => element('div', {}, line))),
        element('table', {}, ...(padding === 0n ? [] : [
          row('data', 'data', node.unpadded), row('padding', `padding, ${percent(padding, node.padded)}`, padding)]),
                row(null, 'in all', node.padded)),
        element('div', {}, quantity(node.instructions, noun())));
    tooltip.hidden = false;
    const {offsetWidth: width, offsetHeight: height} = tooltip;
    const left = event.clientX + 14 + width > innerWidth ? event.clientX - 14 - width : event.clientX + 14;
    const top = event.clientY + 14 + height > innerHeight ? event.clientY - 14 - height : event.clientY + 14;
    tooltip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }
  const hideTooltip = () => { tooltip.hidden = true; };

  const putAt = (node, {x, y, width, height}) => put(node, {left: x, top: y, width: Math.max(0, width), height: Math.max(0, height)});

  function cellNode(group, node, rectangle) {
    const across = rectangle.width > 2.5 * rectangle.height;
    const share = measure() === 'padded' && node.padded > 0n ? Number(node.padded - node.unpadded) / Number(node.padded) : 1;
    const padding = element('i', {});
    padding.style[across ? 'width' : 'height'] = `${100 * Math.max(0, Math.min(1, share))}%`;
    const cell = element('div', {class: across ? 'cell across' : 'cell'}, padding);
    const lines = Math.floor((rectangle.height - 4) / 14);
    const label = lines > 0 ? fitting(node.name, rectangle.width - 10, lines) : [];
    if (label.length > 0 && label.length < lines && rectangle.width >= 66) label.push(bytes(valueOf(node)));
    for (const line of label) cell.append(element('span', {}, line));
    const title = [...(group === null ? [] : [group.name]), node.name, ...(node.item?.shape ? [node.item.shape] : [])];
    cell.addEventListener('pointermove', (event) => showTooltip(event, title, node));
    cell.addEventListener('pointerleave', hideTooltip);
    const target = hasGroups(node) ? node : group;
    if (target !== null && hasGroups(target)) {
      cell.classList.add('opens');
      cell.addEventListener('click', () => setScope(target));
    }
    return putAt(cell, rectangle);
  }

  const inset = ({x, y, width, height}, by) => ({x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by});
  function cells(group, rectangle) {
    const leastArea = 36;
    const nodes = gather(group, (leastArea * valueOf(group)) / Math.max(1, rectangle.width * rectangle.height));
    return squarify(nodes.map(valueOf), rectangle).map((place, i) => cellNode(group, nodes[i], inset(place, GAP / 2)));
  }

  function groupNode(group, place) {
    const rectangle = inset(place, 1.5);
    const node = putAt(element('div', {class: 'group'}), rectangle);
    const head = rectangle.width >= 48 && rectangle.height >= 44 ? 21 : 0;
    const room = {x: 1, y: head + (head > 0 ? 0 : 1), width: rectangle.width - 4, height: rectangle.height - head - (head > 0 ? 3 : 4)};
    const opens = hasGroups(group);
    if (head > 0) {
      const label = fitting(group.name, rectangle.width - 90, 1)[0] ?? group.name;
      node.append(element('button', {type: 'button', title: group.name, disabled: opens ? null : '', onclick: () => setScope(group)},
          label, 7 * label.length + 80 < rectangle.width ? element('span', {}, bytes(valueOf(group))) : null));
    }
    if (head > 0 && opens) node.append(...cells(group, room));
    else node.append(cellNode(null, group, room));
    return node;
  }

  function drawPath() {
    const path = byId('treemap-path');
    path.replaceChildren();
    path.hidden = scope === whole;
    if (scope === whole) return;
    path.append(element('button', {type: 'button', class: 'quiet', id: 'treemap-back', onclick: () => setScope(parentOf(scope))}, '← Back'),
                ` ${scope.name}: ${bytes(scope.padded)}${paddingShare(scope)}, in ${quantity(scope.instructions, noun())}`);
  }
  function parentOf(node) {
    let parent = whole;
    for (let next = whole; next !== undefined && next !== node;) {
      parent = next;
      next = next.children.find((child) => child.item === null && (child === node || node.key.startsWith(`${child.key}/`)));
    }
    return parent;
  }

  function drawScope() {
    hideTooltip();
    const place = {x: 0, y: 0, width: body.clientWidth, height: body.clientHeight};
    drawPath();
    const groups = gather(scope, (220 * valueOf(scope)) / Math.max(1, place.width * place.height));
    body.replaceChildren(...squarify(groups.map(valueOf), place).map((rectangle, i) => groupNode(groups[i], rectangle)));
    if (groups.length === 0) body.append(element('p', {class: 'lead'}, 'There is no padding.'));
  }
  function setScope(node) {
    scope = node;
    address.set('scope', node === whole ? null : node.key);
    drawScope();
    byId('treemap-back')?.focus();
  }
  let width = 0;
  new ResizeObserver(onceAFrame(() => {
    if (body.clientWidth === width || whole === null) return;
    width = body.clientWidth;
    drawScope();
  })).observe(body);
  return {
    draw(newWhole) {
      whole = newWhole;
      scope = findNode(whole, address.get('scope') ?? '') ?? whole;
      width = body.clientWidth;
      drawScope();
    },
  };
}
