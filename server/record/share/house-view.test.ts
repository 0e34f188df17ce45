import { expect, test } from 'vitest';
import { sealedRecord } from '#domain/record/ledger/record-files.ts';
import { revealBounds } from '#domain/record/ledger/reveal.ts';
import type { CandlePast } from '../../market/candles/past-candles.ts';
import { chainOf, makeChances } from '../testing/chance-fixtures.ts';
import { houseView } from './house-view.ts';

const past: CandlePast = { recent: async () => null, stored: async () => [] };

test.each([
  ['sealed', 0],
  ['revealed', Number.MAX_SAFE_INTEGER],
])('has no page of a %s chance', async (_state, nowMs) => {
  const { bodies, texts, hashes } = chainOf(makeChances({ syms: ['BTCUSDT.P', 'ETHUSDT.P'] }));
  const deps = { past, reveal: () => revealBounds({ nowMs, marketNowMs: nowMs }), marketNowMs: () => nowMs };
  for (const [i, body] of bodies.entries()) {
    const found = { ...sealedRecord(body, hashes[i] ?? ''), record: texts[i] ?? '', score: null, document: null };
    expect(await houseView(found, deps)).toBeNull();
  }
});
