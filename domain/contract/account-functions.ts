import * as z from 'zod/mini';
import { createApiKeySchema, createdApiKeySchema } from '../account/api-key.ts';
import { doneSchema, EXAMPLE_ID, functionContract } from './function-contract.ts';

const done = z.literal(true);

export const ACCOUNT_FUNCTIONS = {
  'list-sessions': functionContract({
    body: z.unknown(),
    answer: z.object({
      ok: done,
      sessions: z.array(
        z.object({
          id: z.string(),
          created_at: z.string(),
          last_used_at: z.string(),
          user_agent: z.nullable(z.string()),
          ip: z.nullable(z.string()),
          aal: z.string(),
          is_current: z.boolean(),
        }),
      ),
    }),
    refusals: [],
    example: null,
    docs: {
      sends: '',
      gets: '`{ok, sessions: [{id, created_at, last_used_at, user_agent, ip, aal, is_current}]}`, latest use first, at most 200. `user_agent` and `ip` may be null. The last use is the last refresh, once an hour while a device is in use',
    },
  }),
  'end-session': functionContract({
    body: z.object({ session_id: z.guid() }),
    answer: doneSchema,
    refusals: ['account/current-session', 'account/no-such-session'],
    example: { session_id: EXAMPLE_ID },
    docs: {
      sends: '`{session_id}`',
      gets: '`{ok: true}`. Both tokens of that session become invalid, in this process immediately and in others within five seconds. With a hosted project, its access token still reads tables and files until it expires',
      refused: { 'account/current-session': 'sign out instead' },
    },
  }),
  'recovery-codes': functionContract({
    body: z.object({ action: z.enum(['status', 'create']) }),
    answer: z.union([
      z.object({ ok: done, remaining: z.number(), created_at: z.nullable(z.string()) }),
      z.object({ ok: done, codes: z.array(z.string()) }),
    ]),
    refusals: ['account/no-second-factor', 'request/too-many'],
    example: { action: 'status' },
    docs: {
      sends: '`{action: "status"}`, or `{action: "create"}`',
      gets: '`{ok, remaining, created_at}`; `created_at` is null without codes. To `create`: `{ok, codes}`: ten codes, shown only this once, which replace all older ones; the owner gets an email; 10 sets an hour',
    },
  }),
  'recover-second-factor': functionContract({
    body: z.object({ code: z.string().check(z.maxLength(100)) }),
    answer: doneSchema,
    refusals: ['account/wrong-recovery-code', 'account/no-second-factor', 'request/too-many'],
    isOneFactorEnough: true,
    example: { code: 'AAAA-AAAA-AAAA-AAAA' },
    docs: {
      sends: '`{code}`',
      gets: '`{ok: true}`; available to a session that has not shown the factor. It uses up the code, removes every factor, ends all other sessions and emails the owner. Hyphens, spaces and case do not matter; `o` reads as `0`, `i` and `l` as `1`',
      refused: {
        'account/no-second-factor': 'there is none now',
        'request/too-many': 'counted together with the app’s codes',
      },
    },
  }),
  'delete-account': functionContract({
    body: z.object({
      action: z.enum(['status', 'delete']),
      password: z.optional(z.string().check(z.maxLength(1000))),
    }),
    answer: z.union([
      z.object({
        ok: done,
        proof: z.enum(['password', 'recent-sign-in']),
        is_proven: z.boolean(),
        has_plan: z.boolean(),
      }),
      doneSchema,
    ]),
    refusals: [
      ...(['account/deletion-by-operator', 'account/wrong-password', 'account/proof-needed'] as const),
      ...(['account/last-admin', 'account/payment-owed', 'account/plan-runs', 'billing/busy'] as const),
      ...(['billing/provider-unavailable', 'billing/provider-refused', 'request/too-many'] as const),
    ],
    example: { action: 'status' },
    docs: {
      sends: '`{action: "status"}`, or `{action: "delete", password?}`',
      gets: '`{ok, proof, is_proven, has_plan}`; `proof` is `password`, or `recent-sign-in` for an account without one. `is_proven`: the last sign-in or second factor is at most ten minutes old. To `delete`: `{ok: true}`: the caller’s account is erased, its plan has ended at the provider without a refund, and every session is over. 10 attempts an hour by account, 20 erasures an hour by address. A refusal leaves the account as it is; a plan may have ended',
      refused: { 'account/plan-runs': 'it can’t be ended from here' },
    },
  }),
  'export-account': functionContract({
    body: z.unknown(),
    answer: z.looseObject({ ok: done, exported_at: z.string(), account: z.unknown() }),
    isStreamed: true,
    refusals: ['request/too-many'],
    example: null,
    docs: {
      sends: '',
      gets: '`{ok, exported_at, account, ...}`: one list of rows, oldest first, for each table that holds something about the user (`server/account/export/export-store.ts`); predictions include their `outcome`. It is streamed, so a broken download is invalid JSON. Ten an hour',
    },
  }),
  'create-api-key': functionContract({
    body: createApiKeySchema,
    answer: createdApiKeySchema,
    refusals: ['account/address-not-proven', 'account/too-many-keys', 'request/too-many'],
    example: { name: 'My program', expires_in_days: 30 },
    docs: {
      sends: '`{name, expires_in_days?}`',
      gets: '`{ok, id, key}`: a key of the read API (below), shown only this once; the owner gets an email. Ten live keys a user, 20 created an hour. Without days, the key lasts until it is revoked',
    },
  }),
  'revoke-api-key': functionContract({
    body: z.strictObject({ id: z.guid() }),
    answer: doneSchema,
    refusals: ['account/no-such-key'],
    example: { id: EXAMPLE_ID },
    docs: {
      sends: '`{id}`',
      gets: '`{ok: true}`; immediately in every process',
      refused: { 'account/no-such-key': 'another user’s, or already revoked' },
    },
  }),
};
