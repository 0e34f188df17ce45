import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFeedMessage, type TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { aReader, aWorld, PRODUCT, prices, snapshot, TIME, update } from '../testing/relay-lane-fixture.ts';

test('sends readers in step one shared text per turn, whatever changed in between', () => {
  const { lane, send, counters } = aWorld();
  const readers = [aReader(), aReader()];
  for (const reader of readers) lane.subscribe(reader, 'level2');
  send(snapshot([['1', '1']], [['2', '1']]));

  lane.sendUpdates(TIME);
  for (let size = 1; size <= 50; size++) send(update([['buy', '1.5', String(size)]]));
  lane.sendUpdates(TIME);
  lane.sendUpdates(TIME);

  const [first, second] = readers;
  expect(first?.texts).toEqual([
    '{"type":"snapshot","product_id":"BTC-USD","bids":[["1","1"]],"asks":[["2","1"]]}',
    `{"type":"l2update","product_id":"BTC-USD","changes":[["buy","1.5","50"]],"time":"${TIME}"}`,
  ]);
  expect(second?.texts).toEqual(first?.texts);
  expect(counters).toEqual({ frames: 4, snapshots: 2 });
});

test('shows a level beyond the hundredth only once it enters, and removes it when it leaves', () => {
  const { lane, send } = aWorld();
  const reader = aReader();
  lane.subscribe(reader, 'level2');
  const bids = Array.from({ length: 101 }, (_, i) => [String(1000 - i), '1']);
  send(snapshot(bids, [['1001', '1']]));
  lane.sendUpdates(TIME);
  expect(prices(reader)[0]).toHaveLength(100);

  send(update([['buy', '1000', '0']]));
  lane.sendUpdates(TIME);
  expect(prices(reader)[0]?.at(-1)).toBe(900);

  send(update([['buy', '1000.5', '1']]));
  lane.sendUpdates(TIME);
  expect(prices(reader)[0]?.at(-1)).toBe(901);
  expect(prices(reader)[0]).toHaveLength(100);
});

test('sends a whole book to a reader that has caught up, instead of what it missed', () => {
  const { lane, send } = aWorld();
  const [reader, other] = [aReader(), aReader()];
  for (const one of [reader, other]) lane.subscribe(one, 'level2');
  send(snapshot([['1', '1']], [['9', '1']]));
  lane.sendUpdates(TIME);

  reader.isStuck = true;
  for (const price of ['2', '3', '4']) {
    send(update([['buy', price, '1']]));
    lane.sendUpdates(TIME);
  }
  reader.isStuck = false;
  lane.sendUpdates(TIME);

  expect(reader.texts).toHaveLength(2);
  expect(reader.texts[1]).toContain('"type":"snapshot"');
  expect(prices(reader)).toEqual([[4, 3, 2, 1], [9]]);
  expect(prices(other)).toEqual(prices(reader));
});

test('sends a late reader a whole book first, not an update', () => {
  const { lane, send } = aWorld();
  const [early, late] = [aReader(), aReader()];
  lane.subscribe(early, 'level2');
  send(snapshot([['1', '1']], [['9', '1']]));
  lane.sendUpdates(TIME);

  lane.subscribe(late, 'level2');
  send(update([['buy', '2', '1']]));
  lane.sendUpdates(TIME);

  expect(late.texts.map((text) => parseFeedMessage(text).kind)).toEqual(['snapshot']);
  expect(early.texts.map((text) => parseFeedMessage(text).kind)).toEqual(['snapshot', 'update']);
  expect(prices(late)).toEqual(prices(early));
});

test('hides a crossed book, and keeps the last good one until it is repaired', () => {
  const { lane, send } = aWorld();
  const reader = aReader();
  lane.subscribe(reader, 'level2');
  send(snapshot([['1', '1']], [['9', '1']]));
  lane.sendUpdates(TIME);

  send(
    update([
      ['buy', '10', '1'],
      ['buy', '2', '1'],
    ]),
  );
  const late = aReader();
  lane.subscribe(late, 'level2');
  lane.sendUpdates(TIME);
  expect(prices(reader)).toEqual([[1], [9]]);
  expect(prices(late)).toEqual([[1], [9]]);

  send(update([['buy', '10', '0']]));
  lane.sendUpdates(TIME);
  expect(prices(reader)).toEqual([[2, 1], [9]]);
  expect(prices(late)).toEqual([[2, 1], [9]]);
});

