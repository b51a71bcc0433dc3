// Step mode: followers' fetches are held and let go by hand. Only there if the broker allows it.

import { byId, h, mark, say } from './dom.js';
import { ask } from './stream.js';
import { age, brokers } from './words.js';

const PERIOD_MS = 500;
/** A broker that has no step mode is not asked again soon. */
const OFF_PERIOD_MS = 15_000;

export class StepMode {
  #root = byId('step');
  #body = byId('step-body');
  #brokers = [];
  #said = h('p', { class: 'said', role: 'status' });
  #rows = new Map();
  #shape = '';
  #timer = null;
  #last = { enabled: false };
  #end = h('button', { type: 'button', onclick: () => this.#command('end', {}, 'Step mode has ended: nothing is held.') }, 'Let everything run');

  #onAnswer;

  /** onAnswer() is called whenever the broker has said whether it has step mode. */
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
    document.addEventListener('visibilitychange', () => !document.hidden && this.#look());
    this.#look();
  }

  cluster(report) {
    this.#brokers = report.brokers.map((broker) => broker.id);
    this.#show(this.#last);
  }

  async #look() {
    clearTimeout(this.#timer);
    if (document.hidden) {
      return;
    }
    let report = { enabled: false };
    try {
      report = await ask('/api/step');
      this.#show(report);
    } catch (failure) {
      say(this.#said, failure.message);
    }
    this.#onAnswer();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), report.enabled ? PERIOD_MS : OFF_PERIOD_MS);
  }

  #show(report) {
    this.#last = report;
    this.#root.hidden = !report.enabled;
    if (!report.enabled) {
      return;
    }
    const shape = this.#brokers.join();
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#rows = new Map(this.#brokers.map((id) => [id, this.#row(id)]));
      this.#body.replaceChildren(h('ul', {}, [...this.#rows.values()].map((row) => row.element)), h('div', { class: 'step-foot' }, this.#end, this.#said));
    }
    for (const [id, row] of this.#rows) {
      const holding = report.holding.filter((each) => each.follower === id);
      const held = report.held.filter((each) => each.follower === id);
      mark(row.element, 'data-held', held.length > 0 ? 'yes' : 'no');
      mark(row.element, 'data-holding', holding.length > 0 ? 'yes' : 'no');
      say(row.text, sentence(holding, held));
      row.hold.disabled = holding.length > 0;
      row.release.disabled = held.length === 0;
    }
    this.#end.disabled = report.holding.length === 0;
  }

  #row(id) {
    const text = h('span', { class: 'step-text' });
    const hold = h('button', { type: 'button', onclick: () => this.#hold(id) }, 'Hold', h('span', { class: 'unseen' }, ` fetches of broker ${id}`));
    const release = h('button', { type: 'button', class: 'strong', onclick: () => this.#command('release', { follower: id }, `One fetch of broker ${id} is on its way.`) },
      'Let one go', h('span', { class: 'unseen' }, ` of broker ${id}`));
    return { text, hold, release, element: h('li', { 'data-follower': id }, h('b', {}, `Broker ${id}`), text, h('span', { class: 'buttons' }, hold, release)) };
  }

  async #hold(follower) {
    for (const broker of this.#brokers.filter((id) => id !== follower)) {
      await this.#command('hold', { broker, follower }, `Fetches of broker ${follower} are held.`);
    }
  }

  async #command(verb, parameters, done) {
    try {
      await ask(`/api/step/${verb}?${new URLSearchParams(parameters)}`, { method: 'POST' });
      say(this.#said, done);
    } catch (failure) {
      say(this.#said, failure.message);
    }
    this.#look();
  }
}

function sentence(holding, held) {
  if (held.length > 0) {
    const first = held[0];
    const from = first.partitions.slice(0, 2).map((each) => `${each.topic}-${each.partition} from ${each.fetchOffset}`).join(', ');
    const more = first.partitions.length > 2 ? ` and ${first.partitions.length - 2} more` : '';
    return `its fetch waits at ${brokers(held.map((each) => each.leader))} for ${age(first.ageMs)}${from === '' ? '' : `, ${from}${more}`}`;
  }
  return holding.length > 0 ? 'its next fetch will be held' : 'fetches freely';
}
