// The cores of a tensor: a box for each with what it allocates, its shard and
// what of that is valid.

const ExplorerCores = (() => {
  'use strict';

  const {$, make, calculation} = Dom;
  const {number, list, grouped, shardSteps, allocatedBox, coresOf} = ExplorerModel;

  const MOST = 192;

  class Cores {
    // `pick` is told the first position of a core that is clicked.
    constructor(pick) {
      this.pick = pick;
      this.tensor = null;
      this.nodes = [];
    }

    // How many positions a core has.
    places() {
      return number(this.tensor.position_count) / list(this.tensor.grid).reduce((product, size) => product * size, 1);
    }

    // The coordinates of the core of a position; undefined past those shown.
    cellOf(position) {
      return coresOf(this.tensor, MOST)[Math.floor(position / this.places())]?.cell;
    }

    // Of a DescribeResult; nothing of another family.
    show({tensor}) {
      $('cores').hidden = !tensor;
      this.tensor = tensor ?? null;
      this.nodes = [];
      if (!tensor) return;
      const cores = coresOf(tensor, MOST);
      const count = list(tensor.grid).reduce((product, size) => product * size, 1);
      const [high, wide] = allocatedBox(tensor);
      const shard = [1, ...list(tensor.shard)].slice(-2);
      const columns = list(tensor.grid).at(-1) ?? 1;
      const room = Math.max(26, Math.min(92, 560 / columns - 16));
      const scale = Math.min(room / wide, 42 / high);
      const px = (length, least = 0) => `${Math.max(least, length * scale)}px`;
      this.nodes = cores.map((core) => {
        const valid = [1, ...core.valid].slice(-2);
        const isEmpty = core.valid.some((size) => number(size) === 0);
        const box = make('div', {className: 'box tile-pad'});
        box.style.width = px(wide, 12);
        box.style.height = px(high, 10);
        const shardBox = make('i', {className: 'shard grid-pad'});
        shardBox.style.width = px(shard[1]);
        shardBox.style.height = px(shard[0]);
        const validBox = make('i', {className: `valid t${core.number % 6}`});
        validBox.style.width = px(isEmpty ? 0 : valid[1]);
        validBox.style.height = px(isEmpty ? 0 : valid[0]);
        box.append(shardBox, ...(isEmpty ? [] : [validBox]));
        const node = make('button', {
          type: 'button', className: 'core',
          'aria-label': `Core ${core.cell.join(', ')}: ${isEmpty ? 'empty' : `${core.valid.join(' by ')} valid`}`,
          on: {click: () => this.pick(core.number * this.places())},
        }, make('div', {}, make('b', {}, core.cell.join(',')), make('span', {}, isEmpty ? 'empty' : core.valid.join('×'))), box);
        node.dataset.core = core.number;
        return node;
      });
      const grid = make('div', {className: 'cores'}, ...this.nodes);
      grid.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
      $('cores-body').replaceChildren(grid, make('div', {className: 'why'}, make('h3', {}, 'Why'),
          calculation(shardSteps(tensor))));
      $('cores-sum').textContent = `${list(tensor.grid).join(' × ')} cores` +
          (count > cores.length ? `, the first ${cores.length} shown` : '') +
          `; ${grouped(number(tensor.bytes_per_shard))} bytes each` +
          (number(tensor.empty_cells) > 0 ? `; ${grouped(tensor.empty_cells)} hold nothing` : '');
    }

    // Shows which core a position is of and, by its TensorLocation, where there.
    mark(position, location) {
      for (const node of this.nodes) {
        node.classList.remove('here');
        node.querySelector('u')?.remove();
      }
      if (!this.tensor || typeof position !== 'number') return;
      const core = this.nodes[Math.floor(position / this.places())];
      if (!core) return;
      core.classList.add('here');
      if (!location) return;
      const offset = [0, ...list(location.offset)].slice(-2);
      const [high, wide] = allocatedBox(this.tensor);
      const dot = make('u');
      dot.style.left = `${100 * (offset[1] + 0.5) / wide}%`;
      dot.style.top = `${100 * (offset[0] + 0.5) / high}%`;
      core.querySelector('.box').append(dot);
    }
  }

  return {Cores};
})();
