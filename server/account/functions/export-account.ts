/** export-account: everything stored about the caller. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { asOwner } from '../../platform/database/database.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { AccountDeps } from '../account-deps.ts';
import { exportedAccount } from '../export/export-store.ts';
import { exportStream } from '../export/export-stream.ts';

/**
 * Answers `{ok, exported_at, account, ...}` with one list of rows for each table (export-store.ts), oldest first.
 * Concurrent changes may be missing. An interrupted export has no end and is invalid JSON.
 */
export function exportAccount(deps: Pick<AccountDeps, 'database' | 'clock' | 'limits' | 'log'>): ServerFunction {
  return serverFunction({
    name: 'export-account',
    body: z.unknown(),
    refusals: ['request/too-many'],
    async handle({ caller }) {
      await deps.limits.exportsPerAccount.consume(caller.userId);
      const exportedAtIso = new Date(deps.clock.nowMs()).toISOString();
      const account = await exportedAccount(asOwner(deps.database), caller.userId);
      if (account === null) throw new AppError('auth/session-ended');
      const onBreak = (error: unknown) => deps.log.error({ err: error }, 'a download of an account broke off');
      return exportStream(deps.database, { id: caller.userId, account, exportedAtIso }, onBreak);
    },
  });
}
