/**
 * How links name a forecast. A house forecast is named by its number in the public record and the start of its hash, so
 * that a link that was stored while the forecast was sealed is bound to its text. A saved prediction is named by a
 * random token, which its owner can revoke.
 */

export type ForecastName = { kind: 'house'; seq: number; hashStart: string } | { kind: 'saved'; token: string };

const HASH_CHARS = 12;
const HOUSE = /^([1-9]\d{0,14})(?:-([0-9a-f]{12}))?$/;
const SAVED = /^[0-9a-f]{32}$/;

/** @param hash  hash of the record's text, hex */
export function houseForecastId(seq: number, hash: string): string {
  return `${seq}-${hash.slice(0, HASH_CHARS)}`;
}

/** Null for a text that names no forecast. A record's number alone names it too. */
export function readForecastId(id: string): ForecastName | null {
  const [, seq, hashStart] = HOUSE.exec(id) ?? [];
  if (seq !== undefined) return { kind: 'house', seq: Number(seq), hashStart: hashStart ?? '' };
  return SAVED.test(id) ? { kind: 'saved', token: id } : null;
}

export const FORECAST_PAGES = '/f/';

/** Path of a forecast's page. Its picture and files have the same path with an ending. */
export function forecastPath(id: string): string {
  return FORECAST_PAGES + id;
}
