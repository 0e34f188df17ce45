import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { html, type Markup } from './markup.ts';

/** The same mark per model as in the site's own charts. */
export function pointMark(model: ModelName, x: number, y: number): Markup {
  const [cx, cy] = [place(x), place(y)];
  if (model === 'bobcat') return html`<circle class="mark ${model}" cx="${cx}" cy="${cy}" r="3.6"/>`;
  if (model === 'panther') {
    return html`<rect class="mark ${model}" x="${place(x - 3.3)}" y="${place(y - 3.3)}" width="6.6" height="6.6"/>`;
  }
  const corners = [
    [x, y - 4.4],
    [x + 4.2, y + 3.4],
    [x - 4.2, y + 3.4],
  ];
  return html`<path class="mark ${model}" d="M${corners.map((corner) => corner.map(place).join(' ')).join('L')}Z"/>`;
}

export function keyOfMarks(models: readonly ModelName[]): Markup {
  return html`<ul class="key">${models.map(
    (model) =>
      html`<li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">${pointMark(model, 7, 7)}</svg> ${shortName(model)}</li>`,
  )}</ul>`;
}

/** Value to coordinate, both ends included. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  return (value: number): number => start + ((value - from) / (to - from)) * (end - start);
}

/** Multiples of a step, from the first at or above the low end to the last at or below the high one. */
export function stepsBetween(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** A tenth of a unit is enough for a drawing. */
export function place(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10);
}
