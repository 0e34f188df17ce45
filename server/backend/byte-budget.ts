/**
 * Limits the bytes stored per account a day, and per address and by everyone an hour. A point of the rate limits is one
 * KiB, so processes that share rate limits share these budgets: docs/decisions/053-budgets-of-bytes.md.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { RateLimiter } from '../platform/http/guards/rate-limit.ts';
import { step } from '../platform/telemetry/steps.ts';
import type { RateLimits } from './limits.ts';

export interface Payer {
  /** Null for a visitor. */
  userId: string | null;
  address: string;
}

export interface ByteBudget {
  /** All or nothing, in whole KiB. @throws AppError `request/too-many` with `retryAfterS` and the exhausted `budget` */
  spend(payer: Payer, bytes: number): Promise<void>;
}

type Share = 'account' | 'address' | 'all';
type Shares = Readonly<Record<Share, RateLimiter>>;

export interface ByteBudgets {
  reports: ByteBudget;
  pictures: ByteBudget;
  verifiedPictures: ByteBudget;
}

export function byteBudgets(limits: RateLimits): ByteBudgets {
  return {
    reports: byteBudget('reports', {
      account: limits.reportKibPerAccountADay,
      address: limits.reportKibPerAddressAnHour,
      all: limits.reportKibInAllAnHour,
    }),
    pictures: byteBudget('pictures', {
      account: limits.pictureKibPerAccountADay,
      address: limits.pictureKibPerAddressAnHour,
      all: limits.pictureKibInAllAnHour,
    }),
    verifiedPictures: byteBudget('verified_pictures', {
      account: limits.verifiedPictureKibPerAccountADay,
      address: limits.verifiedPictureKibPerAddressAnHour,
      all: limits.verifiedPictureKibInAllAnHour,
    }),
  };
}

const KIB = 1024;

function byteBudget(name: string, shares: Shares): ByteBudget {
  return {
    async spend({ userId, address }, bytes) {
      const points = Math.ceil(bytes / KIB);
      if (points === 0) return;
      const keys: [Share, string][] = [
        ...(userId === null ? [] : [['account', userId] as [Share, string]]),
        ['address', address],
        // Last, so that a client over its own budget takes nothing from the others.
        ['all', 'all'],
      ];
      for (const [at, [share, key]] of keys.entries()) {
        try {
          await shares[share].take(key, points);
        } catch (error) {
          if (!isAppError(error) || error.code !== 'request/too-many') throw error;
          // Refused bytes were not stored, so the shares before are refunded: a smaller write may still fit.
          for (const [spent, of] of keys.slice(0, at)) await shares[spent].giveBack(of, points);
          await countRefusal(name, share);
          throw new AppError('request/too-many', { details: { ...error.details, budget: share }, cause: error });
        }
      }
    },
  };
}

/** For the metric kat_data_refused_total. */
function countRefusal(budget: string, share: Share): Promise<void> {
  return step({ kind: 'refusal', name: budget, outcome: share }, async () => undefined);
}

/** Charges for one item whose size becomes known bit by bit. */
export interface Spending {
  /** Charges the bytes beyond the previous maximum. @throws as ByteBudget */
  upTo(bytes: number): Promise<void>;
}

export function meteredSpending(budget: ByteBudget, payer: Payer): Spending {
  let charged = 0;
  return {
    async upTo(bytes) {
      const whole = Math.ceil(bytes / KIB) * KIB;
      if (whole <= charged) return;
      await budget.spend(payer, whole - charged);
      charged = whole;
    },
  };
}

const EXHAUSTED: Readonly<Record<Share, string>> = {
  account: 'Your account has used up its allowance for now.',
  address: 'Your network has used up its allowance for now.',
  all: 'The site’s allowance for all users is used up for now.',
};

/** @returns the message for the user; null for a refusal that has nothing to do with bytes */
export function budgetRefusal({ details }: AppError, what: string): string | null {
  const { budget, retryAfterS } = details;
  if (budget !== 'account' && budget !== 'address' && budget !== 'all') return null;
  return `The ${what} was not stored. ${EXHAUSTED[budget]} Please try again in ${formatWait(Number(retryAfterS))}.`;
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 2) return 'a minute';
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
