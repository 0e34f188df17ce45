/** Counted across all processes if the database is PostgreSQL: docs/decisions/016-limits.md. */
import {
  limiterOfProcess,
  type RateLimit,
  type RateLimiter,
  type RateLimiterOf,
} from '../platform/http/guards/rate-limit.ts';

const FIVE_MINUTES_S = 5 * 60;

const HOUR_S = 60 * 60;

const DAY_S = 24 * HOUR_S;

/** In KiB. */
const MIB = 1024;

/** Enough for a family or an office behind one address; far too few to guess passwords. */
export const DEFAULT_LIMITS = {
  signUpPerAddress: { points: 120, perS: FIVE_MINUTES_S },
  signInPerAddress: { points: 300, perS: FIVE_MINUTES_S },
  /** Wrong passwords in a row, of one account and from one address; a correct one resets them. */
  signInPerPair: { points: 20, perS: FIVE_MINUTES_S },
  /** Wrong passwords of one account from all addresses. */
  signInPerAccount: { points: 100, perS: FIVE_MINUTES_S },
  refreshPerAddress: { points: 300, perS: FIVE_MINUTES_S },
  passwordPerAccount: { points: 10, perS: FIVE_MINUTES_S },
  /** Attempted codes, links and auth codes. Each code also counts its own wrong attempts. */
  verifyPerAddress: { points: 120, perS: FIVE_MINUTES_S },
  /** Wrong codes for one address, over all mails sent there; a correct one resets them. Links stay valid. */
  codesPerAccount: { points: 30, perS: 60 * 60 },
  /** Mails that one address causes, those of sign-ups included. */
  mailPerAddress: { points: 180, perS: FIVE_MINUTES_S },
  /** Mails of one kind to one address, known or not. */
  mailPerAccount: { points: 1, perS: 60 },
  /** Mails of all kinds together to one mailbox: enough for every flow of a bad day, too few to flood an inbox. */
  mailPerMailboxAnHour: { points: 10, perS: 60 * 60 },
  mailPerMailboxADay: { points: 30, perS: DAY_S },
  /** Redirects to a provider, and callbacks. */
  authorizePerAddress: { points: 120, perS: FIVE_MINUTES_S },
  /** Wrong codes of the authenticator app, of one account and from one address; a correct one resets them. */
  factorVerifyPerPair: { points: 10, perS: FIVE_MINUTES_S },
  /** Per day, so that one address alone can't use up the account's. */
  factorVerifyPerPairADay: { points: 30, perS: DAY_S },
  /** From all addresses. */
  factorVerifyPerAccount: { points: 50, perS: FIVE_MINUTES_S },
  /** Three of a million codes are valid at a time: a hundred guesses a day hit one in nine years, on average. */
  factorVerifyPerAccountADay: { points: 100, perS: DAY_S },
  /** Setting up, challenging and removing second factors: each draws a picture or writes. */
  factorCallsPerAccount: { points: 60, perS: FIVE_MINUTES_S },
  /** Sets of recovery codes: each sends the owner a mail. */
  recoveryCodesPerAccount: { points: 10, perS: 60 * 60 },
  /** Keys of the read API: each sends the owner a mail. */
  apiKeysPerAccount: { points: 20, perS: 60 * 60 },
  /** Downloads of all data stored about one user. */
  exportsPerAccount: { points: 10, perS: 60 * 60 },
  /** Attempts to delete one's own account, which are also guesses of its password. */
  deletionsPerAccount: { points: 10, perS: 60 * 60 },
  /** Erasures: each searches the whole of several tables, and accounts are free. */
  deletionsPerAddress: { points: 20, perS: 60 * 60 },
  /** Rows in the tables that pages report to, of visitors and of one user. A page sends ten a minute at most. */
  reportRowsPerAddress: { points: 60, perS: 60 },
  reportRowsPerUser: { points: 60, perS: 60 },
  /** Each is decoded and encoded again. */
  uploadsPerUser: { points: 20, perS: FIVE_MINUTES_S },
  /** Byte budgets, in KiB. Decision: docs/decisions/053-budgets-of-bytes.md. A page's report has 1 to 5 KiB. */
  reportKibPerAccountADay: { points: 512, perS: DAY_S },
  reportKibPerAddressAnHour: { points: 512, perS: HOUR_S },
  reportKibInAllAnHour: { points: 4 * MIB, perS: HOUR_S },
  /** Six pictures of the largest size, or a hundred of the size that the site sends. */
  pictureKibPerAccountADay: { points: 32 * MIB, perS: DAY_S },
  pictureKibPerAddressAnHour: { points: 32 * MIB, perS: HOUR_S },
  pictureKibInAllAnHour: { points: 256 * MIB, perS: HOUR_S },
  /** A separate budget for verified accounts, which new accounts can't use up. */
  verifiedPictureKibPerAccountADay: { points: 64 * MIB, perS: DAY_S },
  verifiedPictureKibPerAddressAnHour: { points: 256 * MIB, perS: HOUR_S },
  verifiedPictureKibInAllAnHour: { points: 1024 * MIB, perS: HOUR_S },
} as const satisfies Record<string, RateLimit>;

