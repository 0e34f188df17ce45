/** Messages of an exchange's book from a seed. As at a real venue, most changes are near the best prices. */
import type { SnapshotMessage, UpdateMessage } from '#domain/market/book/coinbase-messages.ts';

export interface BookTrafficOptions {
  seed: number;
  levelsPerSide: number;
  messages: number;
  /** One for the plain socket, about 7 for the one that batches changes every 50 ms. */
  changesPerMessage: number;
}

const PRODUCT_ID = 'BTC-USD';
const TICK_DECIMALS = 2;
const MIDDLE_TICKS = 9_700_000;
/** Levels between best and deepest are about this many ticks apart. */
const SPACING_TICKS = 12;
/** How far from the best a change is, in levels: half of them within the first few. */
const TYPICAL_DEPTH = 8;

export function bookTraffic(options: BookTrafficOptions): { snapshot: string; updates: string[] } {
  const random = randomOf(options.seed);
  const size = (): string => (0.001 + random() ** 4 * 5).toFixed(8);
  const price = (ticks: number): string => (ticks / 10 ** TICK_DECIMALS).toFixed(TICK_DECIMALS);
  const side = (sign: 1 | -1) =>
    Array.from({ length: options.levelsPerSide }, (_, i) => {
      const ticks = MIDDLE_TICKS + sign * (1 + i * SPACING_TICKS + Math.floor(random() * SPACING_TICKS));
      return [price(ticks), size()] as const;
    });
  const snapshot: SnapshotMessage = { type: 'snapshot', product_id: PRODUCT_ID, bids: side(-1), asks: side(1) };

  const change = (): readonly ['buy' | 'sell', string, string] => {
    const isBuy = random() < 0.5;
    const levels = -Math.log(1 - random()) * TYPICAL_DEPTH;
    const away = 1 + Math.floor(levels * SPACING_TICKS * (random() < 0.02 ? 50 : 1));
    const isRemoval = random() < 0.45;
    return [isBuy ? 'buy' : 'sell', price(MIDDLE_TICKS + (isBuy ? -away : away)), isRemoval ? '0.00000000' : size()];
  };
  const updates = Array.from({ length: options.messages }, (_, i) => {
    const changes = Array.from({ length: options.changesPerMessage }, change);
    const time = new Date(1_762_959_600_000 + i * 50).toISOString();
    const message: UpdateMessage = { type: 'l2update', product_id: PRODUCT_ID, time, changes };
    return JSON.stringify(message);
  });
  return { snapshot: JSON.stringify(snapshot), updates };
}

/** Park and Miller's generator: enough for generated traffic. */
function randomOf(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
