/** Requests candles each second, as pages do, and records their reported age. */
export interface HistoryWatch {
  stop(): Promise<void>;
  /** Greatest age in seconds of candles that were not marked stale. */
  oldestFreshS(): number;
  /** @param fault  milliseconds of Date.now() */
  notes(fault: { startMs: number; endMs: number }): string[];
}

interface Seen {
  atMs: number;
  status: number;
  isStale: boolean;
  /** Seconds since the last candle closed; null: not reported. */
  ageS: number | null;
}

const PATH = '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450';
const EVERY_MS = 1000;

export function watchHistory(url: string): HistoryWatch {
  const seen: Seen[] = [];
  const pending = new Set<Promise<void>>();

  async function poll(): Promise<void> {
    const headers = { connection: 'close' };
    const answer = await fetch(url + PATH, { headers, signal: AbortSignal.timeout(20_000) }).catch(() => null);
    await answer?.arrayBuffer();
    const asOf = answer?.headers.get('x-market-as-of') ?? null;
    const ageS = asOf === null ? null : Math.round(Date.now() / 1000 - Number(asOf) - 60);
    const isStale = answer?.headers.get('x-market-stale') === 'true';
    seen.push({ atMs: Date.now(), status: answer?.status ?? 0, isStale, ageS });
  }
  const timer = setInterval(() => {
    const run: Promise<void> = poll().finally(() => pending.delete(run));
    pending.add(run);
  }, EVERY_MS);

  const oldestFreshS = (): number =>
    Math.max(0, ...seen.map(({ status, isStale, ageS }) => (status === 200 && !isStale ? (ageS ?? 0) : 0)));

  return {
    oldestFreshS,
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
    },
    notes({ startMs, endMs }) {
      const during = seen.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
      const counted = (is: (one: Seen) => boolean) => during.filter(is).length;
      const firstStale = during.find(({ isStale }) => isStale);
      const lastStale = seen.findLast(({ isStale, status, atMs }) => (isStale || status !== 200) && atMs >= startMs);
      return [
        `candles meanwhile: ${counted((one) => one.status === 200 && !one.isStale)} answers as fresh, ${counted((one) => one.isStale)} marked as stale, ${counted((one) => one.status !== 200)} refused`,
        `the oldest that were not marked as stale had closed ${oldestFreshS()} s before`,
        firstStale === undefined ? 'none was stale' : `stale ${firstStale.atMs - startMs} ms after the fault`,
        lastStale === undefined
          ? 'none to recover'
          : `the last stale or refused one ${lastStale.atMs - endMs} ms after its end`,
      ];
    },
  };
}
