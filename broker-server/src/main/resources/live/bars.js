// Draws logs as bars on a canvas, and moves them. What is drawn is also there as text beside it.

const COLOURS = ['ink', 'soft', 'line', 'water', 'foam', 'mark', 'card', 'gap', 'track'];
/** A moving mark covers two thirds of what it has to go in so long. */
const GLIDE_MS = 90;
const STILL_PX = 0.25;
/** A smaller step is not worth a drawing. */
const VISIBLE_PX = 0.5;
/** Drawing takes no more of a frame; what is left over is drawn in the next. */
const BUDGET_MS = 6;
const RULER_PX = 16;
const FLAG_PX = 7;
/** Between two labels of the ruler. */
const GAP_PX = 10;

/** One partition's picture: where the numbers are now, and where they go. */
export class Bars {
  visible = false;
  #canvas;
  #painter;
  #rowPx;
  #thickPx;
  #ruler;
  #target = null;
  #shown = null;
  #width = 0;
  /** What the canvas shows, in pixels and ticks; null if it is to be drawn in any case. */
  #drawn = null;
  #steppedMs = 0;

  /** rows: heights in CSS pixels as the style sheet has them. */
  constructor(canvas, painter, { rowPx, thickPx, ruler }) {
    this.#canvas = canvas;
    this.#painter = painter;
    this.#rowPx = rowPx;
    this.#thickPx = thickPx;
    this.#ruler = ruler;
    painter.measure(canvas, this);
  }

  /** picture: {start, span, tick, logStart, highWatermark, isMarked, end, rows: [{logStart, logEnd, highWatermark}]}; what is not known is -1. */
  show(picture) {
    const before = this.#target;
    this.#target = picture;
    const isNew = before === null || before.rows.length !== picture.rows.length || before.highWatermark < 0;
    if (isNew || !this.visible || this.#painter.still) {
      this.#shown = flat(picture);
    }
    if (this.visible) {
      this.#painter.wake(this);
    }
  }

  resized(width) {
    if (width !== this.#width) {
      this.#width = width;
      this.repaint();
    }
  }

  setVisible(visible) {
    this.visible = visible;
    if (visible) {
      this.repaint();
    }
  }

  repaint() {
    if (this.#target !== null && this.visible) {
      this.#shown = flat(this.#target);
      this.#drawn = null;
      this.#painter.wake(this);
    }
  }

