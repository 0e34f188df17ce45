/**
 * `fetch` as the auth client uses it. No call waits for ever, and a session ends by this browser's own clock: the server
 * says when a token ends by its clock too, and a browser that is a day ahead would take every new token for an old one
 * and ask for the next without end.
 */
import { retryingFetch } from '../calls/shed-retry.ts';
import { CALL_LIMIT_MS } from '../calls/time-limit.ts';

export const authFetch: typeof fetch = async (input, init) => {
  const response = await retryingFetch(input, { ...init, signal: AbortSignal.timeout(CALL_LIMIT_MS) });
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (!response.ok || !isJson) return response;
  const { status, headers } = response;
  return new Response(withoutEnd(await response.text()), { status, headers });
};

/** The library reckons with `expires_in`, from now, where `expires_at` is missing. */
function withoutEnd(text: string): string {
  if (!text.includes('"expires_at"')) return text;
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('access_token' in answer)) return text;
  return JSON.stringify({ ...answer, expires_at: undefined });
}
