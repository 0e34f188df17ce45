/** Writes everything stored about an account to a file, for the operator: the same data as the owner's download. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { asOwner, type Database } from '../../platform/database/database.ts';
import { findAccounts } from '../find-account-store.ts';
import { exportStream } from './export-function.ts';
import { readAccountExport } from './export-store.ts';

export const exportOutcomeSchema = z.union([
  z.object({ kind: z.literal('written'), email: z.nullable(z.string()), file: z.string() }),
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('several'), ids: z.array(z.string()) }),
]);
export type ExportOutcome = z.infer<typeof exportOutcomeSchema>;

/** @throws Error of the file system, including when `file` already exists */
export async function exportToFile(
  database: Database,
  { account, file, nowMs }: { account: string; file: string; nowMs: number },
): Promise<ExportOutcome> {
  const [one, ...others] = await findAccounts(asOwner(database), account);
  if (one === undefined) return { kind: 'unknown' };
  if (others.length > 0) return { kind: 'several', ids: [one, ...others].map(({ id }) => id) };
  const text = await readAccountExport(asOwner(database), one.id);
  if (text === null) return { kind: 'unknown' };
  const exportedAtIso = new Date(nowMs).toISOString();
  let cause: unknown;
  const stream = exportStream(database, { id: one.id, account: text, exportedAtIso }, (error) => {
    cause = error;
  });
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(Readable.fromWeb(stream), out);
  } catch (error) {
    // Removes a partial download, but never a file that existed before.
    if (out.bytesWritten > 0) await rm(file, { force: true });
    throw cause ?? error;
  }
  return { kind: 'written', email: one.email, file };
}
