/** One dialect of a simulated market at a fixed time, called without a server. */
import { NO_FAULTS } from '../../faults/faults.ts';
import type { DialectAnswer, OpenDialect } from '../dialect.ts';
import { openSources } from '../market-sources.ts';
import { openSandboxProducts } from '../products/open-products.ts';

/** Wednesday, an hour after the opening of the exchanges of New York. */
export const DIALECT_NOW_MS = Date.parse('2025-11-12T15:30:20Z');

export interface OpenedDialect {
  /** @param target  path and query: `/v2/stocks/bars?symbols=MSFT` */
  get(target: string, headers?: Record<string, string>): DialectAnswer;
  close(): Promise<void>;
}

export async function openedDialect(open: OpenDialect): Promise<OpenedDialect> {
  const seed = 'dialect';
  const clock = { nowMs: () => DIALECT_NOW_MS };
  const listing = await openSources({ dataDir: null, seed, nowMs: clock.nowMs(), startMs: null, log: () => {} });
  const products = openSandboxProducts({ seed, clock });
  const dialect = open({
    listing,
    products,
    clock,
    faults: NO_FAULTS,
    seed,
    speed: 1,
    lagS: 0,
    isWatched: () => true,
  });
  return {
    get(target, headers = {}) {
      const { pathname, searchParams } = new URL(target, 'http://localhost');
      const answer = dialect.answer?.({ path: pathname, query: searchParams, headers });
      if (answer === undefined) throw new Error(`${dialect.name} has no HTTP side.`);
      return answer;
    },
    async close() {
      products.close();
      await dialect.close?.();
    },
  };
}
