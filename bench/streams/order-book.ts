/**
 * Order book speed: parsing and applying the same frames, by ours and by ccxt's Coinbase Exchange class, alternately in
 * the same process, several rounds. Both must end with the same best prices. Prints one JSON table.
 */
import { applyChanges, parseFeedMessage } from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';
import { bookTraffic } from './book-messages.ts';
import { openCcxtBook } from './ccxt-book.ts';

const ROUNDS = 5;
const LEVELS_PER_SIDE = 25_000;
const CASES = [
  { name: 'one change a message', changesPerMessage: 1, messages: 40_000 },
  { name: 'seven changes a message', changesPerMessage: 7, messages: 8000 },
] as const;

interface Taker {
  take(frame: string): void;
  best(): { bid: number; ask: number };
}

function ourBook(): Taker {
  const book = new OrderBook();
  return {
    take(frame) {
      const event = parseFeedMessage(frame);
      if (event.kind === 'update') applyChanges(book, event.changes);
      else if (event.kind === 'snapshot') book.load(event.bids, event.asks);
    },
    best: () => ({ bid: book.bestPrice('bid') ?? Number.NaN, ask: book.bestPrice('ask') ?? Number.NaN }),
  };
}

/** @returns changes a second */
function rateOf(taker: Taker, updates: readonly string[], changesPerMessage: number): number {
  const startedMs = performance.now();
  for (const update of updates) taker.take(update);
  return (updates.length * changesPerMessage) / ((performance.now() - startedMs) / 1000);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const rows = [];
for (const { name, changesPerMessage, messages } of CASES) {
  const ours: number[] = [];
  const theirs: number[] = [];
  const snapshotMs = { ours: Number.NaN, ccxt: Number.NaN };
  for (let round = 0; round < ROUNDS; round++) {
    const traffic = bookTraffic({ seed: round + 1, levelsPerSide: LEVELS_PER_SIDE, messages, changesPerMessage });
    const takers = { ours: ourBook(), ccxt: await openCcxtBook() };
    for (const side of ['ours', 'ccxt'] as const) {
      const startedMs = performance.now();
      takers[side].take(traffic.snapshot);
      snapshotMs[side] = performance.now() - startedMs;
    }
    ours.push(rateOf(takers.ours, traffic.updates, changesPerMessage));
    theirs.push(rateOf(takers.ccxt, traffic.updates, changesPerMessage));
    const [a, b] = [takers.ours.best(), takers.ccxt.best()];
    if (a.bid !== b.bid || a.ask !== b.ask) throw new Error(`the books differ: ${JSON.stringify([a, b])}`);
  }
  const ratios = ours.map((rate, i) => rate / (theirs[i] ?? Number.NaN));
  rows.push({
    case: name,
    levelsPerSide: LEVELS_PER_SIDE,
    oursChangesPerS: Math.round(median(ours)),
    ccxtChangesPerS: Math.round(median(theirs)),
    ratioMedian: Number(median(ratios).toFixed(1)),
    ratioWorst: Number(Math.min(...ratios).toFixed(1)),
    snapshotMs: { ours: Math.round(snapshotMs.ours), ccxt: Math.round(snapshotMs.ccxt) },
  });
}
console.log(JSON.stringify({ bench: 'order-book', node: process.version, rounds: ROUNDS, rows }, null, 2));
