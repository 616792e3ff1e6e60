// Which arrays are new after which pass of the compiler, in the words of 'tessera hlo passes'.

const passText = ({pipeline, name}) => pipeline === '' ? name : `${pipeline}/${name}`;

// "since fusion/fusion", "was there since fusion/merge": the pass that made the arrays of a group of changes.
function sinceText({before_pass: before, after_pass: after}) {
  if (after === null) return before === null ? '' : `was there since ${passText(before)}`;
  const isOther = before !== null && passText(before) !== passText(after);
  return `since ${passText(after)}${isOther ? `, in the first since ${passText(before)}` : ''}`;
}
function tableOfRows(caption, heads, rows) {
  return element('div', {class: 'rows passes'}, element('table', {},
      element('caption', {class: 'hidden'}, caption),
      element('thead', {}, element('tr', {}, ...heads.map(
          ([head, kind]) => element('th', {scope: 'col', class: kind}, element('span', {class: 'head'}, head))))),
      element('tbody', {}, ...rows)));
}
const passArrayNodes = ({bytes: size, instruction, shape, opcode, source_line: line, op_name: op}) => [
  element('div', {class: 'shape'}, bytesNode(size), ` ${instruction} ${startOf(shape)} (${opcode})`),
  element('div', {class: 'source'}, [line, endOf(op)].filter((text) => text !== '').join(' · ')),
];

// `first` is the dump with which a module begins: it has nothing before it.
function tableOfPasses(passes, first = null) {
  const number = (head, value) => element('td', {class: 'number', 'data-head': head}, count(value));
  function rowOf(pass) {
    const {pass_name: name, new_arrays: arrays} = pass;
    const change = pass === first ? null : difference(pass.before_bytes, pass.bytes);
    const [largest, ...others] = arrays;
    return element('tr', {},
        element('td', {class: 'number', 'data-head': 'Dump'}, name.number === null ? '' : String(name.number)),
        element('td', {class: 'number'}, bytesNode(pass.bytes)),
        element('td', {class: 'number change', title: change === null ? null : exactBytes(change)}, change === null ? '' : signedBytes(change)),
        ...[['New', pass.new_count], ['Gone', pass.gone_count], ['Changed', pass.changed_count]].map(
            ([head, value]) => change === null ? element('td', {class: 'number'}) : number(head, value)),
        element('td', {class: 'name'}, element('div', {class: 'pass', title: name.file}, passText(name)),
                largest === undefined ? null : element('div', {class: 'new'}, Number(pass.new_count) > 1 ? 'largest new:' : 'new:', ...passArrayNodes(largest)),
                others.length === 0 ? null : element('details', {},
                    element('summary', {}, `${count(others.length)} more${Number(pass.new_count) > arrays.length ? `, of ${count(pass.new_count)} new` : ''}`),
                    ...others.flatMap(passArrayNodes))));
  }
  const changesArrays = (pass) => pass === first || [pass.new_count, pass.gone_count, pass.changed_count].some((value) => Number(value) > 0);
  const rows = [];
  let unchanged = 0;
  const addUnchanged = () => {
    if (unchanged > 0) rows.push(element('tr', {}, element('td', {class: 'none', colspan: 7},
        `${quantity(unchanged, 'dump')} ${unchanged === 1 ? 'changes' : 'change'} no array`)));
    unchanged = 0;
  };
  for (const pass of passes) {
    if (!changesArrays(pass)) { ++unchanged; continue; }
    addUnchanged();
    rows.push(rowOf(pass));
  }
  addUnchanged();
  return tableOfRows('Passes', [['Dump', 'number'], ['Bytes', 'number'], ['Change', 'number'], ['New', 'number'], ['Gone', 'number'],
                                ['Changed', 'number'], ['After the pass', 'name']], rows);
}

// Where two compilations part ways.
function nodesOfParting({before_dumps: before, after_dumps: after, before_alike: beforeAlike, after_alike: afterAlike,
                         before_next: beforeNext, after_next: afterNext}) {
  const alike = beforeAlike === null ? 'no two have the same arrays' :
    `the same arrays for the last time after ${[...new Set([passText(beforeAlike), passText(afterAlike)])].join(' and ')}`;
  const end = beforeNext === null && afterNext === null ? 'the last have the same arrays' : alike;
  const next = (side, pass) => pass === null ? [element('p', {class: 'lead'}, `${side}: no pass follows.`)] :
    [element('p', {class: 'lead'}, `${side}, next:`), tableOfPasses([pass])];
  return [
    element('h3', {}, 'Where the compilations part ways'),
    element('p', {class: 'lead'}, `${quantity(before, 'dump')} before, ${count(after)} after: ${end}.`),
    ...(beforeNext === null && afterNext === null ? [] : [...next('Before', beforeNext), ...next('After', afterNext)]),
  ];
}

function drawPasses() {
  const all = page.modules.filter((module) => module.passes !== null);
  const section = byId('passes');
  section.hidden = all.length === 0;
  const nodesOf = ({name, passes: {passes, arrays, array_count: total}}) => [
    element('p', {class: 'lead'}, `${moduleText(name)}: ${quantity(passes.length, 'dump')}. The bytes are those of all arrays, as if none shared memory.`),
    tableOfPasses(passes, passes[0]),
    element('h3', {}, `${quantity(total, 'array')} in the last dump${arrays.length < Number(total) ? `, the largest ${count(arrays.length)}` : ''}`),
    tableOfRows('Arrays', [['Bytes', 'number'], ['First in the dump after', null], ['Instruction', 'name']], arrays.map((array) => {
      const madeAs = array.made_as === array.instruction ? null : `as ${array.made_as} (${array.made_as_opcode})`;
      const changed = array.changed_by === null ? null : `changed by ${passText(array.changed_by)}`;
      return element('tr', {}, element('td', {class: 'number'}, bytesNode(array.bytes)),
          element('td', {class: 'what'}, passText(array.made_by)),
          element('td', {class: 'name'}, element('div', {class: 'shape'}, `${array.instruction} ${startOf(array.shape)} (${array.opcode})`),
              element('div', {class: 'source'},
                  [madeAs, changed, array.source_line, endOf(array.op_name)].filter((text) => text !== null && text !== '').join(' · '))));
    })),
  ];
  const draw = (modules) => byId('passes-body').replaceChildren(...modules.flatMap(nodesOf));
  if (selection.module() === null) draw(all);
  else selection.follow(() => draw(all.filter((module) => module === selection.module())));
}
