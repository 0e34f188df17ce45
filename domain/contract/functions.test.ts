import { expect, test } from 'vitest';
import type { FunctionContract } from './function-contract.ts';
import { FUNCTIONS } from './functions.ts';

test.each(Object.entries<FunctionContract>(FUNCTIONS))('%s accepts its own example', (_, { body, example }) => {
  expect(body.safeParse(example ?? undefined)).toMatchObject({ success: true });
});

const TAKING_BODIES = Object.entries<FunctionContract>(FUNCTIONS).filter(([, { example }]) => example !== null);

test.each(TAKING_BODIES)('%s refuses what no client sends', (_, { body }) => {
  for (const wrong of [null, 'text', 7, [], { unknown: true }]) expect(body.safeParse(wrong).success).toBe(false);
});
