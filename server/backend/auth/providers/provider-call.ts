/** Calls to sign-in providers: bounded in time and size; a failure states its reason without any token or code. */
import { readBoundedBytes } from '../../../platform/outbound/foreign-answer.ts';

/** A failure at a provider. Its cause isn't attached, because it holds requests and responses with secrets. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly provider: string;
  readonly step: 'discovery' | 'exchange' | 'profile' | 'keys';
  /** Only names and codes of the error. */
  readonly reason: string;

  constructor(provider: string, step: ProviderFailure['step'], cause: unknown) {
    const reason = reasonOf(cause);
    super(`${provider}: ${step} failed (${reason})`);
    this.provider = provider;
    this.step = step;
    this.reason = reason;
  }
}

export type ProviderFetch = (url: string, init: RequestInit) => Promise<Response>;

export const PROVIDER_TIMEOUT_MS = 10_000;
/** Discovery documents, keys and profiles take a few kilobytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Follows no redirect. Reads the whole response before returning it. */
export function providerFetch(timeoutMs: number): ProviderFetch {
  return async (url, init) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = init.signal === undefined || init.signal === null ? limit : AbortSignal.any([init.signal, limit]);
    const answer = await fetch(url, { ...init, redirect: 'manual', signal });
    const body = await readBoundedBytes(answer, MAX_ANSWER_BYTES);
    return new Response(body.byteLength === 0 ? null : body, { status: answer.status, headers: answer.headers });
  };
}

/** Error names and codes, outermost first, such as `ClientError/OAUTH_TIMEOUT < TimeoutError`; no messages. */
function reasonOf(cause: unknown): string {
  const parts: string[] = [];
  for (let at = cause; at instanceof Error && parts.length < 3; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? `/${at.code}` : '';
    const error = 'error' in at && typeof at.error === 'string' ? `/${at.error}` : '';
    const status = 'status' in at && typeof at.status === 'number' ? `/${at.status}` : '';
    parts.push(`${at.name}${code}${error}${status}`.slice(0, 120));
  }
  return parts.length === 0 ? 'unknown' : parts.join(' < ');
}