  /** Goes on to a moment; true while it still moves. */
  step(nowMs) {
    if (this.#width === 0) {
      return false;
    }
    const goal = flat(this.#target);
    const share = 1 - Math.exp(-Math.min(nowMs - this.#steppedMs, 50) / GLIDE_MS);
    this.#steppedMs = nowMs;
    const still = (STILL_PX * goal[1]) / this.#width;
    let moves = false;
    for (let i = 0; i < goal.length; i++) {
      const way = goal[i] - this.#shown[i];
      if (Math.abs(way) <= still || this.#shown[i] < 0 || goal[i] < 0) {
        this.#shown[i] = goal[i];
      } else {
        this.#shown[i] += way * share;
        moves = true;
      }
    }
    if (this.#looksOther()) {
      this.#draw();
    }
    return moves;
  }

  #looksOther() {
    const [start, span, ...offsets] = this.#shown;
    const scale = this.#width / span;
    const now = offsets.map((offset) => (offset < 0 ? -1 : (offset - start) * scale));
    now.push(-start * scale, this.#width);
    const before = this.#drawn;
    if (before !== null && before.length === now.length && now.every((x, i) => Math.abs(x - before[i]) < VISIBLE_PX)) {
      return false;
    }
    this.#drawn = now;
    return true;
  }

  #draw() {
    const { palette, ratio } = this.#painter;
    const rows = this.#target.rows.length;
    const top = this.#ruler ? FLAG_PX : 2;
    const width = this.#width;
    const height = top + rows * this.#rowPx + (this.#ruler ? RULER_PX : 2);
    const canvas = this.#canvas;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const [start, span, logStart, highWatermark, end, ...values] = this.#shown;
    const x = (offset) => Math.min(width, Math.max(0, ((offset - start) / span) * width));
    if (this.#ruler) {
      this.#drawRuler(pen, palette, start, span, top + rows * this.#rowPx, width);
    }
    for (let row = 0; row < rows; row++) {
      const y = top + row * this.#rowPx + (this.#rowPx - this.#thickPx) / 2;
      this.#drawLog(pen, palette, x, y, { logStart, highWatermark, end }, values.slice(row * 3, row * 3 + 3));
    }
    if (this.#target.isMarked) {
      this.#drawHighWatermark(pen, palette, Math.round(x(highWatermark)), top + rows * this.#rowPx);
    }
  }

  #drawLog(pen, palette, x, y, leader, [logStart, logEnd, highWatermark]) {
    const thick = this.#thickPx;
    const from = x(Math.max(0, logStart, leader.logStart));
    const stored = x(logEnd);
    const committed = Math.max(from, x(Math.min(logEnd, leader.highWatermark)));
    const end = x(leader.end);
    pen.fillStyle = palette.track;
    pen.fillRect(0, y, this.#width, thick);
    if (logEnd < 0) {
      return;
    }
    pen.fillStyle = palette.water;
    pen.fillRect(from, y, committed - from, thick);
    if (stored > committed) {
      const wide = Math.max(stored - committed, 2);
      pen.fillStyle = palette.foam;
      pen.fillRect(committed, y, wide, thick);
      pen.fillStyle = palette.hatch;
      pen.fillRect(committed, y, wide, thick);
    }
    if (end > stored) {
      const wide = Math.max(end - stored, 2);
      pen.strokeStyle = palette.gap;
      pen.lineWidth = 1;
      pen.setLineDash([3, 3]);
      pen.strokeRect(stored + 0.5, y + 0.5, Math.max(wide - 1, 0.5), thick - 1);
      pen.setLineDash([]);
    }
    pen.fillStyle = palette.ink;
    pen.fillRect(Math.min(Math.round(stored), this.#width - 2), y - 2, 2, thick + 4);
    if (highWatermark >= 0 && highWatermark < leader.highWatermark && this.#ruler) {
      const notch = Math.round(x(highWatermark));
      pen.fillStyle = palette.card;
      pen.fillRect(notch - 1, y + thick - 5, 3, 5);
      pen.fillStyle = palette.mark;
      pen.fillRect(notch, y + thick - 4, 1.5, 6);
    }
  }

  #drawHighWatermark(pen, palette, at, bottom) {
    const x = Math.min(Math.max(at, 1), this.#width - 1);
    pen.fillStyle = palette.card;
    pen.fillRect(x - 2, this.#ruler ? FLAG_PX - 2 : 0, 4, bottom - (this.#ruler ? FLAG_PX - 2 : 0));
    pen.fillStyle = palette.mark;
    pen.fillRect(x - 1, 0, 2, bottom);
    if (this.#ruler) {
      pen.beginPath();
      pen.moveTo(x - 5, 0);
      pen.lineTo(x + 5, 0);
      pen.lineTo(x, 6);
      pen.fill();
    }
  }

  #drawRuler(pen, palette, start, span, top, width) {
    const tick = this.#target.tick;
    pen.strokeStyle = palette.line;
    pen.lineWidth = 1;
    pen.fillStyle = palette.soft;
    pen.font = this.#painter.font;
    pen.textBaseline = 'alphabetic';
    let free = 0;
    for (let at = Math.max(0, Math.ceil(start / tick - 0.001) * tick); at <= start + span; at += tick) {
      const x = Math.round(((at - start) / span) * width) + 0.5;
      pen.beginPath();
      pen.moveTo(x, FLAG_PX);
      pen.lineTo(x, top + 3);
      pen.stroke();
      const text = this.#painter.short(at);
      const wide = pen.measureText(text).width;
      const left = Math.max(0, x - wide / 2);
      if (left >= free && left + wide <= width + 1) {
        pen.fillText(text, left, top + 14);
        free = left + wide + GAP_PX;
      }
    }
  }
}

function flat(picture) {
  const values = [picture.start, picture.span, picture.logStart, picture.highWatermark, picture.end];
  for (const row of picture.rows) {
    values.push(row.logStart, row.logEnd, row.highWatermark);
  }
  return values;
}

/** Owns the one animation frame loop, which runs only while something moves, and the colours of the style sheet. */
export class Painter {
  palette = {};
  ratio = 1;
  font = '';
  /** Whether the reader has asked for less motion. */
  still = false;
  #moving = new Set();
  #all = new Map();
  #frame = null;
  #sizes;
  #short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 4 });
  #plain = new Intl.NumberFormat('en');

  constructor() {
    this.#sizes = new ResizeObserver((entries) => {
      for (const entry of entries) {
        this.#all.get(entry.target)?.resized(Math.round(entry.contentRect.width));
      }
    });
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-reduced-motion: reduce)']) {
      matchMedia(query).addEventListener('change', () => this.#dress());
    }
    this.#watchRatio();
    this.#dress();
  }

  measure(canvas, bars) {
    this.#all.set(canvas, bars);
    this.#sizes.observe(canvas);
  }

  forget(canvas) {
    this.#moving.delete(this.#all.get(canvas));
    this.#all.delete(canvas);
    this.#sizes.unobserve(canvas);
  }

  wake(bars) {
    this.#moving.add(bars);
    this.#frame ??= requestAnimationFrame((nowMs) => this.#turn(nowMs));
  }

  /** An offset on the ruler: 1,200, then 12.5K, 3.2M. */
  short(offset) {
    return offset < 100_000 ? this.#plain.format(offset) : this.#short.format(offset);
  }

  #turn(nowMs) {
    const until = performance.now() + BUDGET_MS;
    for (const bars of [...this.#moving]) {
      this.#moving.delete(bars);
      if (bars.visible && bars.step(nowMs)) {
        this.#moving.add(bars);
      }
      if (performance.now() > until) {
        break;
      }
    }
    this.#frame = this.#moving.size === 0 ? null : requestAnimationFrame((nextMs) => this.#turn(nextMs));
  }

  #dress() {
    const style = getComputedStyle(document.documentElement);
    for (const name of COLOURS) {
      this.palette[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    this.still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.ratio = devicePixelRatio;
    this.palette.hatch = hatch(this.palette.water, this.ratio);
    this.#all.forEach((bars) => bars.repaint());
  }

  #watchRatio() {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
      this.#dress();
      this.#watchRatio();
    }, { once: true });
  }
}

/** Slanted lines, so that the zones can be told apart without their colours. */
function hatch(colour, ratio) {
  const side = 6;
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(side * ratio);
  const pen = tile.getContext('2d');
  pen.scale(tile.width / side, tile.height / side);
  pen.strokeStyle = colour;
  pen.lineWidth = 1.6;
  for (const shift of [-side, 0, side]) {
    pen.beginPath();
    pen.moveTo(shift - 1, side + 1);
    pen.lineTo(shift + side + 1, -1);
    pen.stroke();
  }
  const pattern = pen.createPattern(tile, 'repeat');
  pattern.setTransform(new DOMMatrix().scale(side / tile.width, side / tile.height));
  return pattern;
}
