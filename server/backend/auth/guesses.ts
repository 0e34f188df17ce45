/**
 * Counting guesses at a secret of an account. From one address few are taken; from all addresses together more, so that
 * one stranger who guesses wrong keeps only himself out, and not the owner. Decision: docs/decisions/016-limits.md.
 */
import type { RateLimiter } from '../../platform/http/guards/rate-limit.ts';

export interface GuessLimits {
  /** By account and address. A right guess forgives the wrong ones before it. */
  ofPair: readonly RateLimiter[];
  /** By account alone. A right guess takes back itself alone, else the owner's would let others guess on. */
  ofAccount: readonly RateLimiter[];
}

export interface Guess {
  wasRight(): Promise<void>;
}

/**
 * Counts before anything is compared, so that guesses at the same moment are counted too. Those that the pair's limit
 * refuses do not reach the account's.
 *
 * @throws AppError `request/too-many`
 */
export async function countGuess(limits: GuessLimits, guess: { account: string; address: string }): Promise<Guess> {
  const pair = `${guess.account} ${guess.address}`;
  for (const limiter of limits.ofPair) await limiter.consume(pair);
  for (const limiter of limits.ofAccount) await limiter.consume(guess.account);
  return {
    async wasRight() {
      for (const limiter of limits.ofPair) await limiter.forgive(pair);
      for (const limiter of limits.ofAccount) await limiter.giveBack(guess.account);
    },
  };
}
