import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { filledText, wholeNumber } from '#domain/contract/query-fields.ts';
import type { UnknownParameters } from '#domain/contract/route-contract.ts';
import { isAppError } from '#domain/errors/app-error.ts';
import { readQuery } from './read-query.ts';

const schema = z.object({
  sym: filledText,
  limit: z._default(wholeNumber(1, 100), 20),
  kind: z.optional(z.enum(['a', 'b'])),
});

const read = (query: string, unknown?: UnknownParameters) => readQuery(new URLSearchParams(query), schema, unknown);

function refusal(query: string, unknown?: UnknownParameters): unknown {
  try {
    return read(query, unknown);
  } catch (error) {
    return isAppError(error) && error.code === 'request/invalid' ? error.details : error;
  }
}

test('reads whole numbers as numbers, and all else as text', () => {
  expect(read('sym=7&limit=50&kind=a')).toEqual({ sym: '7', limit: 50, kind: 'a' });
  expect(read('sym=BTC')).toEqual({ sym: 'BTC', limit: 20 });
});

test.each([
  ['', 'sym', 'missing'],
  ['sym=', 'sym', 'missing'],
  ['sym=a&sym=b', 'sym', 'repeated'],
  ['sym=a&kind=', 'kind', 'invalid'],
  ['sym=a&kind=c', 'kind', 'invalid'],
  ['sym=a&limit=0', 'limit', 'invalid'],
  ['sym=a&limit=101', 'limit', 'invalid'],
  ['sym=a&limit=', 'limit', 'invalid'],
  ['sym=a&limit=1e1', 'limit', 'invalid'],
  ['sym=a&limit=%2B5', 'limit', 'invalid'],
  ['sym=a&limit=05', 'limit', 'invalid'],
  ['sym=a&limit=9007199254740993', 'limit', 'invalid'],
  ['sym=a&Sym=b', 'query', 'unknown'],
  ['sym=a&__proto__=b', 'query', 'unknown'],
  ['sym=a&constructor=b', 'query', 'unknown'],
])('refuses %j: %s is %s', (query, parameter, problem) => {
  expect(refusal(query)).toEqual({ parameter, problem });
});

test('reports an unknown parameter by its name, cut and cleaned, where a route asks for that', () => {
  expect(refusal('sym=a&token=b', 'named')).toEqual({ parameter: 'token', problem: 'unknown' });
  const name = `<b>\r\n${'x'.repeat(99)}`;
  expect(refusal(`sym=a&${encodeURIComponent(name)}=b`, 'named')).toEqual({
    parameter: `?b???${'x'.repeat(25)}`,
    problem: 'unknown',
  });
});

test('ignores unknown parameters where a route asks for that', () => {
  expect(read('sym=a&token=b', 'ignored')).toEqual({ sym: 'a', limit: 20 });
});
