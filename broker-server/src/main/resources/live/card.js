// One partition: its numbers as text, its replicas' logs as bars.

import { Bars } from './bars.js';
import { h, mark, say } from './dom.js';
import { Scale } from './scale.js';
import { age, brokers, count, list, number, shortly, UNKNOWN } from './words.js';

/** Heights as live.css has them. */
const CARD = { rowPx: 26, thickPx: 12, ruler: true };
const TILE = { rowPx: 9, thickPx: 5, ruler: false };

/** A produce that waits for a shorter time is no news on a card. */
const PATIENCE_MS = 500;
/** In a tile. */
const TROUBLE = { offline: '✕ offline', below: '▲ below min', under: '▲ ISR' };

/** A partition's place in the page; its size does not depend on what it says. */
export class Card {
  element;
  key;
  #painter;
  #isTile;
  #title;
  #facts = {};
  #table;
  #rows = [];
  #isr;
  #note;
  #bars = null;
  #canvas;
  #scale = new Scale();
  #visible = false;
  /** What a tile has no room for. */
  #summary = '';

  /** open(topic, partition) shows everything there is to say about it. */
  constructor(topic, partition, replicas, isTile, painter, open) {
    this.key = `${topic}-${partition}`;
    this.#painter = painter;
    this.#isTile = isTile;
    this.#title = h('button', { type: 'button', class: 'open', onclick: () => open(topic, partition), 'aria-label': `Partition ${partition} of ${topic}` },
      isTile ? `${partition}` : `Partition ${partition}`);
    this.#facts.leader = h('span', { class: 'leader' }, UNKNOWN);
    this.#facts.hw = h('b', { 'data-of': 'hw' }, UNKNOWN);
    this.#facts.leo = h('b', { 'data-of': 'leo' }, UNKNOWN);
    this.#facts.open = h('span', { class: 'open-records', 'data-of': 'uncommitted' });
    this.#canvas = h('canvas', { 'aria-hidden': 'true' });
    this.#table = h('div', isTile ? { class: 'replicas' } : { role: 'table', class: 'replicas', 'aria-label': `Replicas of partition ${partition}` });
    this.#isr = h('span', { class: 'isr', 'data-of': 'isr' }, UNKNOWN);
    this.#note = h('span', { 'data-of': 'note' });
    const numbers = h('p', { class: 'facts' },
      h('span', { class: 'hw' }, h('abbr', { title: 'high watermark' }, 'HW'), ' ', this.#facts.hw), ' ',
      isTile ? null : h('span', { class: 'leo' }, h('abbr', { title: 'log end offset of the leader' }, 'LEO'), ' ', this.#facts.leo), ' ',
      isTile ? null : this.#facts.open);
    this.element = h('article', { class: isTile ? 'tile' : 'card', 'data-partition': this.key, 'data-state': 'waiting' },
      h('header', {}, h('h4', {}, this.#title), this.#facts.leader),
      numbers, this.#table, isTile ? '' : h('p', { class: 'note' }, this.#isr, this.#note));
    this.element.card = this;
    if (isTile) {
      this.element.addEventListener('pointerenter', () => mark(this.element, 'title', this.#summary));
    }
    this.#layOut(Array(replicas).fill(null));
  }

  get button() {
    return this.#title;
  }

  setVisible(visible) {
    this.#visible = visible;
    this.#bars?.setVisible(visible);
  }

  /** It leaves the page. */
  drop() {
    this.#painter.forget(this.#canvas);
  }

  /** What the broker says of it now. */
  update(state, nowMs) {
    if (state.replicas.length > 0 && state.replicas.map((each) => each.broker).join() !== this.#rows.map((row) => row.broker).join()) {
      this.#layOut(state.replicas.map((each) => each.broker));
    }
    const uncommitted = state.logEnd >= 0 && state.highWatermark >= 0 ? state.logEnd - state.highWatermark : -1;
    say(this.#facts.leader, this.#leader(state));
    say(this.#facts.hw, number(state.highWatermark));
    say(this.#facts.leo, number(state.logEnd));
    say(this.#facts.open, uncommitted > 0 ? `${number(uncommitted)} uncommitted` : uncommitted === 0 ? 'all committed' : '');
    const note = noteOf(state);
    mark(this.element, 'data-state', trouble(state) ?? 'well');
    if (this.#isTile) {
      this.#summary = `${this.key}: ${isrLine(state)}. ${note}`;
    } else {
      state.replicas.forEach((replica, i) => this.#rows[i]?.update(replica));
      say(this.#isr, isrLine(state));
      say(this.#note, note === '' ? '' : ` – ${note}`);
      mark(this.#note.parentElement, 'title', note === '' ? null : note);
    }
    this.#draw(state, nowMs);
  }

  #leader(state) {
    if (this.#isTile) {
      return TROUBLE[trouble(state)] ?? '';
    }
    return state.leader < 0 ? 'no leader' : `leader ${state.leader} · epoch ${state.leaderEpoch}`;
  }

  #draw(state, nowMs) {
    const ends = state.replicas.map((each) => each.logEnd).filter((end) => end >= 0);
    const end = Math.max(state.logEnd, ...ends, 0);
    const low = Math.min(end, state.highWatermark >= 0 ? state.highWatermark : end, ...ends);
    this.#scale.follow(low, end, nowMs);
    this.#bars.show({
      start: this.#scale.start,
      span: this.#scale.span,
      tick: this.#scale.tick,
      logStart: Math.max(0, state.logStart),
      // A leader that does not answer has told its followers how far it was.
      highWatermark: Math.max(state.highWatermark, ...state.replicas.map((each) => each.highWatermark)),
      isMarked: state.highWatermark >= 0,
      end: Math.max(state.logEnd, ...ends),
      rows: state.replicas.length > 0 ? state.replicas : this.#rows.map(() => ({ logStart: -1, logEnd: -1, highWatermark: -1 })),
    });
  }

  #layOut(ids) {
    if (this.#bars !== null) {
      this.#painter.forget(this.#canvas);
      const fresh = h('canvas', { 'aria-hidden': 'true' });
      this.#canvas.replaceWith(fresh);
      this.#canvas = fresh;
    }
    this.#rows = ids.map((id) => new Row(id));
    const head = h('div', { role: 'row', class: 'unseen' },
      ...['Broker', 'State', 'Log end offset', 'Behind the leader'].map((title) => h('span', { role: 'columnheader' }, title)));
    this.#table.replaceChildren(...(this.#isTile ? [] : [head, ...this.#rows.map((row) => row.element)]), this.#canvas);
    mark(this.element, 'data-replicas', ids.length);
    this.element.style.setProperty('--replicas', Math.max(ids.length, 1));
    this.#bars = new Bars(this.#canvas, this.#painter, this.#isTile ? TILE : CARD);
    this.#bars.setVisible(this.#visible);
  }
}

/** One replica's line. */
class Row {
  element;
  broker;
  #state = h('span', { role: 'cell', class: 'role' });
  #end = h('span', { role: 'cell', class: 'end' }, UNKNOWN);
  #lag = h('span', { role: 'cell', class: 'lag' });

  constructor(broker) {
    this.broker = broker;
    this.element = h('div', { role: 'row', class: 'replica', 'data-broker': broker ?? '' },
      h('span', { role: 'rowheader', class: 'broker' }, broker === null ? UNKNOWN : `${broker}`), this.#state, this.#end, this.#lag);
  }

  update(replica) {
    const role = replica.leading ? 'leader' : replica.inSync ? 'in sync' : 'out of ISR';
    mark(this.element, 'data-role', replica.leading ? 'leader' : replica.inSync ? 'in' : 'out');
    mark(this.element, 'data-known', String(replica.known));
    say(this.#state, role);
    mark(this.#state, 'title', replica.known ? null : 'this broker does not answer; what is here is what the leader knows');
    say(this.#end, number(replica.logEnd));
    say(this.#lag, replica.leading ? '' : replica.lagRecords > 0 ? `−${shortly(replica.lagRecords)}` : replica.lagRecords === 0 ? 'level' : replica.known ? '' : 'no answer');
  }
}

function isrLine(state) {
  if (state.assigned.length === 0) {
    return UNKNOWN;
  }
  const missing = state.assigned.filter((id) => !state.isr.includes(id));
  const who = missing.length === 0 ? `all ${state.assigned.length} in the ISR` : `ISR ${state.isr.join(', ') || 'empty'} of ${state.assigned.length}`;
  return `${who} · minimum ${number(state.minInsyncReplicas)}`;
}

function trouble(state) {
  if (state.leader < 0) {
    return 'offline';
  }
  if (state.isr.length < state.minInsyncReplicas) {
    return 'below';
  }
  return state.isr.length < state.assigned.length ? 'under' : null;
}

/** The most important things to say. */
function noteOf(state) {
  const said = [];
  if (state.error) {
    said.push(state.error);
  }
  for (const replica of state.replicas) {
    if (!replica.inSync && replica.reason) {
      said.push(`${replica.broker} is out: ${replica.reason}`);
    }
  }
  const waiting = state.waitingProduces.filter((each) => each.ageMs >= PATIENCE_MS);
  if (waiting.length > 0) {
    const oldest = waiting.reduce((a, b) => (a.ageMs > b.ageMs ? a : b));
    const whom = oldest.waitsFor.length > 0 ? brokers(oldest.waitsFor) : `${state.minInsyncReplicas} in-sync replicas`;
    said.unshift(`${count(waiting.length, 'produce')} wait${waiting.length === 1 ? 's' : ''} for ${whom}, ${age(oldest.ageMs)} so far`);
  }
  if (state.pendingAlterPartition) {
    said.push(`asks the controller for ISR ${list(state.pendingAlterPartition.isr)}`);
  }
  return said.join('; ');
}
