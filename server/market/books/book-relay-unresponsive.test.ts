/** Tests what a page sees if it opens while the venue is unresponsive. */
import { expect, test } from 'vitest';
import { aReader, aWorld, PRODUCT, prices, snapshot, TIME, update } from '../testing/relay-lane-fixture.ts';

test('sends a late reader of an unresponsive venue the last good book with its age', () => {
  const { time, lane, product, send } = aWorld();
  send(snapshot([['1', '1']], [['9', '1']]));
  lane.sendHeartbeat(TIME);
  time.ms = 1000;
  send(update([['buy', '2', '1']]));
  lane.sendHeartbeat(TIME);

  time.ms = 21_000;
  const late = aReader();
  lane.subscribe(late, 'level2');
  lane.sendUpdates(TIME);
  product.reset(time.ms);
  time.ms = 31_000;
  const later = aReader();
  lane.subscribe(later, 'level2');
  lane.sendUpdates(TIME);
  lane.sendUpdates(TIME);

  const ages = [late, later].map(({ texts }) => texts.map((text) => JSON.parse(text).age_ms));
  expect(ages).toEqual([[20_000], [30_000]]);
  for (const reader of [late, later]) expect(prices(reader)).toEqual([[2, 1], [9]]);

  send(snapshot([['3', '1']], [['9', '1']]));
  send({ type: 'heartbeat', product_id: PRODUCT, sequence: 1, last_trade_id: 1, time: TIME });
  lane.sendUpdates(TIME);
  const fresh = aReader();
  lane.subscribe(fresh, 'level2');
  lane.sendUpdates(TIME);

  for (const reader of [late, later, fresh]) expect(prices(reader)).toEqual([[3], [9]]);
  expect(fresh.texts[0]).not.toContain('age_ms');
});

test('sends nothing when there has never been a book', () => {
  const { time, lane } = aWorld();
  const reader = aReader();
  lane.subscribe(reader, 'level2');

  time.ms = 60_000;
  lane.sendHeartbeat(TIME);
  lane.sendUpdates(TIME);

  expect(reader.texts).toEqual([]);
});

test('withholds an old price until the venue is fresh', () => {
  const { time, lane, send } = aWorld();
  send(snapshot([['1', '1']], [['9', '1']]));
  send({ type: 'ticker', product_id: PRODUCT, price: '5', sequence: 1, trade_id: 2 });
  time.ms = 20_000;
  const reader = aReader();
  lane.subscribe(reader, 'ticker');

  lane.sendUpdates(TIME);
  expect(reader.texts).toEqual([]);

  send({ type: 'heartbeat', product_id: PRODUCT, sequence: 1, last_trade_id: 1, time: TIME });
  lane.sendUpdates(TIME);
  expect(reader.texts).toHaveLength(1);
});

test('states the venue’s silence in heartbeats, and sends none for a stale product', () => {
  const { time, lane, send } = aWorld();
  send(snapshot([['1', '1']], [['9', '1']]));
  const reader = aReader();
  lane.subscribe(reader, 'heartbeat');

  for (const atMs of [400, 1400, 4400, 5400]) {
    time.ms = atMs;
    lane.sendHeartbeat(TIME);
  }

  expect(reader.texts.map((text) => JSON.parse(text).silent_ms)).toEqual([400, 1400, 4400]);
});
