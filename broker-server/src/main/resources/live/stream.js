// The one connection to the broker: server-sent events over fetch, because fetch tells why it was refused.

const BACK_OFF_MS = [500, 1000, 2000, 4000, 8000, 15_000];
/** The broker says something at least every 10 s. */
const SILENT_MS = 25_000;
/** Scrolling settles before another set of partitions is asked for. */
const SETTLE_MS = 200;

/** Follows what is asked for with want(); closes while the page is hidden, and comes back by itself. */
export class Stream {
  #wanted = null;
  #cursor = null;
  #abort = null;
  #timer = null;
  #settle = null;
  #failures = 0;
  #onEvent;
  #onState;

  /** onEvent(name, data); onState({state: connecting|live|lost|hidden, reason, retryAtMs}) */
  constructor(onEvent, onState) {
    this.#onEvent = onEvent;
    this.#onState = onState;
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#hide() : this.retry()));
    addEventListener('online', () => this.retry());
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', (shown) => shown.persisted && this.retry());
  }

  /** What the page shows now: parameters of /api/live. */
  want(parameters) {
    const wanted = new URLSearchParams(parameters).toString();
    if (wanted === this.#wanted) {
      return;
    }
    const first = this.#wanted === null;
    this.#wanted = wanted;
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => this.#timer === null && this.#open(), first ? 0 : SETTLE_MS);
  }

  /** Now, not after the back-off. */
  retry() {
    this.#failures = 0;
    this.#open();
  }

  #hide() {
    this.#close();
    this.#onState({ state: 'hidden' });
  }

  #close() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#abort?.abort();
    this.#abort = null;
  }

  async #open() {
    this.#close();
    if (document.hidden || this.#wanted === null) {
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    let reason = 'The broker closed the connection';
    try {
      const since = this.#cursor === null ? '' : `&since=${encodeURIComponent(this.#cursor)}`;
      const response = await fetch(`/api/live?${this.#wanted}${since}`, { signal: abort.signal, cache: 'no-store' });
      if (response.ok) {
        await this.#read(response.body.getReader(), abort);
      } else {
        reason = await response.json().then((body) => body.error, () => `The broker answered ${response.status}`);
      }
    } catch (failure) {
      reason = abort.signal.reason instanceof Error && abort.signal.reason.name === 'TimeoutError'
        ? 'The broker fell silent' : 'The broker does not answer';
    }
    if (this.#abort === abort) {
      this.#lost(reason);
    }
  }

  #lost(reason) {
    this.#abort = null;
    const waitMs = BACK_OFF_MS[Math.min(this.#failures++, BACK_OFF_MS.length - 1)] * (0.9 + Math.random() * 0.2);
    this.#timer = setTimeout(() => this.#open(), waitMs);
    this.#onState({ state: 'lost', reason, retryAtMs: Date.now() + waitMs });
  }

  async #read(reader, abort) {
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const watch = setTimeout(() => abort.abort(new DOMException('silent', 'TimeoutError')), SILENT_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(watch));
      if (done || this.#abort !== abort) {
        return;
      }
      this.#failures = 0;
      this.#onState({ state: 'live' });
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop();
      blocks.forEach((block) => this.#take(block));
    }
  }

  #take(block) {
    let name = 'message';
    let data = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('event:')) {
        name = line.slice(6).trim();
      } else if (line.startsWith('data:')) {
        data += line.slice(5);
      }
    }
    if (data === '') {
      return;
    }
    const told = JSON.parse(data);
    if (name === 'events' && told.next) {
      this.#cursor = String(told.next);
    }
    this.#onEvent(name, told);
  }
}

/** One answer of the API; fails with the broker's own sentence. */
export async function ask(path, options = {}) {
  const response = await fetch(path, { cache: 'no-store', ...options });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(body.error ?? `The broker answered ${response.status}`);
  }
  return body;
}
