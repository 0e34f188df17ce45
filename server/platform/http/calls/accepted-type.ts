/** Content negotiation by `Accept` (RFC 9110, section 12.5.1). */
import { parseAccept } from 'hono/utils/accept';

/**
 * @param header  value of `Accept`; null or empty accepts everything
 * @param offered  media types in lower case; the first wins among equals
 * @returns the type that the client prefers; null if it accepts none of them
 */
export function acceptedType<T extends string>(header: string | null, offered: readonly T[]): T | null {
  const ranges = header === null || header.trim() === '' ? [{ type: '*/*', q: 1 }] : parseAccept(header);
  let best: { type: T; q: number } | null = null;
  for (const type of offered) {
    const q = qualityOf(type, ranges);
    if (q > (best?.q ?? 0)) best = { type, q };
  }
  return best?.type ?? null;
}

/** The quality of the most specific range that matches. */
function qualityOf(type: string, ranges: readonly { type: string; q: number }[]): number {
  const wider = [type, `${type.split('/')[0]}/*`, '*/*'];
  for (const name of wider) {
    const range = ranges.find((one) => one.type.toLowerCase() === name);
    if (range !== undefined) return range.q;
  }
  return 0;
}
