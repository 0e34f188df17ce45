import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { forecastPath } from '#domain/share/forecast-id.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { ShareStore } from './share-store.ts';

const TOKEN_BYTES = 16;
const body = z.strictObject({ id: z.guid() });
const NOT_YOURS = 'share/no-such-prediction';

/** `share-prediction` answers `{ok, path}`, again with the same path; `unshare-prediction` answers `{ok}`. */
export function shareFunctions(store: Pick<ShareStore, 'share' | 'revoke'>): ServerFunction[] {
  return [
    serverFunction({
      name: 'share-prediction',
      body,
      refusals: [NOT_YOURS],
      async handle({ body: { id }, caller }) {
        const token = await store.share(caller.userId, id, randomBytes(TOKEN_BYTES).toString('hex'));
        if (token === null) throw new AppError(NOT_YOURS);
        return { ok: true, path: forecastPath(token) };
      },
    }),
    serverFunction({
      name: 'unshare-prediction',
      body,
      refusals: [NOT_YOURS],
      async handle({ body: { id }, caller }) {
        if (!(await store.revoke(caller.userId, id))) throw new AppError(NOT_YOURS);
        return { ok: true };
      },
    }),
  ];
}
