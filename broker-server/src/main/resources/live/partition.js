// Everything there is to say about one partition, in a dialog.

import { byId, h, say } from './dom.js';
import { ask } from './stream.js';
import { age, count, kind, list, number, time } from './words.js';

const HISTORY_MS = 3000;
const MOST_EVENTS = 30;

export class PartitionDialog {
  #dialog = byId('partition');
  #body = byId('partition-body');
  #topic = null;
  #partition = null;
  #facts = h('dl', { class: 'figures' });
  #trouble = h('p', { class: 'note', role: 'status' });
  #replicas = h('div', { class: 'wide' });
  #waiting = h('div', { class: 'wide' });
  #changes = h('div', { class: 'wide' });
  #events = h('ol', { class: 'history' });
  #timer = null;
  #eventsOf;
  #onChange;

  /** eventsOf(topic, partition) tells what the feed knows; onChange() is called when another partition is looked at. */
  constructor(eventsOf, onChange) {
    this.#eventsOf = eventsOf;
    this.#onChange = onChange;
    byId('partition-close').addEventListener('click', () => this.#dialog.close());
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    this.#dialog.addEventListener('close', () => this.#closed());
    this.#body.append(this.#trouble, this.#facts, h('h3', {}, 'Replicas'), this.#replicas, h('h3', {}, 'Waiting produces'), this.#waiting,
      h('h3', {}, 'Who was out of the ISR'), this.#changes, h('h3', {}, 'Events'), this.#events);
  }

  /** Its key, or null. */
  get key() {
    return this.#topic === null ? null : `${this.#topic}-${this.#partition}`;
  }

  open(topic, partition) {
    this.#topic = topic;
    this.#partition = partition;
    say(byId('partition-title'), `${topic}-${partition}`);
    [this.#facts, this.#replicas, this.#waiting, this.#changes, this.#events].forEach((part) => part.replaceChildren());
    say(this.#trouble, '');
    if (!this.#dialog.open) {
      this.#dialog.showModal();
    }
    this.#onChange();
    ask(`/api/partitions/${encodeURIComponent(topic)}/${partition}`).then((state) => this.update(state), (failure) => say(this.#trouble, failure.message));
    this.#history();
  }

  update(state) {
    if (`${state.topic}-${state.partition}` !== this.key) {
      return;
    }
    say(this.#trouble, state.error ?? '');
    table(this.#facts, facts(state));
    rows(this.#replicas, 'Replicas', ['Broker', 'State', 'LEO', 'Its HW', 'Log start', 'Behind', 'Behind for', 'Last fetch', 'Why'],
      state.replicas.map((each) => [each.broker, each.leading ? 'leader' : each.inSync ? 'in the ISR' : 'out of the ISR', number(each.logEnd), number(each.highWatermark),
        number(each.logStart), each.leading ? '' : number(each.lagRecords), each.leading ? '' : age(each.lagMs), each.leading ? '' : age(each.lastFetchAgeMs),
        each.reason ?? (each.known ? '' : 'does not answer')]), 'There are none.');
    rows(this.#waiting, 'Waiting produces', ['Offset', 'For', 'Waits for'],
      state.waitingProduces.slice(0, 20).map((each) => [number(each.offset), age(each.ageMs),
        each.waitsFor.length > 0 ? `broker ${list(each.waitsFor)}` : `more in-sync replicas than ${state.isr.length}`]),
      'No produce waits for longer than 100 ms.');
    this.#showEvents();
  }

  async #history() {
    clearTimeout(this.#timer);
    const key = this.key;
    if (!document.hidden) {
      try {
        const { changes } = await ask(`/api/isr-changes?partition=${encodeURIComponent(key)}`);
        if (key === this.key) {
          rows(this.#changes, 'ISR changes', ['Broker', 'Removed', 'Out in all', 'Now', 'Last reason'],
            changes.map((each) => [each.broker, count(each.timesRemoved, 'time'), age(each.totalMsOut),
              each.outSinceWallMs === null ? 'in' : `out since ${time(each.outSinceWallMs)}`, each.lastReason ?? 'not known']),
            'Nobody, as far as the brokers remember.');
        }
      } catch (failure) {
        this.#changes.replaceChildren(h('p', { class: 'soft' }, failure.message));
      }
    }
    if (key !== null && key === this.key) {
      this.#timer = setTimeout(() => this.#history(), HISTORY_MS);
    }
  }

  #showEvents() {
    const events = this.#eventsOf(this.#topic, this.#partition).slice(0, MOST_EVENTS);
    const text = events.map((event) => `${event.broker}:${event.number}`).join();
    if (this.#events.shownEvents !== text || events.length === 0) {
      this.#events.shownEvents = text;
      this.#events.replaceChildren(...(events.length === 0 ? [h('li', { class: 'soft' }, 'Nothing among the latest events of the cluster.')]
        : events.map((event) => h('li', {}, h('time', {}, time(event.wallMs)), ` broker ${event.broker}, `, h('b', {}, kind(event)), `: ${event.text}`))));
    }
  }

  #closed() {
    clearTimeout(this.#timer);
    this.#topic = null;
    this.#partition = null;
    this.#onChange();
  }
}

function facts(state) {
  const pending = state.pendingAlterPartition;
  return [
    ['Leader', number(state.leader)], ['Leader epoch', number(state.leaderEpoch)], ['Partition epoch', number(state.partitionEpoch)],
    ['Log start', number(state.logStart)], ['High watermark', number(state.highWatermark)], ['Last stable offset', number(state.lastStableOffset)],
    ['Log end offset', number(state.logEnd)], ['ISR', state.isr.join(', ') || 'empty'], ['Assigned', state.assigned.join(', ') || 'nobody'],
    ['Minimum ISR', number(state.minInsyncReplicas)], ['ELR', state.elr.join(', ') || 'empty'], ['Last known ELR', state.lastKnownElr.join(', ') || 'empty'],
    ['AlterPartition', pending ? `asks for ${list(pending.isr)} since ${age(pending.sinceMs)}` : 'none under way'],
  ];
}

/** A list of terms that keeps its elements while its terms stay. */
function table(element, pairs) {
  if (element.childElementCount !== pairs.length) {
    element.replaceChildren(...pairs.map(([term]) => h('div', {}, h('dt', {}, term), h('dd'))));
  }
  pairs.forEach(([, text], i) => say(element.children[i].lastElementChild, text));
}

/** A table that keeps its cells while it has as many rows. */
function rows(element, caption, heads, values, otherwise) {
  if (values.length === 0) {
    if (element.firstElementChild?.tagName !== 'P') {
      element.replaceChildren(h('p', { class: 'soft' }, otherwise));
    }
    return;
  }
  let body = element.querySelector('tbody');
  if (body === null || body.childElementCount !== values.length) {
    body = h('tbody', {}, values.map(() => h('tr', {}, heads.map((head, i) => (i === 0 ? h('th', { scope: 'row' }) : h('td'))))));
    element.replaceChildren(h('table', {}, h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))), body));
  }
  values.forEach((cells, row) => cells.forEach((cell, column) => say(body.children[row].children[column], `${cell}`)));
}
