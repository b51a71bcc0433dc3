// The brokers, and the cluster in numbers.

import { byId, h, mark, say } from './dom.js';
import { brokerState, count } from './words.js';

const SHAPES = { RUNNING: '●', FENCED: '■', SHUTTING_DOWN: '◐', UNREACHABLE: '✕' };

/** One line for each broker of the cluster. */
export class Brokers {
  #list = byId('brokers');
  #items = new Map();

  cluster(report) {
    say(byId('cluster'), `cluster ${report.clusterId}`);
    this.#sum(report);
    const ids = report.brokers.map((broker) => broker.id);
    if (ids.join() !== [...this.#items.keys()].join()) {
      this.#items = new Map(ids.map((id) => [id, new Item()]));
      this.#list.replaceChildren(...[...this.#items.values()].map((item) => item.element));
    }
    report.brokers.forEach((broker) => this.#items.get(broker.id).update(broker, report));
  }

  #sum(report) {
    const total = (of) => report.topics.reduce((sum, topic) => sum + topic[of], 0);
    const running = report.brokers.filter((broker) => broker.state === 'RUNNING').length;
    figure('sum-brokers', `${running} of ${report.brokers.length}`, running < report.brokers.length);
    figure('sum-partitions', total('partitions').toLocaleString('en') + (report.more ? '+' : ''), false);
    figure('sum-under', total('underReplicated').toLocaleString('en'), total('underReplicated') > 0);
    figure('sum-offline', total('offline').toLocaleString('en'), total('offline') > 0);
  }
}

function figure(id, text, isBad) {
  say(byId(id), text);
  mark(byId(id), 'data-bad', isBad);
}

class Item {
  #shape = h('span', { class: 'shape', 'aria-hidden': 'true' });
  #name = h('b');
  #state = h('span', { class: 'broker-state' });
  #facts = h('span');
  #address = h('span');
  element = h('li', {}, h('p', {}, this.#shape, this.#name, ' ', this.#state), h('p', { class: 'soft' }, this.#facts, ' · ', this.#address));

  update(broker, report) {
    mark(this.element, 'data-state', broker.state);
    mark(this.element, 'data-broker', broker.id);
    say(this.#shape, SHAPES[broker.state] ?? '?');
    say(this.#name, `Broker ${broker.id}`);
    const roles = [brokerState(broker.state)];
    if (broker.id === report.controller) {
      roles.push('controller');
    }
    if (broker.id === report.brokerId) {
      roles.push('tells this page');
    }
    say(this.#state, roles.join(' · '));
    const place = `${broker.host}:${broker.port}${broker.rack ? ` · rack ${broker.rack}` : ''}`;
    say(this.#address, place);
    mark(this.#address, 'title', place);
    say(this.#facts, `leads ${broker.leaders.toLocaleString('en')} of ${count(broker.replicas, 'partition')}`);
  }
}
