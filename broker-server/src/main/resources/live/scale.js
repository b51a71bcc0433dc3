// Which stretch of offsets a partition's bars show. Pure.

const SMALLEST_SPAN = 20;
/** At a steady rate the marks take so long to cross the bar. */
const CROSSING_S = 20;
/** A stretch that has become too wide is kept for so long, so that a ripple does not zoom. */
const PATIENCE_MS = 4000;
const TICKS = 5;

/** 20, 50, 100, 200, 500, ...: the smallest of them that is not below a number. */
export function nice(value) {
  let step = SMALLEST_SPAN;
  for (let i = 0; step < value; i++) {
    step *= i % 3 === 0 ? 2.5 : 2;
  }
  return step;
}

/** A window on the log that stands still while the marks move through it, and turns like a page when they reach its end. */
export class Scale {
  start = 0;
  span = SMALLEST_SPAN;
  #rate = 0;
  #lastEnd = null;
  #lastMs = 0;
  #tooWideSinceMs = null;

  /** The lowest and the highest offset that matter now. */
  follow(low, high, nowMs) {
    this.#measure(high, nowMs);
    const needed = nice(Math.max((high - low) * 1.6, this.#rate * CROSSING_S));
    const shrink = this.#mayShrink(needed, nowMs);
    if (needed > this.span || shrink) {
      this.span = needed;
      this.#turn(low, high);
    } else if (high > this.start + this.span * 0.95 || low < this.start) {
      this.#turn(low, high);
    }
  }

  /** Distance of two ticks of the ruler. */
  get tick() {
    return this.span / TICKS;
  }

  #turn(low, high) {
    const place = Math.max(0.4, (high - low) / this.span + 0.2);
    const start = high - this.span * place;
    this.start = Math.max(0, Math.floor(start / this.tick) * this.tick);
    if (low < this.start) {
      this.start = Math.max(0, this.start - this.tick);
    }
  }

  #measure(end, nowMs) {
    if (this.#lastEnd !== null && nowMs > this.#lastMs) {
      const now = Math.max(0, ((end - this.#lastEnd) * 1000) / (nowMs - this.#lastMs));
      this.#rate += (now - this.#rate) * Math.min(1, (nowMs - this.#lastMs) / 2000);
    }
    this.#lastEnd = end;
    this.#lastMs = nowMs;
  }

  #mayShrink(needed, nowMs) {
    if (needed * 5 > this.span) {
      this.#tooWideSinceMs = null;
      return false;
    }
    this.#tooWideSinceMs ??= nowMs;
    return nowMs - this.#tooWideSinceMs > PATIENCE_MS;
  }
}
