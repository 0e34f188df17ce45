/** How often recorded chances like a new one came true. Read again every minute while questions arrive. */
import type { SimilarPast } from '#domain/chances/chance.ts';
import type { ChanceQuestion } from '#domain/chances/question.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { CHANCE_DECILES } from '#domain/record/chances/chance-sums.ts';
import type { Core } from '../../core.ts';
import { type ScoredChances, scoredChances } from './chance-block-store.ts';

export interface SimilarChancesDeps extends Pick<Core, 'database' | 'log'> {
  market: MarketKind;
  /** Milliseconds of the market's time. */
  nowMs: () => number;
  monotonicMs?: () => number;
}

const FRESH_MS = 60_000;
/** As far back as the public figures reach. */
const SPAN_S = 365 * 86_400;

/**
 * Answers from memory: null until the first read is done, for kinds of question that are not recorded, and where no
 * recorded chance of the same tenth is scored yet.
 */
export function similarChances(
  deps: SimilarChancesDeps,
): (question: ChanceQuestion, chance: number) => SimilarPast | null {
  const { database, market, nowMs, log, monotonicMs = () => performance.now() } = deps;
  let counts = new Map<string, SimilarPast>();
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function read(): Promise<void> {
    try {
      counts = countsOf(await scoredChances(database, market, nowMs() / 1000 - SPAN_S));
    } catch (error) {
      log.warn({ err: error }, 'the counts of recorded chances could not be read');
    }
  }

  return (question, chance) => {
    if (question.kind !== 'window') return null;
    if (monotonicMs() - readAtMs >= FRESH_MS) {
      readAtMs = monotonicMs();
      void read();
    }
    const minutes = (question.window.endS - question.window.openS) / MINUTE_S;
    return counts.get(`${minutes} ${Math.min(CHANCE_DECILES - 1, Math.floor(chance * CHANCE_DECILES))}`) ?? null;
  };
}

/** Over all minutes of a window. */
function countsOf(scored: readonly ScoredChances[]): Map<string, SimilarPast> {
  const counts = new Map<string, SimilarPast>();
  for (const { window, decile, count, happened } of scored) {
    if (count === 0) continue;
    const key = `${window} ${decile}`;
    const sum = counts.get(key) ?? { count: 0, happened: 0 };
    counts.set(key, { count: sum.count + count, happened: sum.happened + happened });
  }
  return counts;
}
