/** Limits wrong guesses per account and address, and per account. */
import type { RateLimiter } from '../platform/http/guards/rate-limit.ts';

export interface GuessLimits {
  /** By account and address. A correct guess resets the count. */
  ofPair: readonly RateLimiter[];
  /** By account alone. A correct guess only refunds itself; a reset by the owner would let others continue guessing. */
  ofAccount: readonly RateLimiter[];
}

export interface Guess {
  wasRight(): Promise<void>;
}

/**
 * Counts before the comparison, so that simultaneous guesses count too. Guesses refused by the pair's limit don't count
 * against the account's. @throws AppError `request/too-many`
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
