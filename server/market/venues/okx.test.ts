import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { OKX } from './okx.ts';

const requestSchema = z.object({ args: z.array(z.object({ instId: z.string() })) });

test('subscribes to many instruments in requests of fifty, each once', () => {
  const ids = Array.from({ length: 120 }, (_, i) => `C${i}-USDT-SWAP`);

  const requests = OKX.greeting?.(ids).map((text) => requestSchema.parse(JSON.parse(text)).args) ?? [];

  expect(requests.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(requests.flat().map(({ instId }) => instId)).toEqual(ids);
});
