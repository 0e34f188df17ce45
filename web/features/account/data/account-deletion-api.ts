import * as z from 'zod/mini';
import { deletionMessage } from '#domain/account/deletion-messages.ts';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { doneSchema } from '#domain/contract/function-contract.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { callTypedFunction } from '../../../platform/calls/functions.ts';
import { reportError } from '../../../platform/error-log.ts';
import { type AuthenticatorApp, fetchApps, proveApp } from '../two-factor/two-factor-api.ts';

export interface DeletionTerms {
  /** What the user must enter or do; `none`: the last sign-in is recent enough. */
  proof: 'password' | 'code' | 'sign-in' | 'none';
  /** For a code; otherwise empty. */
  apps: readonly AuthenticatorApp[];
  hasPlan: boolean;
}

const stateSchema = z.object({
  proof: z.enum(['password', 'recent-sign-in']),
  is_proven: z.boolean(),
  has_plan: z.boolean(),
});

/** @returns `by-operator` if this site's operator deletes accounts; a text if the terms can't be loaded */
export async function fetchDeletionTerms(): Promise<DeletionTerms | 'by-operator' | { failure: string }> {
  try {
    const state = await callTypedFunction('delete-account', { action: 'status' }, stateSchema);
    const hasPlan = state.has_plan;
    if (state.proof === 'password') return { proof: 'password', apps: [], hasPlan };
    if (state.is_proven) return { proof: 'none', apps: [], hasPlan };
    const apps = await fetchApps();
    return { proof: apps.length > 0 ? 'code' : 'sign-in', apps, hasPlan };
  } catch (error) {
    if (error instanceof CallError && error.code === 'account/deletion-by-operator') return 'by-operator';
    reportError(error, { where: 'account deletion' });
    return { failure: 'We couldn’t reach the account service. Nothing was deleted. Please try again.' };
  }
}

export interface DeletionProof {
  password?: string;
  code?: string;
  /** The app that shows the code. */
  factorId?: string | undefined;
}

/** @returns null once the account is deleted */
export async function deleteAccount({ password, code, factorId }: DeletionProof): Promise<ReportedProblem | null> {
  if (code !== undefined && factorId !== undefined) {
    const problem = await proveApp(factorId, code);
    if (problem !== null) return problem;
  }
  try {
    const body = { action: 'delete' as const, ...(password !== undefined && { password }) };
    await callTypedFunction('delete-account', body, doneSchema);
    return null;
  } catch (error) {
    reportError(error, { where: 'account deletion' });
    return deletionMessage(error instanceof CallError ? error : {});
  }
}
