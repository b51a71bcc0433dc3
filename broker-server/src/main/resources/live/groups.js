// Consumer groups and how far behind they are.

import { byId, h, say } from './dom.js';
import { count, number, UNKNOWN } from './words.js';

/** Not more rows for one group; the API has the rest. */
const MOST_PARTITIONS = 100;

export class Groups {
  #root = byId('groups');
  #items = new Map();

  show(report) {
    const ids = report.groups.map((group) => group.id);
    if (ids.length === 0) {
      this.#items.clear();
      this.#root.replaceChildren(h('p', { class: 'notice' }, 'No consumer group has come yet.'));
      return;
    }
    if (ids.join('\n') !== [...this.#items.keys()].join('\n')) {
      const before = this.#items;
      this.#items = new Map(ids.map((id) => [id, before.get(id) ?? new Group(id)]));
      this.#root.replaceChildren(...[...this.#items.values()].map((item) => item.element));
    }
    report.groups.forEach((group) => this.#items.get(group.id).update(group));
  }
}

class Group {
  #state = h('span', { class: 'soft' });
  #lag = h('span', { class: 'group-lag' });
  #rows = h('tbody');
  #cells = new Map();
  element;

  constructor(id) {
    const table = h('table', {},
      h('caption', { class: 'unseen' }, `Partitions of group ${id}`),
      h('thead', {}, h('tr', {}, ...['Partition', 'Committed', 'HW', 'Lag'].map((title) => h('th', { scope: 'col' }, title)))),
      this.#rows);
    this.element = h('details', { class: 'group', 'data-group': id, open: true },
      h('summary', {}, h('h3', {}, id), this.#state, this.#lag), h('div', { class: 'wide' }, table));
  }

  update(group) {
    const members = group.members < 0 ? '' : ` · ${count(group.members, 'member')}`;
    say(this.#state, `${group.type} · ${group.state}${members} · coordinator ${number(group.coordinator)}`);
    say(this.#lag, `${number(group.lag)} behind`);
    const shown = group.partitions.slice(0, MOST_PARTITIONS);
    const keys = shown.map((each) => `${each.topic}-${each.partition}`);
    if (keys.join() !== [...this.#cells.keys()].join()) {
      this.#cells = new Map(keys.map((key) => [key, ['td', 'td', 'td'].map((tag) => h(tag, { class: 'number' }))]));
      this.#rows.replaceChildren(...[...this.#cells].map(([key, cells]) => h('tr', {}, h('th', { scope: 'row' }, key), ...cells)));
    }
    shown.forEach((each, i) => {
      const [committed, end, lag] = this.#cells.get(keys[i]);
      say(committed, number(each.committed));
      say(end, number(each.highWatermark));
      say(lag, each.lag === null ? UNKNOWN : number(each.lag));
    });
  }
}
