/** Reads fields of a feed's message by hand, where a schema would be too slow. None of these functions throws. */
import { parsedJson } from '../../format/parsed-json.ts';
import { decimalOf } from './decimal.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Volumes of cheap coins are the largest figures to expect. */
const MAX_FIGURE = 1e18;
const MIN_FIGURE = 1e-12;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON text as an object; null for any other text. */
export function recordOf(text: string): Fields | null {
  const frame = parsedJson(text);
  return isRecord(frame) ? frame : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** '' for anything but text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** 0 for anything but a nonnegative whole number. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** A price or size that is zero or positive, within reason; null for anything else. */
export function figureOf(value: unknown): number | null {
  const figure = decimalOf(value);
  return figure === 0 || (figure >= MIN_FIGURE && figure < MAX_FIGURE) ? figure : null;
}
