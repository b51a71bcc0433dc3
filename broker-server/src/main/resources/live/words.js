// How numbers, ages and Kafka's terms are written.

const NUMBERS = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const TIMES = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** What stands where a number is not known. */
export const UNKNOWN = '–';

/** 12,345, or a dash if it is -1, null or missing. */
export function number(value) {
  return value === null || value === undefined || value < 0 ? UNKNOWN : NUMBERS.format(value);
}

/** As number, but 123.5K where there is little room. */
export function shortly(value) {
  return value < 100_000 ? number(value) : SHORT.format(value);
}

/** "1 record", "2 records". */
export function count(value, noun) {
  return `${NUMBERS.format(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** "850 ms", "3.2 s", "4 min", "2 h", "3 days". */
export function age(ms) {
  if (ms === null || ms === undefined || ms < 0) {
    return UNKNOWN;
  }
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  if (ms < 60_000) {
    return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  }
  if (ms < 3_600_000) {
    return `${Math.round(ms / 60_000)} min`;
  }
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} days`;
}

/** "1, 2 and 3", "nobody". */
export function list(ids) {
  if (!ids || ids.length === 0) {
    return 'nobody';
  }
  return ids.length === 1 ? `${ids[0]}` : `${ids.slice(0, -1).join(', ')} and ${ids[ids.length - 1]}`;
}

/** "broker 3", "brokers 2 and 3". */
export function brokers(ids) {
  return `broker${ids.length === 1 ? '' : 's'} ${list(ids)}`;
}

/** 14:03:59 by the reader's clock. */
export function time(wallMs) {
  return TIMES.format(wallMs);
}

const STATES = { RUNNING: 'running', FENCED: 'fenced', SHUTTING_DOWN: 'shutting down', UNREACHABLE: 'does not answer' };

/** A broker's state in words. */
export function brokerState(state) {
  return STATES[state] ?? state.toLowerCase().replaceAll('_', ' ');
}

const KINDS = {
  LEADING: ['leads', 'leaders'],
  FOLLOWING: ['follows', 'leaders'],
  ISR_SHRINKING: ['ISR shrinks', 'isr'],
  ISR_EXPANDING: ['ISR grows', 'isr'],
  ISR_UPDATED: ['ISR agreed', 'isr'],
  ISR_REFUSED: ['ISR refused', 'isr'],
  TRUNCATED: ['log cut', 'trouble'],
  RESTARTED: ['log begun anew', 'trouble'],
  FENCED: ['fenced', 'trouble'],
  STORAGE_FAILED: ['disk failed', 'trouble'],
  REMOVED: ['removed', 'leaders'],
};

/** What kind of event it is, in words. */
export function kind(event) {
  const name = event.kind;
  if (name === 'ISR_UPDATED' && event.removed.length + event.added.length > 0) {
    return event.removed.length > 0 ? 'ISR shrank' : 'ISR grew';
  }
  return KINDS[name]?.[0] ?? name.toLowerCase().replaceAll('_', ' ');
}

/** What family an event belongs to: isr, leaders or trouble. */
export function family(name) {
  return KINDS[name]?.[1] ?? 'trouble';
}
