/** Lists, adds and removes the account's authenticator apps. Secrets and codes are neither stored nor reported. */
import * as z from 'zod/mini';
import { type AuthRefusal, factorMessage } from '#domain/account/auth-messages.ts';
import {
  firstCodeMessage,
  type ReportedProblem,
  recoveryCodesMessage,
  removalMessage,
  setUpMessage,
} from '#domain/account/second-factor-messages.ts';
import { SITE_NAME } from '#domain/site/page-head.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { callTypedFunction } from '../../../platform/calls/functions.ts';
import { reportError } from '../../../platform/error-log.ts';
import { supabase } from '../../../platform/supabase.ts';

export interface AuthenticatorApp {
  id: string;
  /** Empty when the user did not name it. */
  name: string;
  addedAtMs: number;
}

/** What the user enters into the app; the server never sends it again. */
export interface AppSetUp {
  id: string;
  /** An SVG picture as a data URL. */
  qrCode: string;
  /** Base32. */
  secret: string;
  /** `otpauth://` */
  uri: string;
}

/** Verified apps only. @throws AuthError */
export async function fetchApps(): Promise<AuthenticatorApp[]> {
  const { data, error } = await (await supabase()).auth.mfa.listFactors();
  if (error !== null) throw error;
  return data.totp.map((factor) => ({
    id: factor.id,
    name: factor.friendly_name ?? '',
    addedAtMs: Date.parse(factor.created_at),
  }));
}

/** Removes unfinished setups first, because their name would be taken, then starts a new one. */
export async function beginSetUp(name: string): Promise<AppSetUp | ReportedProblem> {
  try {
    const { mfa } = (await supabase()).auth;
    const listed = await mfa.listFactors();
    if (listed.error !== null) throw listed.error;
    const begun = listed.data.all.filter(({ status, factor_type }) => status !== 'verified' && factor_type === 'totp');
    for (const { id } of begun) await mfa.unenroll({ factorId: id });
    const { data, error } = await mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: SITE_NAME });
    if (error !== null) throw error;
    return { id: data.id, qrCode: pictureOf(data.totp.qr_code), secret: data.totp.secret, uri: data.totp.uri };
  } catch (error) {
    reportError(error, { where: 'set up a second factor' });
    return setUpMessage(refusalOf(error));
  }
}

/** The library appends the raw SVG after the comma; some of its characters would end the URL there. */
function pictureOf(dataAddress: string): string {
  const begin = dataAddress.indexOf('<svg');
  if (begin < 0) return dataAddress;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(dataAddress.slice(begin))}`;
}

/** @returns null when the code was right: the app is set up and this session verified by it */
export async function finishSetUp(factorId: string, code: string): Promise<ReportedProblem | null> {
  return proving(factorId, code, firstCodeMessage);
}

/** Removes an unverified app. If that fails, the server drops it after ten minutes. */
export async function abandonSetUp(factorId: string): Promise<void> {
  try {
    const { auth } = await supabase();
    const { data } = await auth.getSession();
    if (data.session === null) return;
    const { error } = await auth.mfa.unenroll({ factorId });
    if (error !== null) reportError(error, { where: 'abandoned two-factor setup' });
  } catch (error) {
    reportError(error, { where: 'abandoned two-factor setup' });
  }
}

type Removal = { kind: 'removed' } | { kind: 'code-needed' } | { kind: 'refused'; problem: ReportedProblem };

/** `code-needed`: this session's second factor is missing or expired; nothing is removed. */
export async function removeApp(factorId: string): Promise<Removal> {
  try {
    const { auth } = await supabase();
    const { error } = await auth.mfa.unenroll({ factorId });
    if (error?.code === 'insufficient_aal') return { kind: 'code-needed' };
    if (error !== null) throw error;
    await refresh();
    return { kind: 'removed' };
  } catch (error) {
    reportError(error, { where: 'remove a second factor' });
    return { kind: 'refused', problem: removalMessage(refusalOf(error)) };
  }
}

/** @returns null when the code was right: the app has verified this session */
export async function proveApp(factorId: string, code: string): Promise<ReportedProblem | null> {
  return proving(factorId, code, (refusal) => ({ message: factorMessage(refusal), needsSignIn: false }));
}

async function proving(
  factorId: string,
  code: string,
  toProblem: (refusal: AuthRefusal) => ReportedProblem,
): Promise<ReportedProblem | null> {
  try {
    const { error } = await (await supabase()).auth.mfa.challengeAndVerify({ factorId, code });
    if (error === null) return null;
    throw error;
  } catch (error) {
    reportError(error, { where: 'second factor' });
    return toProblem(refusalOf(error));
  }
}

/** The stored token and user still list the app. A failure does no harm: both are renewed within the hour. */
async function refresh(): Promise<void> {
  const { error } = await (await supabase()).auth.refreshSession();
  if (error !== null) reportError(error, { where: 'session after removing a factor' });
}

function refusalOf(error: unknown): AuthRefusal {
  if (typeof error !== 'object' || error === null) return {};
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
  return { code, status };
}

const statusSchema = z.object({
  remaining: z.number(),
  created_at: z.nullable(z.iso.datetime({ offset: true })),
});
const codesSchema = z.object({ codes: z.array(z.string()).check(z.minLength(1)) });

export interface RecoveryCodesLeft {
  remaining: number;
  /** Null when none were created for the current apps. */
  createdAtMs: number | null;
}

/** @throws CallError */
export async function fetchCodesLeft(signal: AbortSignal): Promise<RecoveryCodesLeft> {
  const { remaining, created_at } = await callTypedFunction(
    'recovery-codes',
    { action: 'status' },
    statusSchema,
    signal,
  );
  return { remaining, createdAtMs: created_at === null ? null : Date.parse(created_at) };
}

/** Invalidates the older codes. */
export async function makeCodes(): Promise<readonly string[] | ReportedProblem> {
  try {
    return (await callTypedFunction('recovery-codes', { action: 'create' }, codesSchema)).codes;
  } catch (error) {
    reportError(error, { where: 'recovery codes' });
    return recoveryCodesMessage(error instanceof CallError ? error : {});
  }
}
