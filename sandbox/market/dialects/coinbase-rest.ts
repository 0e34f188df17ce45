/** What Coinbase Exchange answers over HTTP. */
import type { DialectAnswer, DialectParts, DialectRequest } from '../dialect.ts';

export function answerCoinbaseRest(_request: DialectRequest, _parts: DialectParts): DialectAnswer {
  return { status: 404, body: { message: 'NotFound' } };
}
