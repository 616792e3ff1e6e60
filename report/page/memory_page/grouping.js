// What takes the memory: the arrays at the peak, or all of them, as a tree of groups.

// "jit(f)/mlp/dot" as its scopes; a "/" between brackets is part of a name.
function scopesOf(opName) {
  const scopes = [];
  let depth = 0, begin = 0;
  for (let i = 0; i < opName.length; ++i) {
    const sign = opName[i];
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
    else if (sign === '/' && depth === 0) {
      scopes.push(opName.slice(begin, i));
      begin = i + 1;
    }
  }
  scopes.push(opName.slice(begin));
  return scopes.filter((scope) => scope !== '');
}

// Groups from the root to the one that holds the item.
function groupsOf(item, by) {
  if (by === 'opcode') return [item.opcode || 'no opcode'];
  if (by === 'source') {
    const found = /^(.*):(\d+)$/s.exec(item.source);
    return item.source === '' ? ['no source line'] : found === null ? [item.source] : [found[1], `line ${found[2]}`];
  }
  const scopes = scopesOf(item.op_name);
  return scopes.length === 0 ? ['no op_name', item.opcode || 'no opcode'] : scopes;
}

// Items: {label, shape, opcode, source, op_name, instructions, unpadded, padded}. Nodes: {name, key, children, item,
// instructions, unpadded, padded}; `key` tells siblings and their descendants apart, and is '' at the root.
function treeOf(items, by) {
  const makeNode = (name, key) => ({name, key, children: [], byName: new Map(), item: null, instructions: 0, unpadded: 0n, padded: 0n});
  const add = (node, item) => {
    node.instructions += item.instructions;
    node.unpadded += item.unpadded;
    node.padded += item.padded;
  };
  const whole = makeNode('', '');
  for (const item of items) {
    let node = whole;
    add(node, item);
    for (const name of groupsOf(item, by)) {
      let child = node.byName.get(name);
      if (child === undefined) {
        child = makeNode(name, `${node.key}/${name}`);
        node.byName.set(name, child);
        node.children.push(child);
      }
      node = child;
      add(node, item);
    }
    const leaf = makeNode(item.label, `${node.key}//${node.children.length}`);
    leaf.item = item;
    add(leaf, item);
    node.children.push(leaf);
  }
  join(whole);
  return whole;
}

// A group that holds one group, and nothing else, is one with it.
function join(node) {
  for (const child of node.children) {
    while (child.children.length === 1 && child.children[0].item === null) {
      const [only] = child.children;
      child.name = `${child.name}/${only.name}`;
      child.key = only.key;
      child.children = only.children;
    }
    join(child);
  }
}

const paddingShare = (node) => hasPadding ? `, ${percent(node.padded - node.unpadded, node.padded)} of it padding` : '';

function findNode(node, key) {
  if (node.key === key) return node;
  for (const child of node.children) {
    if (child.item !== null || !(key === child.key || key.startsWith(`${child.key}/`))) continue;
    const found = findNode(child, key);
    if (found !== null) return found;
  }
  return null;
}

function drawGroups() {
  const hasPeak = selection.module() !== null;
  let of = 'peak', by = 'op_name', measure = 'padded', view = 'tree';
  let whole = null;
  const valueOf = (node) => Number(measure === 'padded' ? node.padded : node.padded - node.unpadded);
  // Largest first.
  const sortedChildren = (node) => node.children.filter((child) => valueOf(child) > 0).sort((a, b) => valueOf(b) - valueOf(a));

  const itemsAtPeak = () => arraysAtPeak(selection.timeline()).map((array) => ({
    label: array.instruction, shape: shapeText(array), opcode: array.opcode, source: array.source_line ?? '', op_name: array.op_name ?? '',
    instructions: 1, unpadded: BigInt(dataBytes(array)), padded: BigInt(array.padded_bytes)}));
  const allItems = () => page.by_origin.map(({opcode, source_line: source, op_name, instructions, unpadded_bytes, padded_bytes}) => ({
    label: by === 'opcode' ? source || 'no source line' : source === '' || by === 'source' ? opcode : `${opcode} ${source}`,
    shape: '', opcode, source, op_name, instructions: Number(instructions), unpadded: BigInt(unpadded_bytes), padded: BigInt(padded_bytes)}));

  const tree = makeTreeView({sortedChildren, valueOf});
  const noun = () => of === 'peak' ? 'array' : 'instruction';
  const treemap = makeTreemapView({sortedChildren, valueOf, measure: () => measure, noun});
  const views = {tree, treemap};
  function draw() {
    const what = measure === 'padded' ? 'bytes' : 'bytes of padding';
    const share = paddingShare(whole);
    byId('groups-lead').textContent = whole.padded === 0n ? 'Nothing takes memory.' : of === 'peak' ?
      `${bytes(whole.padded)} in ${quantity(whole.instructions, 'array')} live at the peak in ` +
        `${selection.timeline().memory_space}${share}, by ${what}.` :
      `All ${counted} of the file as if none shared memory: ${bytes(whole.padded)}${share}, by ${what}.`;
    for (const name of Object.keys(views)) byId(`groups-${name}`).hidden = name !== view || whole.padded === 0n;
    views[view].draw(whole);
  }
  function rebuild() {
    whole = treeOf(of === 'peak' ? itemsAtPeak() : allItems(), by);
    draw();
  }
  const regroup = () => {
    address.set('scope', null);
    rebuild();
  };
  const parts = [
    keptChoice('of', 'Which arrays', hasPeak ? [['peak', 'At the peak'], ['all', `All ${counted}`]] : [['all', `All ${counted}`]],
               (value) => { of = value; regroup(); }),
    keptChoice('by', 'Grouped by', [['op_name', 'op_name'], ['opcode', 'Opcode'], ['source', 'Source']],
               (value) => { by = value; regroup(); }),
    keptChoice('bytes', 'Bytes', hasPadding ? [['padded', 'All bytes'], ['padding', 'Padding only']] : [['padded', 'All bytes']], (value) => { measure = value; draw(); }),
    keptChoice('view', 'View', [['tree', 'Tree'], ['treemap', 'Treemap']], (value) => { view = value; draw(); }),
  ];
  [of, by, measure, view] = parts.map((part) => part.kept);
  byId('groups-controls').append(...parts.filter((part) => part.group.children.length > 1).map((part) => part.group));
  if (hasPeak) selection.follow(rebuild);
  else rebuild();
}

