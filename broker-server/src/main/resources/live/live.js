// The live view. Start reading here: each part of the page is an object, and the stream tells them what is new.

import { Brokers } from './brokers.js';
import { byId, mark, say } from './dom.js';
import { Events } from './events.js';
import { showFindings } from './findings.js';
import { Groups } from './groups.js';
import { PartitionDialog } from './partition.js';
import { StepMode } from './step.js';
import { ask, Stream } from './stream.js';
import { Topics } from './topics.js';

const HZ = 5;
/** Nothing is waited for any longer before the page is shown. */
const PATIENCE_MS = 1500;
const FINDINGS_MS = 30_000;
const VIEWS = ['topics', 'groups', 'findings'];

const brokers = new Brokers();
const groups = new Groups();
const step = new StepMode(() => ready('step'));
const dialog = new PartitionDialog((topic, partition) => events.of(topic, partition), () => want());
const open = (topic, partition) => dialog.open(topic, partition);
const events = new Events(open);
const topics = new Topics(() => want(), open);
const stream = new Stream(told, connection);
const awaited = new Set(['cluster', 'step']);
let view = VIEWS[0];
let state = { state: 'connecting' };

/** Asks for what is on screen and for nothing else. */
function want() {
  const keys = new Set(view === 'topics' ? topics.visible : []);
  if (dialog.key !== null) {
    keys.add(dialog.key);
  }
  const parameters = { cluster: 1, events: 1, hz: HZ };
  if (view === 'groups') {
    parameters.groups = 1;
  }
  if (keys.size > 0) {
    parameters.partitions = [...keys].sort().join();
  }
  stream.want(parameters);
}

function told(name, data) {
  switch (name) {
    case 'cluster':
      ready('cluster');
      brokers.cluster(data);
      step.cluster(data);
      topics.cluster(data);
      break;
    case 'partitions':
      topics.partitions(data.partitions);
      data.partitions.forEach((each) => dialog.update(each));
      break;
    case 'events':
      events.add(data.events);
      break;
    case 'groups':
      groups.show(data);
      break;
    default:
      // A newer broker may tell more than this page knows.
  }
}

const CONNECTION = { connecting: 'Connecting', live: 'Live', hidden: 'Paused while hidden', lost: 'Not connected' };

function connection(now) {
  const changed = now.state !== state.state;
  state = now;
  if (changed) {
    mark(byId('connection'), 'data-state', now.state);
    mark(document.body, 'data-connection', now.state);
    say(byId('connection-text'), CONNECTION[now.state]);
  }
  if (changed || now.state === 'lost') {
    say(byId('lost-reason'), now.state === 'lost' ? `${now.reason}.` : '');
    byId('lost').hidden = now.state !== 'lost';
    countDown();
  }
}

/** For the eye alone: an alert is read once, not each second. */
function countDown() {
  if (state.state === 'lost') {
    const seconds = Math.ceil((state.retryAtMs - Date.now()) / 1000);
    say(byId('retry'), seconds > 0 ? `Try now (${seconds} s)` : 'Trying');
  }
}

/** The page is shown at once, and not moved about by what comes a moment later. */
function ready(part) {
  awaited.delete(part);
  if (awaited.size === 0) {
    document.body.removeAttribute('data-waits');
  }
}

function choose() {
  const wanted = location.hash.replace('#/', '');
  view = VIEWS.includes(wanted) ? wanted : VIEWS[0];
  for (const name of VIEWS) {
    byId(`view-${name}`).hidden = name !== view;
    mark(document.querySelector(`nav a[data-view="${name}"]`), 'aria-current', name === view ? 'page' : null);
  }
  want();
}

async function lint() {
  if (!document.hidden) {
    await ask('/api/lint').then((report) => showFindings(report.findings), () => {});
  }
  setTimeout(lint, FINDINGS_MS);
}

byId('retry').addEventListener('click', () => stream.retry());
addEventListener('hashchange', choose);
setInterval(countDown, 1000);
choose();
lint();
setTimeout(() => awaited.forEach(ready), PATIENCE_MS);