test('sends only the last ticker between two turns, and sends it immediately to a late reader', () => {
  const { lane, send } = aWorld();
  const reader = aReader();
  lane.subscribe(reader, 'ticker');
  send(snapshot([], []));
  const ticker = (price: string) => ({ type: 'ticker', product_id: PRODUCT, price, sequence: 1, trade_id: 2 });

  for (const price of ['1', '2', '3']) send(ticker(price));
  lane.sendUpdates(TIME);
  lane.sendUpdates(TIME);
  reader.isStuck = true;
  send(ticker('4'));
  lane.sendUpdates(TIME);
  send(ticker('5'));
  lane.sendUpdates(TIME);
  reader.isStuck = false;
  lane.sendUpdates(TIME);

  const sent = reader.texts.map((text) => parseFeedMessage(text) as TickerEvent);
  expect(sent.map(({ kind, price, bestBid }) => [kind, price, bestBid])).toEqual([
    ['ticker', 3, null],
    ['ticker', 5, null],
  ]);
});

test('sends heartbeats only while the product is fresh', () => {
  const { lane, product, send } = aWorld();
  const reader = aReader();
  lane.subscribe(reader, 'heartbeat');

  lane.sendHeartbeat(TIME);
  send({ type: 'heartbeat', product_id: PRODUCT });
  lane.sendHeartbeat(TIME);
  expect(reader.texts).toEqual([]);

  send(snapshot([['1', '1']], [['9', '1']]));
  lane.sendHeartbeat(TIME);
  send(update([['buy', '9', '1']]));
  lane.sendHeartbeat(TIME);
  product.reset(0);
  lane.sendHeartbeat(TIME);
  expect(reader.texts).toHaveLength(1);
});

const text = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 30 }).map(String) },
  { weight: 2, arbitrary: fc.constant('0') },
  { weight: 1, arbitrary: fc.constantFrom('', 'NaN', '-1', '1e400', '1e9', '9'.repeat(60), '0.00', '0.5') },
  { weight: 1, arbitrary: fc.anything() },
);
const row = fc.oneof({ weight: 9, arbitrary: fc.tuple(text, text) }, { weight: 1, arbitrary: fc.anything() });
const change = fc.tuple(fc.constantFrom('buy', 'sell', 'sell', 'x', null), text, text);
const abuse = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(fc.array(row), fc.array(row)).map(([bids, asks]) => snapshot(bids, asks)) },
  { weight: 10, arbitrary: fc.array(change, { maxLength: 5 }).map(update) },
  {
    weight: 1,
    arbitrary: fc.constant(
      update([
        ['buy', '30', '0'],
        ['buy', '29', '0'],
        ['buy', '28', '0'],
      ]),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('ticker', 'l2update', 'snapshot', 'error'), product_id: text }),
  },
  { weight: 1, arbitrary: fc.anything() },
  { weight: 2, arbitrary: fc.constantFrom('drop' as const, 'stick' as const) },
);

test('never shows any reader a crossed, broken or negative level, and shows all readers the same', () => {
  const calm = fc.constantFrom(
    snapshot(
      [
        ['5', '1'],
        ['4', '1'],
      ],
      [
        ['20', '1'],
        ['21', '2'],
      ],
    ),
  );
  let shown = 0;
  fc.assert(
    fc.property(calm, fc.array(abuse, { maxLength: 60 }), (first, messages) => {
      const { lane, product, send } = aWorld();
      const [steady, shaky] = [aReader(), aReader()];
      for (const reader of [steady, shaky]) lane.subscribe(reader, 'level2');
      for (const message of [first, ...messages]) {
        if (message === 'drop') product.reset(0);
        else if (message === 'stick') shaky.isStuck = !shaky.isStuck;
        else send(message);
        lane.sendUpdates(TIME);
        for (const { book } of [steady, shaky]) {
          expect(book.isCrossed).toBe(false);
          const levels = [...book.top('bid', 999), ...book.top('ask', 999)];
          expect(levels.every(({ price, size }) => price > 0 && size > 0 && price < 1e12)).toBe(true);
          expect(book.rejected).toBe(0);
        }
        if (product.isSound) {
          shown += 1;
          expect(prices(steady)).toEqual(
            [product.book.top('bid', 100), product.book.top('ask', 100)].map((all) => all.map((l) => l.price)),
          );
          if (!shaky.isStuck) expect(prices(shaky)).toEqual(prices(steady));
        }
      }
    }),
    { numRuns: 300 },
  );
  // The faulty messages may have left nothing to show.
  expect(shown).toBeGreaterThan(300);
});

test('names the venue’s newest trade in a heartbeat, with or without its ticker', () => {
  const { lane, send } = aWorld();
  const reader = aReader();
  lane.subscribe(reader, 'heartbeat');
  send(snapshot([['1', '1']], [['9', '1']]));
  send({ type: 'ticker', product_id: PRODUCT, price: '5', sequence: 1, trade_id: 7, time: TIME });
  lane.sendHeartbeat(TIME);

  send({ type: 'heartbeat', product_id: PRODUCT, sequence: 2, last_trade_id: 9, time: TIME });
  lane.sendHeartbeat(TIME);

  const named = reader.texts.map((text) => JSON.parse(text).last_trade_id);
  expect(named).toEqual([7, 9]);
});