// Rows that open. What is open is not kept in the address; the largest groups are open at first.
function makeTreeView({sortedChildren, valueOf}) {
  const FIRST_ROWS = 14, MOST_CHILDREN = 40;
  const body = byId('groups-rows');
  let open = new Set();
  let whole = null;

  // Opens the largest group until there are rows enough to look at.
  function openLargest() {
    open = new Set(['']);
    let rows = sortedChildren(whole).length;
    let closed = sortedChildren(whole).filter((node) => node.item === null);
    while (rows < FIRST_ROWS && closed.length > 0) {
      closed.sort((a, b) => valueOf(b) - valueOf(a));
      const node = closed.shift();
      const children = sortedChildren(node);
      if (rows + Math.min(children.length, MOST_CHILDREN) > 2 * FIRST_ROWS) continue;
      open.add(node.key);
      rows += children.length;
      closed.push(...children.filter((child) => child.item === null));
    }
  }

  function rowOf(node, depth) {
    const isGroup = node.item === null;
    const isOpen = open.has(node.key);
    const indent = element('span', {class: 'indent'});
    indent.style.width = `${Math.min(depth, 12) * 14}px`;
    const name = isGroup ?
      element('button', {type: 'button', title: node.name, 'aria-expanded': String(isOpen), onclick: () => {
        if (isOpen) open.delete(node.key);
        else open.add(node.key);
        drawRows();
        body.querySelector(`[data-key="${CSS.escape(node.key)}"] button`)?.focus();
      }}, element('i', {}, isOpen ? '▾' : '▸'), endOf(node.name)) :
      element('span', {class: 'leaf'}, node.name);
    const padding = node.padded - node.unpadded;
    return element('tr', {'data-key': node.key, class: isGroup ? 'group-row' : null},
        element('td', {class: 'name'}, element('div', {class: 'tree-name'}, indent,
            element('div', {}, name, node.item?.shape ? element('small', {class: 'shape'}, node.item.shape) : null))),
        element('td', {class: 'number'}, bytesNode(node.padded)),
        element('td', {class: 'number share'}, percent(valueOf(node), valueOf(whole))),
        hasPadding ? element('td', {class: 'number', title: exactBytes(padding)}, padding > 0n ? percent(padding, node.padded) : '') : null,
        element('td', {class: 'bars'}, bar(node.unpadded, node.padded, Number(whole.padded))));
  }
  function drawRows() {
    const rows = [];
    const addChildren = (node, depth) => {
      const children = sortedChildren(node);
      for (const child of children.slice(0, MOST_CHILDREN)) {
        rows.push(rowOf(child, depth));
        if (child.item === null && open.has(child.key)) addChildren(child, depth + 1);
      }
      const rest = children.slice(MOST_CHILDREN);
      if (rest.length === 0) return;
      const restBytes = rest.reduce((total, child) => total + child.padded, 0n);
      const indent = element('span', {class: 'indent'});
      indent.style.width = `${Math.min(depth, 12) * 14}px`;
      rows.push(element('tr', {class: 'none'},
          element('td', {class: 'name'}, element('div', {class: 'tree-name'}, indent, `${count(rest.length)} smaller`)),
          element('td', {class: 'number'}, bytesNode(restBytes)), element('td', {colspan: 3})));
    };
    addChildren(whole, 0);
    byId('groups-padding').hidden = !hasPadding;
    body.replaceChildren(...rows);
  }
  return {
    draw(newWhole) {
      if (whole !== newWhole) {
        whole = newWhole;
        openLargest();
      }
      drawRows();
    },
  };
}
