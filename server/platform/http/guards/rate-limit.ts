/** How often one key (an address, an account) may do one thing. Keys are kept hashed: memory holds no addresses of people. */
import { createHash, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#domain/errors/app-error.ts';

export interface RateLimit {
  points: number;
  perS: number;
}

/** What is left of a key's points, and when it has them all again. */
export interface RateLeft {
  left: number;
  resetS: number;
}

export interface RateLimiter {
  /**
   * @param points  what this costs, 1 unless told; more than are left are refused as a whole
   * @throws AppError `request/too-many` with `retryAfterS`
   */
  consume(key: string, points?: number): Promise<RateLeft>;
  /** Takes points back, 1 unless told: what was consumed turned out not to count. */
  giveBack(key: string, points?: number): Promise<void>;
  /** The key starts afresh: a right password forgives the wrong ones before it. */
  forgive(key: string): Promise<void>;
}

/** @param name  of the limit, apart from all others: letters and dashes */
export type RateLimiterOf = (limit: RateLimit, name: string) => RateLimiter;

/** Each process counts for itself. */
export const limiterOfProcess: RateLimiterOf = (limit) => rateLimiter(limit);

const SALT = randomBytes(16);
/** Of SHA-256: two of fifty thousand keys share these with a chance of one in 10^29. */
const KEY_BYTES = 16;
/** 22 MB, were a flood of strangers to fill one limiter (measured; without a bound 200,000 keys held 244 MB). */
const MAX_KEYS = 50_000;

/**
 * @param maxKeys  beyond them the oldest is forgotten. Whoever has so many addresses gains nothing by making room: each
 *                 of them has a count of its own. Refusing new keys instead would shut everybody else out.
 */
export function rateLimiter(limit: RateLimit, maxKeys = MAX_KEYS): RateLimiter {
  const limiter = new RateLimiterMemory({ points: limit.points, duration: limit.perS, keyPrefix: '' });
  /** In the order in which their time began; those that have ended stay until they are the oldest. */
  const known = new Set<string>();

  function begin(id: string): void {
    known.delete(id);
    known.add(id);
    if (known.size <= maxKeys) return;
    const [oldest = id] = known;
    forget(oldest);
  }

  function forget(id: string): void {
    known.delete(id);
    void limiter.delete(id);
  }

  return {
    async consume(key, points = 1) {
      const id = hashed(key);
      try {
        const { isFirstInDuration, remainingPoints, msBeforeNext } = await limiter.consume(id, points);
        if (isFirstInDuration) begin(id);
        return { left: remainingPoints, resetS: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        if (refusal.isFirstInDuration) begin(id);
        const retryAfterS = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw new AppError('request/too-many', { details: { retryAfterS } });
      }
    },
    async giveBack(key, points = 1) {
      const id = hashed(key);
      if ((await limiter.get(id)) !== null) await limiter.reward(id, points);
    },
    async forgive(key) {
      forget(hashed(key));
    },
  };
}

function hashed(key: string): string {
  return createHash('sha256').update(SALT).update(key).digest().toString('base64url', 0, KEY_BYTES);
}

/** One household's IPv6 addresses share a /64; IPv4 mapped into IPv6 is IPv4. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
    : [];
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
