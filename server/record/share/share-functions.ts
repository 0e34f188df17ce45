import { randomBytes } from 'node:crypto';
import { SHARE_FUNCTIONS } from '#domain/contract/share-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { forecastPath } from '#domain/share/forecast-id.ts';
import { contractFunctions, type ServerFunction } from '../../platform/http/calls/server-function.ts';
import type { ShareStore } from './share-store.ts';

const TOKEN_BYTES = 16;
const NOT_YOURS = 'share/no-such-prediction';

/** `share-prediction` answers `{ok, path}`, again with the same path; `unshare-prediction` answers `{ok}`. */
export function shareFunctions(store: Pick<ShareStore, 'share' | 'revoke'>): ServerFunction[] {
  return contractFunctions(SHARE_FUNCTIONS, {
    async 'share-prediction'({ body: { id }, caller }) {
      const token = await store.share(caller.userId, id, randomBytes(TOKEN_BYTES).toString('hex'));
      if (token === null) throw new AppError(NOT_YOURS);
      return { path: forecastPath(token) };
    },
    async 'unshare-prediction'({ body: { id }, caller }) {
      if (!(await store.revoke(caller.userId, id))) throw new AppError(NOT_YOURS);
    },
  });
}
