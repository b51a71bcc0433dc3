// Topics and their partitions; knows which of them are on screen.

import { Painter } from './bars.js';
import { Card } from './card.js';
import { byId, h, mark, say } from './dom.js';
import { count } from './words.js';

/** More partitions are not shown of themselves, and no stream takes more than 300. */
const FIRST_OPEN = 200;
const PAGE = 100;
const MOST_LIVE = 300;
/** A topic with more partitions has tiles unless the reader wants cards. */
const MOST_CARDS = 24;
/** So far outside the screen a partition is kept up to date. */
const MARGIN_PX = 120;
/** Writing numbers takes no more of a frame. */
const BUDGET_MS = 4;

/** The list of topics, each of which can be opened and closed. */
export class Topics {
  #sections = new Map();
  #states = new Map();
  #visible = new Set();
  #due = new Set();
  #frame = null;
  #painter = new Painter();
  #observer;
  #onVisible;
  #openPartition;
  #list = byId('topics');
  #filter = byId('filter');
  #internal = byId('internal');
  #size = byId('size');
  #opened = 0;
  #told = false;

  /** onVisible() is called when another set of partitions is on screen; openPartition(topic, partition) when one is to be explained. */
  constructor(onVisible, openPartition) {
    this.#onVisible = onVisible;
    this.#openPartition = openPartition;
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: `${MARGIN_PX}px 0px` });
    this.#filter.addEventListener('input', () => this.#choose());
    this.#internal.addEventListener('change', () => this.#choose());
    this.#size.value = remembered('size', 'auto');
    this.#size.addEventListener('change', () => {
      remember('size', this.#size.value);
      this.#sections.forEach((section) => section.fill(true));
    });
    this.#list.addEventListener('keydown', (event) => walk(event));
  }

  /** Keys of the partitions on screen. */
  get visible() {
    return [...this.#visible].slice(0, MOST_LIVE);
  }

  state(key) {
    return this.#states.get(key);
  }

  /** What /api/cluster says. */
  cluster(report) {
    this.#told = true;
    const names = new Set(report.topics.map((topic) => topic.name));
    for (const [name, section] of this.#sections) {
      if (!names.has(name)) {
        section.drop();
        this.#sections.delete(name);
      }
    }
    for (const [key, state] of this.#states) {
      if (!names.has(state.topic)) {
        this.#states.delete(key);
        this.#due.delete(key);
      }
    }
    let before = null;
    for (const topic of report.topics) {
      let section = this.#sections.get(topic.name);
      if (section === undefined) {
        const open = !topic.internal && this.#opened + topic.partitions <= FIRST_OPEN;
        this.#opened += open ? topic.partitions : 0;
        section = new Section(this, topic, open);
        this.#sections.set(topic.name, section);
        if (before === null) {
          this.#list.prepend(section.element);
        } else {
          before.after(section.element);
        }
      }
      section.update(topic);
      before = section.element;
    }
    this.#choose();
  }

  /** What the stream says of partitions; a hundred of them are written down over a few frames. */
  partitions(states) {
    for (const state of states) {
      const key = `${state.topic}-${state.partition}`;
      this.#states.set(key, state);
      this.#due.add(key);
    }
    this.#frame ??= requestAnimationFrame(() => this.#write());
  }

  #write() {
    const nowMs = performance.now();
    for (const key of this.#due) {
      this.#due.delete(key);
      const state = this.#states.get(key);
      this.#sections.get(state.topic)?.card(state.partition)?.update(state, nowMs);
      if (performance.now() > nowMs + BUDGET_MS) {
        break;
      }
    }
    this.#frame = this.#due.size === 0 ? null : requestAnimationFrame(() => this.#write());
  }

  card(topic, partition) {
    const size = this.#size.value;
    const isTile = size === 'tiles' || (size === 'auto' && topic.partitions > MOST_CARDS);
    const card = new Card(topic.name, partition, topic.replicationFactor, isTile, this.#painter, this.#openPartition);
    this.#observer.observe(card.element);
    const state = this.#states.get(card.key);
    if (state) {
      card.update(state, performance.now());
    }
    return card;
  }

  dropCard(card) {
    this.#observer.unobserve(card.element);
    card.drop();
    if (this.#visible.delete(card.key)) {
      this.#onVisible();
    }
  }

  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      target.card.setVisible(isIntersecting);
      if (isIntersecting) {
        this.#visible.add(target.card.key);
      } else {
        this.#visible.delete(target.card.key);
      }
    }
    this.#onVisible();
  }

  #choose() {
    const wanted = this.#filter.value.trim().toLowerCase();
    let shown = 0;
    for (const section of this.#sections.values()) {
      const fits = section.topic.name.toLowerCase().includes(wanted) && (this.#internal.checked || !section.topic.internal);
      section.element.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    const empty = byId('topics-empty');
    empty.hidden = shown > 0 || !this.#told;
    say(empty, wanted !== '' ? `No topic has “${this.#filter.value.trim()}” in its name.`
      : this.#sections.size === 0 ? 'There are no topics yet. Create one with any Kafka client and it appears here.'
        : 'There are only Kafka\'s own topics so far.');
  }
}

