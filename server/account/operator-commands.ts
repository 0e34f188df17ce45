/** Account commands over the operator socket, for when a running server holds the embedded database. */
import * as z from 'zod/mini';
import { type EraseDeps, type ErasureOutcome, eraseAccount } from './erasure/erase-account.ts';
import { type ExportOutcome, exportToFile } from './export/export-file.ts';

const account = z.string().check(z.minLength(1), z.maxLength(320));
const eraseSchema = z.object({ account, isDry: z.boolean() });
const exportSchema = z.object({ account, file: z.string().check(z.minLength(1)) });

export const ERASE_PATH = '/erase';
export const EXPORT_PATH = '/export';
/** Covers long lists, errors searched one by one, and calls to the payment provider. */
export const ACCOUNT_LIMIT_MS = 300_000;

export function accountCommands(deps: EraseDeps): {
  [ERASE_PATH]: (body: unknown) => Promise<ErasureOutcome>;
  [EXPORT_PATH]: (body: unknown) => Promise<ExportOutcome>;
} {
  return {
    [ERASE_PATH]: (body) => eraseAccount(deps, eraseSchema.parse(body)),
    [EXPORT_PATH]: (body) => exportToFile(deps.database, { ...exportSchema.parse(body), nowMs: Date.now() }),
  };
}
