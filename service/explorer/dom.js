// Elements of a page in fewer words.

const Dom = (() => {
  'use strict';

  const $ = (id) => document.getElementById(id);

  // Properties are those of the node, or else attributes; `on` has listeners.
  const make = (tag, properties = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name === 'on') {
        for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
      } else if (name in node) {
        node[name] = value;
      } else {
        node.setAttribute(name, value);
      }
    }
    node.append(...children);
    return node;
  };

  const options = (values, chosen) => values.map(([value, text]) =>
    make('option', {value, selected: String(value) === String(chosen)}, text));

  const button = (text, label, click, isDisabled = false) =>
    make('button', {type: 'button', 'aria-label': label, title: label, disabled: isDisabled, on: {click}}, text);

  // [{label, formula, value}], and what they come to.
  const calculation = (steps, total) => {
    const body = make('tbody', {}, ...steps.map(({label, formula, value}) => make('tr', {},
        make('td', {}, label), make('td', {}, formula), make('td', {}, value))));
    if (total !== undefined) {
      body.append(make('tr', {className: 'total'}, make('td', {}, 'position'), make('td', {}), make('td', {}, String(total))));
    }
    return make('table', {className: 'calculation'}, body);
  };

  return {$, make, options, button, calculation};
})();
