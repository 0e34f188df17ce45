/** Limits how often one key (an address, an account) may act. Keys are hashed, so memory holds no addresses. */
import { createHash, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#domain/errors/app-error.ts';

export interface RateLimit {
  points: number;
  perS: number;
}

export interface RateLeft {
  left: number;
  resetS: number;
}

export interface RateLimiter {
  /**
   * @param points default 1; refused as a whole if too few are left. @throws AppError `request/too-many`, `retryAfterS`
   */
  consume(key: string, points?: number): Promise<RateLeft>;
  /** As `consume`, but a refusal counts nothing, not even for a moment: a smaller request may fit. */
  take(key: string, points: number): Promise<RateLeft>;
  /** Returns points, default 1, because the consumed points turned out not to count. */
  giveBack(key: string, points?: number): Promise<void>;
  /** Resets the key: a correct password forgives the wrong ones before it. */
  forgive(key: string): Promise<void>;
}

/** @param name  unique name of the limit: letters and dashes */
export type RateLimiterOf = (limit: RateLimit, name: string) => RateLimiter;

/** Each process counts separately. */
export const limiterOfProcess: RateLimiterOf = (limit) => rateLimiter(limit);

const SALT = randomBytes(16);
/** Bytes of the SHA-256 hash: a collision among fifty thousand keys has a probability of one in 10^29. */
const KEY_BYTES = 16;
/** 22 MB if a flood of strangers fills one limiter (measured; without a bound 200,000 keys held 244 MB). */
const MAX_KEYS = 50_000;

/**
 * @param maxKeys beyond this number, the oldest key is forgotten. An attacker with that many addresses gains nothing,
 * because each address has a separate count. Refusing new keys instead would lock out everyone else.
 */
export function rateLimiter(limit: RateLimit, maxKeys = MAX_KEYS): RateLimiter {
  const limiter = new RateLimiterMemory({ points: limit.points, duration: limit.perS, keyPrefix: '' });
  /** In the order in which their periods started; expired keys stay until they are the oldest. */
  const known = new Set<string>();
  /** One after the other, so that none counts between another's check and its points. */
  let taking: Promise<unknown> = Promise.resolve();

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

  async function consume(id: string, points: number): Promise<RateLeft> {
    try {
      const { isFirstInDuration, remainingPoints, msBeforeNext } = await limiter.consume(id, points);
      if (isFirstInDuration) begin(id);
      return { left: remainingPoints, resetS: secondsOf(msBeforeNext) };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      if (refusal.isFirstInDuration) begin(id);
      throw tooMany(refusal.msBeforeNext);
    }
  }

  async function takeOne(id: string, points: number): Promise<RateLeft> {
    const used = await limiter.get(id);
    if ((used?.consumedPoints ?? 0) + points > limit.points) throw tooMany(used?.msBeforeNext ?? limit.perS * 1000);
    return consume(id, points);
  }

  return {
    consume: (key, points = 1) => consume(hashKey(key), points),
    take(key, points) {
      const taken = taking.then(() => takeOne(hashKey(key), points));
      taking = taken.catch(() => undefined);
      return taken;
    },
    async giveBack(key, points = 1) {
      const id = hashKey(key);
      if ((await limiter.get(id)) !== null) await limiter.reward(id, points);
    },
    async forgive(key) {
      forget(hashKey(key));
    },
  };
}

/** At least one, for a client that waits. */
export function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

export function tooMany(leftMs: number): AppError {
  return new AppError('request/too-many', { details: { retryAfterS: secondsOf(leftMs) } });
}

function hashKey(key: string): string {
  return createHash('sha256').update(SALT).update(key).digest().toString('base64url', 0, KEY_BYTES);
}

/** One household's IPv6 addresses share a /64; IPv4 mapped into IPv6 counts as IPv4. */
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
