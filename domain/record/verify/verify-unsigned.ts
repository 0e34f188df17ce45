/** What a missing signature means: a day not yet over has none; with a trusted key, any other day must have one. */
import { DAY_S } from '../ledger/day-statement.ts';
import type { Findings } from './verify-findings.ts';

export interface SignatureRule {
  nowS: number;
  /** True when a key was given: anyone could have invented what it did not sign. */
  hasUserKey: boolean;
}

/** A day is signed two minutes after its end, or a little later if the server restarted just then. */
const SIGNED_WITHIN_S = 10 * 60;
/** The reader's clock may be behind the issuer's. */
const CLOCK_MARGIN_S = 60;

export interface UnsignedDay {
  /** Name, capitalised to begin a sentence. */
  name: string;
  startS: number;
  /** The number of the record whose file has no proof, or the day whose file has no statement. */
  about: { seq: number } | { day: string };
}

export function checkUnsigned(
  { name, startS, about }: UnsignedDay,
  { nowS, hasUserKey }: SignatureRule,
  findings: Findings,
): void {
  if (hasUserKey && nowS >= startS + DAY_S + SIGNED_WITHIN_S)
    findings.fault('missing-signature', `${name} has ended but is not signed: anyone could have written this.`, about);
  else if (hasUserKey && nowS < startS - CLOCK_MARGIN_S)
    findings.fault(
      'missing-signature',
      `${name} has not begun and is not signed: anyone could have written this.`,
      about,
    );
  else if ('day' in about)
    findings.note('unsigned-day', `${name} is not signed yet, so records missing at its end can’t be detected.`, about);
  else findings.note('no-proof', `${name} is not signed yet: its place in the record can’t be proven.`, about);
}

/** @param statements  number of statements found, signed by any key */
export function checkAnythingSigned(statements: number, { hasUserKey }: SignatureRule, findings: Findings): void {
  if (hasUserKey && statements === 0)
    findings.fault('nothing-signed', 'No signature was checked: nothing here is proven to come from the given key.');
}
