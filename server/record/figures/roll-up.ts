/**
 * Updates the blocks with newly issued and judged records. Each affected block is rebuilt from its records, so a second
 * run, or one from nothing, gives the same blocks.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { MarketKind } from '#domain/market/symbols.ts';
import { type JudgedRecord, type TrackBlock, trackBlocks } from '#domain/record/figures/track-blocks.ts';
import type { BlockStore } from './block-store.ts';

/** Three days of records: the most that a round takes in one statement. */
const AT_ONCE = 10_000;

export interface RolledUp {
  /** Six-hour blocks that were rebuilt. */
  blocks: number;
  kinds: ReadonlySet<MarketKind>;
}

/** Runs until no work is left, or `signal` aborts between two steps. */
export async function rollUp(store: BlockStore, signal: AbortSignal, atOnce = AT_ONCE): Promise<RolledUp> {
  let count = 0;
  const kinds = new Set<MarketKind>();
  for (let isMore = true; isMore && !signal.aborted; ) {
    const stale = await store.stale(atOnce);
    const made: TrackBlock[] = [];
    for (const place of stale.places) {
      signal.throwIfAborted();
      const records: JudgedRecord[] = [];
      for await (const page of store.records(place, stale.upTo)) {
        records.push(...page);
        // Parsing a page takes tens of milliseconds: other requests run in between.
        await breathe();
      }
      made.push(...trackBlocks(records));
      kinds.add(place.market);
    }
    await store.write(made);
    count += stale.places.length;
    isMore = stale.isMore;
  }
  return { blocks: count, kinds };
}
