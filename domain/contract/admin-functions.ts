/** The caller must be an admin who has shown the second factor. */
import * as z from 'zod/mini';
import { operationsStateSchema } from '../operations/operations-state.ts';
import { EXAMPLE_ID, functionContract } from './function-contract.ts';

const done = z.literal(true);

export const VERIFICATION_FUNCTIONS = {
  'admin-verify-subscriptions': functionContract({
    form: 'plans',
    isForAdmins: true,
    body: z.unknown(),
    answer: z.object({ ok: done, updated: z.int(), checked: z.int(), remaining: z.int(), failed: z.int() }),
    refusals: ['billing/busy'],
    example: null,
    docs: {
      sends: '',
      gets: '`{ok, updated, checked, remaining, failed}`: corrected rows, checked subscriptions, customers left for the next call (a call takes at most 50 s), customers that the provider refused to return. 503 `billing/provider-unavailable` if the provider could not be reached',
      refused: { 'billing/busy': 'another call runs; with `error` and `code`, as for subscriptions' },
    },
  }),
};

export const OPERATIONS_FUNCTIONS = {
  'operations-state': functionContract({
    isForAdmins: true,
    body: z.unknown(),
    answer: operationsStateSchema,
    refusals: [],
    example: null,
    docs: {
      sends: '',
      gets: '`{ok, attention, ...}`: the site’s state and current problems (`domain/operations/operations-state.ts`), cached for two seconds; no addresses, no secrets',
    },
  }),
  'operations-acknowledge-alarm': functionContract({
    isForAdmins: true,
    body: z.object({ id: z.uuid() }),
    answer: z.object({ ok: done, already_done: z.optional(done) }),
    refusals: [],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok: true}`, with `already_done` if no such alarm is open' },
  }),
};
