/** What the payment stand-in may be sent, against the parameters that the provider's SDK declares for the same calls. */
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS } from '../../sandbox/payments/api/api.ts';
import { EXPANDABLE } from '../../sandbox/payments/api/expandable.ts';
import { declaredExpandables } from '../support/payments/declared-expandables.ts';
import { providerSchema } from '../support/payments/provider-schema.ts';
import { strangeParams } from '../support/payments/strange-params.ts';

// The first time it is made, which takes seconds.
beforeAll(() => void providerSchema());

test.each(ENDPOINTS.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one.params] as const))(
  '%s takes nothing that the provider would refuse',
  (call, params) => {
    expect(strangeParams(call, params)).toEqual([]);
  },
);

test.each(Object.entries(EXPANDABLE))('of %s only what the provider declares can be expanded', (kind, paths) => {
  const declared = declaredExpandables(kind);

  expect(paths.filter((path) => !declared.includes(path))).toEqual([]);
});

test('the check finds a parameter, a value and a gap that the provider would refuse', () => {
  const params = z.strictObject({
    unit_amount: z.string(),
    currency: z.optional(z.string()),
    recurring: z.strictObject({ interval: z.enum(['month', 'fortnight']), shoe_size: z.string() }),
  });

  expect(strangeParams('POST /v1/prices', params)).toEqual([
    'unit_amount is not free',
    'recurring.interval is never fortnight',
    'recurring.shoe_size is unknown',
    'currency has to be given',
  ]);
});
