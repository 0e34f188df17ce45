import * as z from 'zod/mini';
import { type AuthRefusal, FACTORS_REMOVED, factorMessage, recoveryMessage } from '#domain/account/auth-messages.ts';
import { CallError, readRefusal } from '../../platform/calls/call-error.ts';
import { callFunction } from '../../platform/calls/functions.ts';
import { reportError } from '../../platform/error-log.ts';
import { supabase } from '../../platform/supabase.ts';
import { toast } from '../../ui/overlay/toast.ts';

/** @returns an error message, or null when the code was right and this browser is signed in */
export async function proveFactor(factorId: string, code: string): Promise<string | null> {
  try {
    const { error } = await (await supabase()).auth.mfa.challengeAndVerify({ factorId, code });
    if (error === null) return null;
    reportError(error, { where: 'second factor' });
    return factorMessage(error);
  } catch (error) {
    reportError(error, { where: 'second factor' });
    return factorMessage({});
  }
}

const answerSchema = z.object({ ok: z.boolean() });

/** Removes the account's factors. @returns an error message, or null when this browser is signed in */
export async function spendRecoveryCode(code: string): Promise<string | null> {
  try {
    const { auth } = await supabase();
    const { data } = await auth.getSession();
    if (data.session === null) return recoveryMessage({ code: 'auth/session-ended' });
    const answer = await callFunction('recover-second-factor', { code }, data.session.access_token);
    const { ok } = answerSchema.parse(answer);
    const { code: reason } = readRefusal(answer);
    // If another tab has removed the factors, there is nothing left to wait for either.
    if (!ok && reason !== 'account/no-second-factor') return recoveryMessage(refusalOf(reason));
    const { error } = await auth.refreshSession();
    if (error !== null) throw error;
    toast.success(FACTORS_REMOVED);
    return null;
  } catch (error) {
    reportError(error, { where: 'recovery code' });
    return recoveryMessage(error instanceof CallError ? error : {});
  }
}

function refusalOf(reason: string | undefined): AuthRefusal {
  return reason === 'request/too-many' ? { code: reason, status: 429 } : { code: reason };
}
