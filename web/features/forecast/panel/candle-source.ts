/** What the server says of the prices in its answer: whose they are, how late, how old. Headers of GET /history. */

export interface ToldSource {
  /** As the screen names it; null when the answer did not say. */
  attribution: string | null;
  /** How late the prices are by the venue's own terms, seconds. */
  delayS: number;
  /** The newest candles are missing: nobody may draw conclusions about now from these. */
  isStale: boolean;
  /** When the last candle had closed, epoch milliseconds of the server's clock; null when the answer did not say. */
  closedAtMs: number | null;
  /** The server's clock at the answer, and the page's: the age of candles goes on from here. */
  answeredAtMs: number;
  heardAtMs: number;
}

const MINUTE_MS = 60_000;
/** Attributions are names. */
const MAX_NAME_LENGTH = 80;

/** @param nowMs  epoch milliseconds of the page's clock, which may be wrong */
export function readToldSource(headers: Headers, nowMs: number): ToldSource {
  const asOfS = countOf(headers.get('x-market-as-of'));
  const answeredAtMs = Date.parse(headers.get('date') ?? '');
  return {
    attribution: headers.get('x-market-attribution')?.slice(0, MAX_NAME_LENGTH) || null,
    delayS: countOf(headers.get('x-market-delay-s')) ?? 0,
    isStale: headers.get('x-market-stale') === 'true',
    closedAtMs: asOfS === null ? null : asOfS * 1000 + MINUTE_MS,
    answeredAtMs: Number.isFinite(answeredAtMs) ? answeredAtMs : nowMs,
    heardAtMs: nowMs,
  };
}

/** 'delayed 15 min'; null for prices of now. */
export function delayWords({ delayS }: ToldSource): string | null {
  return delayS > 0 ? `delayed ${Math.max(1, Math.round(delayS / 60))} min` : null;
}

/** 'stale · 12 min'; null while nothing is wrong. @param nowMs  of the page's clock */
export function staleWords(source: ToldSource, nowMs: number): string | null {
  const { isStale, closedAtMs, answeredAtMs, heardAtMs } = source;
  if (!isStale) return null;
  if (closedAtMs === null) return 'stale';
  const minutes = Math.max(1, Math.floor((answeredAtMs - closedAtMs + (nowMs - heardAtMs)) / MINUTE_MS));
  if (minutes < 120) return `stale · ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `stale · ${hours} h` : `stale · ${Math.floor(hours / 24)} days`;
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