export type RateLimits = Readonly<Record<keyof typeof DEFAULT_LIMITS, RateLimiter>>;

export function rateLimits(
  changes: Partial<Record<keyof typeof DEFAULT_LIMITS, RateLimit>> = {},
  limiterOf: RateLimiterOf = limiterOfProcess,
): RateLimits {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  const of = (name: keyof typeof DEFAULT_LIMITS): RateLimiter => limiterOf(limits[name], name);
  return {
    signUpPerAddress: of('signUpPerAddress'),
    signInPerAddress: of('signInPerAddress'),
    signInPerPair: of('signInPerPair'),
    signInPerAccount: of('signInPerAccount'),
    refreshPerAddress: of('refreshPerAddress'),
    passwordPerAccount: of('passwordPerAccount'),
    verifyPerAddress: of('verifyPerAddress'),
    codesPerAccount: of('codesPerAccount'),
    mailPerAddress: of('mailPerAddress'),
    mailPerAccount: of('mailPerAccount'),
    mailPerMailboxAnHour: of('mailPerMailboxAnHour'),
    mailPerMailboxADay: of('mailPerMailboxADay'),
    authorizePerAddress: of('authorizePerAddress'),
    factorVerifyPerPair: of('factorVerifyPerPair'),
    factorVerifyPerPairADay: of('factorVerifyPerPairADay'),
    factorVerifyPerAccount: of('factorVerifyPerAccount'),
    factorVerifyPerAccountADay: of('factorVerifyPerAccountADay'),
    factorCallsPerAccount: of('factorCallsPerAccount'),
    recoveryCodesPerAccount: of('recoveryCodesPerAccount'),
    apiKeysPerAccount: of('apiKeysPerAccount'),
    exportsPerAccount: of('exportsPerAccount'),
    deletionsPerAccount: of('deletionsPerAccount'),
    deletionsPerAddress: of('deletionsPerAddress'),
    reportRowsPerAddress: of('reportRowsPerAddress'),
    reportRowsPerUser: of('reportRowsPerUser'),
    uploadsPerUser: of('uploadsPerUser'),
    reportKibPerAccountADay: of('reportKibPerAccountADay'),
    reportKibPerAddressAnHour: of('reportKibPerAddressAnHour'),
    reportKibInAllAnHour: of('reportKibInAllAnHour'),
    pictureKibPerAccountADay: of('pictureKibPerAccountADay'),
    pictureKibPerAddressAnHour: of('pictureKibPerAddressAnHour'),
    pictureKibInAllAnHour: of('pictureKibInAllAnHour'),
    verifiedPictureKibPerAccountADay: of('verifiedPictureKibPerAccountADay'),
    verifiedPictureKibPerAddressAnHour: of('verifiedPictureKibPerAddressAnHour'),
    verifiedPictureKibInAllAnHour: of('verifiedPictureKibInAllAnHour'),
  };
}
