// Threads, banks and operations of CuTe layouts, as the service draws them: a
// picture beside which the page has what it shows, and where a click on a cell
// makes its thread stand out.

const ExplorerThreads = (() => {
  'use strict';

  const {$, make, options} = Dom;
  const {CHOICES, drawingOf} = ExplorerModel;

  // What has an effect on each kind of picture.
  const KEYS = {
    '': [], THREADS: ['color', 'thread', 'tile', 'data', 'bytes'], MEMORY: ['color', 'bytes'], OPERATIONS: [],
  };

  // The page's policy forbids styles within it, so that of the picture becomes
  // one of the page.
  const sheet = new CSSStyleSheet();
  const nodeOf = (svg) => {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    const style = parsed.querySelector('style');
    sheet.replaceSync(style.textContent);
    style.remove();
    return document.importNode(parsed, true);
  };

  class Threads {
    // `ask` asks the service, and `change` is told what is to change of the
    // state.
    constructor(ask, change) {
      this.ask = ask;
      this.change = change;
      this.controls = {};
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      $('threads-body').addEventListener('click', (event) => {
        // The text of a cell lies over it.
        const title = event.target.closest('.cell')?.querySelector('title')?.textContent;
        const thread = event.target.closest('[data-thread]')?.dataset.thread ?? /: T(\d+)/.exec(title ?? '')?.[1];
        if (thread === undefined) return;
        const isLit = this.controls.thread.value === thread;
        change({thread: isLit ? null : Number(thread)});
      });
      const select = (key, label) => this.add(key, label, make('select', {}, ...options(CHOICES[key], '')), (value) => value);
      select('shows', 'Show');
      select('color', 'color');
      const integer = (value) => /^\d{1,15}$/.test(value) ? Number(value) : null;
      this.add('thread', 'thread', make('input', {type: 'number', min: 0}), integer);
      this.add('tile', 'tile', make('input', {type: 'text', placeholder: '16x8'}), (value) => value);
      this.add('data', 'in memory', make('input', {type: 'text', placeholder: '(8,64):(64,1)'}), (value) => value);
      this.add('bytes', 'bytes', make('input', {type: 'number', min: 0}), integer);
    }

    add(key, label, control, read) {
      control.id = `threads-${key}`;
      control.addEventListener('change', () => this.change({[key]: read(control.value)}));
      this.controls[key] = control;
      $('threads-controls').append(make('div', {className: 'row'},
          make('label', {htmlFor: control.id}, label), control));
    }

    hide() {
      $('threads').hidden = true;
    }

    // How wide a picture may be, and that of an atom, which has the page alone.
    room(isAtom) {
      if (!isAtom) return $('threads-body').clientWidth;
      const {paddingLeft, paddingRight} = getComputedStyle(document.body);
      return Math.min(document.body.clientWidth, 1720) - parseFloat(paddingLeft) - parseFloat(paddingRight) - 30;
    }

    // The answer for this state; null if it shows nothing.
    async answerOf(state, isAtom) {
      if (!state.shows) return null;
      if (!isAtom) $('threads').hidden = false;
      return this.ask('picture', drawingOf(state, Math.floor(this.room(isAtom))));
    }

    show(state, isAtom, answer) {
      $('threads').hidden = false;
      const keys = isAtom ? ['color', 'thread'] : ['shows', ...KEYS[state.shows]];
      for (const [key, control] of Object.entries(this.controls)) {
        if (control !== document.activeElement) control.value = String(state[key] ?? '');
        control.parentElement.hidden = !keys.includes(key);
      }
      $('threads-body').replaceChildren(...(answer === null ? []
        : [answer.error ? make('p', {className: 'note'}, answer.error.message) : nodeOf(answer.drawing.svg)]));
    }
  }

  return {Threads};
})();