/** One topic. */
class Section {
  element;
  topic;
  #topics;
  #cards = new Map();
  #toggle;
  #facts = h('p', { class: 'topic-facts' });
  #state = h('span', { class: 'state' });
  #grid = h('div', { class: 'grid' });
  #more = h('button', { type: 'button', class: 'more', onclick: () => this.#showMore() });
  #limit = PAGE;

  constructor(topics, topic, open) {
    this.topic = topic;
    this.#topics = topics;
    const id = `topic-${topic.name}`;
    this.#grid.id = id;
    this.#toggle = h('button', { type: 'button', class: 'toggle', 'aria-expanded': String(open), 'aria-controls': id, onclick: () => this.#flip() },
      h('span', { class: 'topic-name', title: topic.name }, topic.name));
    this.element = h('section', { class: 'topic', 'aria-label': `Topic ${topic.name}` },
      h('header', {}, h('h3', {}, this.#toggle), this.#state, this.#facts), this.#grid, this.#more);
    this.fill(false);
  }

  card(partition) {
    return this.#cards.get(partition);
  }

  update(topic) {
    const other = topic.partitions !== this.topic.partitions || topic.replicationFactor !== this.topic.replicationFactor;
    this.topic = topic;
    say(this.#facts, [count(topic.partitions, 'partition'), count(topic.replicationFactor, 'replica') + (topic.partitions === 1 ? '' : ' each'),
      `minimum ISR ${topic.minInsyncReplicas}`].join(' · '));
    const how = topic.offline > 0 ? 'offline' : topic.underReplicated > 0 ? 'under' : 'well';
    mark(this.#state, 'data-state', how);
    say(this.#state, topic.offline > 0 ? `${topic.offline} offline` : topic.underReplicated > 0 ? `${topic.underReplicated} under-replicated` : 'all in sync');
    if (other) {
      this.fill(false);
    }
  }

  /** Makes the cards that are missing, or all of them anew. */
  fill(anew) {
    const open = this.#toggle.getAttribute('aria-expanded') === 'true';
    this.#grid.hidden = !open;
    const wanted = open ? Math.min(this.topic.partitions, this.#limit) : 0;
    for (const [partition, card] of this.#cards) {
      if (anew || partition >= wanted) {
        this.#topics.dropCard(card);
        card.element.remove();
        this.#cards.delete(partition);
      }
    }
    const fresh = [];
    for (let partition = 0; partition < wanted; partition++) {
      if (!this.#cards.has(partition)) {
        const card = this.#topics.card(this.topic, partition);
        card.button.tabIndex = partition === 0 ? 0 : -1;
        this.#cards.set(partition, card);
        fresh.push(card.element);
      }
    }
    this.#grid.append(...fresh);
    mark(this.#grid, 'class', this.#grid.firstElementChild?.className === 'tile' ? 'grid tiles' : 'grid');
    const left = this.topic.partitions - wanted;
    this.#more.hidden = !open || left <= 0;
    say(this.#more, `Show ${Math.min(left, PAGE)} more of ${count(left, 'partition')}`);
  }

  drop() {
    this.#cards.forEach((card) => this.#topics.dropCard(card));
    this.element.remove();
  }

  #flip() {
    mark(this.#toggle, 'aria-expanded', this.#toggle.getAttribute('aria-expanded') !== 'true' ? 'true' : 'false');
    this.fill(false);
  }

  #showMore() {
    this.#limit += PAGE;
    this.fill(false);
  }
}

/** Arrows, Home and End go from partition to partition of a topic; Tab goes past them. */
function walk(event) {
  if (!event.target.classList.contains('open')) {
    return;
  }
  const grid = event.target.closest('.grid');
  const buttons = [...grid.querySelectorAll('button.open')];
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length;
  const at = buttons.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || to < 0 || to >= buttons.length) {
    return;
  }
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[to].tabIndex = 0;
  buttons[to].focus();
}

function remembered(name, otherwise) {
  try {
    return localStorage.getItem(`highwater.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`highwater.${name}`, value);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}
