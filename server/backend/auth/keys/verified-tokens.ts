/**
 * Remembers for a few seconds which tokens were verified: a page sends the same one with each of its requests, and a
 * signature costs more than the rest of a small read. A key that is taken away counts no longer than those seconds.
 */
import type { Clock } from '#domain/time/clock.ts';

type Claims = Readonly<Record<string, unknown>>;

const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 5000;

/**
 * @param verify  checks signature and times, and throws for a token that is not ours; only what it lets pass is kept
 * @returns the same, asked at most once in five seconds for a token
 */
export function rememberVerified(
  verify: (token: string) => Promise<Claims>,
  clock: Clock,
): (token: string) => Promise<Claims> {
  const known = new Map<string, { claims: Claims; untilMs: number }>();

  return async (token) => {
    // Real time for the age of an answer; the product's clock, which may jump, for the token's own times.
    const nowMs = Date.now();
    const kept = known.get(token);
    if (kept !== undefined && kept.untilMs > nowMs && isWithin(kept.claims, clock.nowMs())) return kept.claims;
    const claims = await verify(token);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(token, { claims, untilMs: nowMs + REMEMBERED_MS });
    return claims;
  };
}

function isWithin({ exp, nbf }: Claims, nowMs: number): boolean {
  const nowS = Math.floor(nowMs / 1000);
  return typeof exp === 'number' && exp > nowS && (nbf === undefined || (typeof nbf === 'number' && nbf <= nowS));
}
