import type { Clock } from '#domain/time/clock.ts';

type Claims = Readonly<Record<string, unknown>>;

const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 5000;

/**
 * @param verify checks signature and times, and throws for an invalid token; only accepted tokens are cached
 * @returns the same function, which calls `verify` at most once in five seconds per token
 */
export function rememberVerified(
  verify: (token: string) => Promise<Claims>,
  clock: Clock,
): (token: string) => Promise<Claims> {
  const known = new Map<string, { claims: Claims; untilMs: number }>();

  return async (token) => {
    // Real time for the age of a cache entry; the product's clock, which may jump, for the token's own times.
    const nowMs = Date.now();
    const cached = known.get(token);
    if (cached !== undefined && cached.untilMs > nowMs && isWithin(cached.claims, clock.nowMs())) return cached.claims;
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
