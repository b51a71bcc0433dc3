// The feed of what happened, with causes, and what a screen reader hears of it.

import { byId, h, mark, say } from './dom.js';
import { brokers, count, family, kind, time } from './words.js';

const MOST_KEPT = 1000;
const MOST_SHOWN = 150;
/** What many partitions do at the same moment is told as one. */
const TOGETHER_MS = 3000;
/** Nobody is spoken to more often. */
const QUIET_MS = 6000;

/** Newest first; what came twice, because a stream begins again, is told once. */
export class Events {
  #list = byId('events');
  #kinds = byId('event-kinds');
  #seen = new Set();
  #kept = [];
  #open;
  #told = [];
  #speakTimer = null;
  /** The latest item by what can be told together. */
  #groups = new Map();
  #begun = false;

  /** open(topic, partition) explains one. */
  constructor(open) {
    this.#open = open;
    this.#kinds.addEventListener('change', () => this.#all());
    this.#placeholder();
  }

  add(events) {
    const fresh = events.filter((event) => {
      const id = `${event.broker}:${event.number}:${event.wallMs}`;
      const isNew = !this.#seen.has(id);
      this.#seen.add(id);
      return isNew;
    });
    if (fresh.length === 0) {
      return;
    }
    this.#kept.push(...fresh);
    if (this.#kept.length > MOST_KEPT) {
      this.#kept = this.#kept.slice(-MOST_KEPT);
      this.#seen = new Set(this.#kept.map((event) => `${event.broker}:${event.number}:${event.wallMs}`));
    }
    const top = this.#list.scrollTop;
    const height = this.#list.scrollHeight;
    this.#show(fresh);
    if (top > 0) {
      this.#list.scrollTop = top + this.#list.scrollHeight - height;
    }
    if (this.#begun) {
      this.#speak(fresh.filter((event) => this.#fits(event)));
    }
    this.#begun = true;
  }

  /** What is known of one partition, newest first. */
  of(topic, partition) {
    return this.#kept.filter((event) => event.topic === topic && event.partition === partition).reverse();
  }

  #all() {
    this.#list.replaceChildren();
    this.#groups.clear();
    this.#show(this.#kept);
    this.#placeholder();
  }

  #placeholder() {
    if (this.#list.childElementCount === 0) {
      this.#list.append(h('li', { class: 'nothing' }, 'Nothing has happened yet.'));
    }
  }

  #fits(event) {
    const wanted = this.#kinds.value;
    return wanted === 'all' || family(event.kind) === wanted;
  }

  #show(events) {
    for (const event of events) {
      if (!this.#fits(event)) {
        continue;
      }
      const name = [event.kind, event.broker, event.removed, event.added].join(';');
      const group = this.#groups.get(name);
      if (group !== undefined && group.takes(event)) {
        group.add(event);
        continue;
      }
      this.#list.querySelector('.nothing')?.remove();
      const item = new Item(event, this.#open);
      this.#groups.set(name, item);
      this.#list.prepend(item.element);
    }
    if (this.#groups.size > MOST_SHOWN) {
      this.#groups.clear();
    }
    while (this.#list.childElementCount > MOST_SHOWN) {
      this.#list.lastElementChild.remove();
    }
  }

  #speak(events) {
    this.#told.push(...events);
    if (this.#speakTimer !== null || this.#told.length === 0) {
      return;
    }
    this.#speakTimer = setTimeout(() => {
      const last = this.#told[this.#told.length - 1];
      const rest = this.#told.length - 1;
      say(byId('announce'), `${last.topic}-${last.partition}: ${last.text}${rest > 0 ? `. And ${count(rest, 'event')} before it` : ''}`);
      this.#told = [];
      this.#speakTimer = setTimeout(() => {
        this.#speakTimer = null;
        this.#speak([]);
      }, QUIET_MS);
    }, 300);
  }
}

/** One event, or one thing that happened to many partitions. */
class Item {
  element;
  #wallMs;
  #partitions;
  #where = h('span', { class: 'soft' });

  constructor(event, open) {
    this.#wallMs = event.wallMs;
    this.#partitions = new Set([`${event.topic}-${event.partition}`]);
    this.element = h('li', { 'data-kind': event.kind, 'data-family': family(event.kind), 'data-loss': event.removed.length > 0 },
      h('p', { class: 'head' },
        h('time', { datetime: new Date(event.wallMs).toISOString() }, time(event.wallMs)), ' ',
        h('b', {}, kind(event)), ' ', h('span', { class: 'soft' }, brokers([event.broker])), ' ',
        h('button', { type: 'button', class: 'where', onclick: () => open(event.topic, event.partition) },
          h('span', { title: event.topic }, event.topic), `-${event.partition}`), ' ',
        this.#where),
      h('p', { class: 'text' }, event.text));
  }

  /** Whether this is told with it: at the same moment, of another partition. */
  takes(event) {
    return event.wallMs - this.#wallMs < TOGETHER_MS && !this.#partitions.has(`${event.topic}-${event.partition}`);
  }

  add(event) {
    this.#partitions.add(`${event.topic}-${event.partition}`);
    say(this.#where, `and ${count(this.#partitions.size - 1, 'other partition')}`);
    mark(this.#where, 'title', [...this.#partitions].slice(0, 50).join(', '));
  }
}
