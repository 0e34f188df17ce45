/** Recovery codes: how many are left, and new ones. The server shows a code once. */
import * as z from 'zod/mini';
import { recoveryCodesMessage, type Told } from '#domain/account/second-factor-messages.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { callTypedFunction } from '../../../platform/calls/functions.ts';
import { reportError } from '../../../platform/error-log.ts';

const statusSchema = z.object({
  remaining: z.number(),
  created_at: z.nullable(z.iso.datetime({ offset: true })),
});
const codesSchema = z.object({ codes: z.array(z.string()).check(z.minLength(1)) });

export interface RecoveryCodesLeft {
  remaining: number;
  /** Null when none were created for the current apps. */
  madeAtMs: number | null;
}

/** @throws CallError */
export async function fetchCodesLeft(signal: AbortSignal): Promise<RecoveryCodesLeft> {
  const { remaining, created_at } = await callTypedFunction(
    'recovery-codes',
    { action: 'status' },
    statusSchema,
    signal,
  );
  return { remaining, madeAtMs: created_at === null ? null : Date.parse(created_at) };
}

/** Invalidates the older codes. */
export async function makeCodes(): Promise<readonly string[] | Told> {
  try {
    return (await callTypedFunction('recovery-codes', { action: 'create' }, codesSchema)).codes;
  } catch (error) {
    reportError(error, { where: 'recovery codes' });
    return recoveryCodesMessage(error instanceof CallError ? error : {});
  }
}
