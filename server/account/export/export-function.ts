import type { ACCOUNT_FUNCTIONS } from '#domain/contract/account-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { FunctionHandler } from '../../platform/http/calls/server-function.ts';
import { textStream } from '../../platform/http/streams/text-stream.ts';
import type { AccountDeps } from '../account-deps.ts';
import { EXPORT_SECTIONS, exportRows, noteAccountExport, readAccountExport } from './export-store.ts';

/** Concurrent changes may be missing. An interrupted export has no end and is invalid JSON. */
export function exportAccount(
  deps: Pick<AccountDeps, 'database' | 'clock' | 'limits' | 'log'>,
): FunctionHandler<(typeof ACCOUNT_FUNCTIONS)['export-account']> {
  return async ({ caller }) => {
    await deps.limits.exportsPerAccount.consume(caller.userId);
    const exportedAtIso = new Date(deps.clock.nowMs()).toISOString();
    const account = await readAccountExport(asOwner(deps.database), caller.userId);
    if (account === null) throw new AppError('auth/session-ended');
    await noteAccountExport(asOwner(deps.database), caller.userId);
    const onBreak = (error: unknown) => deps.log.error({ err: error }, 'an account download was interrupted');
    return exportStream(deps.database, { id: caller.userId, account, exportedAtIso }, onBreak);
  };
}

/**
 * The JSON text of an export, from `{` to `}`. Reading stops when the client disconnects.
 * @param user.account JSON text
 * @param onBreak called with the error that cut the export short; the client then gets no end either
 */
export function exportStream(
  database: Database,
  user: { id: string; account: string; exportedAtIso: string },
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return textStream(exportPieces(database, user), onBreak);
}

async function* exportPieces(
  database: Database,
  user: { id: string; account: string; exportedAtIso: string },
): AsyncGenerator<string> {
  yield `{"ok":true,"exported_at":${JSON.stringify(user.exportedAtIso)},"account":${user.account}`;
  for (const section of EXPORT_SECTIONS) {
    yield `,${JSON.stringify(section.name)}:[`;
    let isFirst = true;
    for await (const rows of exportRows(asOwner(database), section, user.id)) {
      yield `${isFirst ? '' : ','}${rows.join(',')}`;
      isFirst = false;
    }
    yield ']';
  }
  yield '}';
}
