/** Source, delay and age of the prices in an answer, from the headers of GET /history. */

export interface CandleSource {
  /** Display name of the source; null when the answer lacks it. */
  attribution: string | null;
  /** Delay of the prices by the venue's own terms, in seconds. */
  delayS: number;
  /** The newest candles are missing, so these do not show the present market. */
  isStale: boolean;
  /** A product with fewer candles than a forecast reads, or one that trades in few minutes. */
  activity?: 'new' | 'thin';
  /** Close time of the last candle, epoch milliseconds of the server's clock; null when the answer lacks it. */
  closedAtMs: number | null;
  /** The server's and the page's clock when the answer arrived; the candles' age counts on from here. */
  answeredAtMs: number;
  receivedAtMs: number;
}

const MINUTE_MS = 60_000;
/** Attributions are short names. */
const MAX_NAME_LENGTH = 80;

/** @param nowMs  epoch milliseconds of the page's clock, which may be wrong @param barS  length of the candles */
export function readCandleSource(headers: Headers, nowMs: number, barS: number): CandleSource {
  const asOfS = countOf(headers.get('x-market-as-of'));
  const answeredAtMs = Date.parse(headers.get('date') ?? '');
  const activity = headers.get('x-market-activity');
  return {
    ...((activity === 'new' || activity === 'thin') && { activity }),
    attribution: headers.get('x-market-attribution')?.slice(0, MAX_NAME_LENGTH) || null,
    delayS: countOf(headers.get('x-market-delay-s')) ?? 0,
    isStale: headers.get('x-market-stale') === 'true',
    closedAtMs: asOfS === null ? null : (asOfS + barS) * 1000,
    answeredAtMs: Number.isFinite(answeredAtMs) ? answeredAtMs : nowMs,
    receivedAtMs: nowMs,
  };
}

/** 'stale · 12 min'; null while the candles are current. @param nowMs  of the page's clock */
export function describeStaleness(source: CandleSource, nowMs: number): string | null {
  const { isStale, closedAtMs, answeredAtMs, receivedAtMs } = source;
  if (!isStale) return null;
  if (closedAtMs === null) return 'stale';
  const minutes = Math.max(1, Math.floor((answeredAtMs - closedAtMs + (nowMs - receivedAtMs)) / MINUTE_MS));
  if (minutes < 120) return `stale · ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `stale · ${hours} h` : `stale · ${Math.floor(hours / 24)} days`;
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
