/**
 * `fetch` as the auth client uses it. Every call has a time limit, and a session expires by this browser's clock: the
 * server's expiry uses its own clock, and a browser a day ahead would treat every new token as expired and refresh
 * endlessly.
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

/** Without `expires_at` the library counts `expires_in` from now. */
function withoutEnd(text: string): string {
  if (!text.includes('"expires_at"')) return text;
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('access_token' in answer)) return text;
  return JSON.stringify({ ...answer, expires_at: undefined });
}
