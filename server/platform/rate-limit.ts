/** How often one key (an address, an account) may do one thing. Keys are kept hashed: memory holds no addresses of people. */
import { createHash, randomBytes } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AppError } from '#domain/errors/app-error.ts';

export interface RateLimit {
  points: number;
  perS: number;
}

export interface RateLimiter {
  /**
   * @param points  what this costs, 1 unless told; more than are left are refused as a whole
   * @throws AppError `request/too-many` with `retryAfterS`
   */
  consume(key: string, points?: number): Promise<void>;
  /** The key starts afresh: a right password forgives the wrong ones before it. */
  forgive(key: string): Promise<void>;
}

const SALT = randomBytes(16);

export function rateLimiter(limit: RateLimit): RateLimiter {
  const limiter = new RateLimiterMemory({ points: limit.points, duration: limit.perS });
  const hashed = (key: string) => createHash('sha256').update(SALT).update(key).digest('base64url');
  return {
    async consume(key, points = 1) {
      const id = hashed(key);
      try {
        await limiter.consume(id, points);
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        const state = await limiter.get(id);
        const retryAfterS = Math.max(1, Math.ceil((state?.msBeforeNext ?? limit.perS * 1000) / 1000));
        throw new AppError('request/too-many', { details: { retryAfterS } });
      }
    },
    async forgive(key) {
      await limiter.delete(hashed(key));
    },
  };
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
