/** Parses the live socket's documentation in docs/http-api.md with the codecs of both sides. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseFeedMessage } from '#domain/market/book/coinbase-messages.ts';
import { parseFeedRequest } from '#domain/market/book/coinbase-messages-served.ts';
import { KRAKEN_PAIRS } from '#domain/market/codecs/kraken-ohlc.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';

const text = readFileSync(new URL('../../docs/http-api.md', import.meta.url), 'utf8');
const section = text.slice(text.indexOf('## Live market'), text.indexOf('## Forecast'));
const examples = section.split('\n').filter((line) => line.startsWith('{'));

test('parses every example as a message or a request', () => {
  const [requests, messages] = [
    examples.filter((line) => line.includes('"channels":["')),
    examples.filter((line) => !line.includes('"channels":["')),
  ];

  expect(requests.map((line) => typeof parseFeedRequest(line))).toEqual(['object', 'object']);
  const kinds = messages.map((line) => parseFeedMessage(line).kind);
  expect(new Set(kinds)).toEqual(
    new Set(['subscriptions', 'snapshot', 'update', 'ticker', 'heartbeat', 'candles', 'alive', 'error']),
  );
});

test('names every product', () => {
  const productIds = SYMBOLS.map(({ bookProductId, sym }) => bookProductId ?? sym);

  expect(productIds.filter((id) => !section.includes(`\`${id}\``))).toEqual([]);
});

test('names every pair of the weekly and monthly chart', () => {
  expect(KRAKEN_PAIRS.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
