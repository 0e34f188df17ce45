/** What a missing signature means: a day that is not over has none yet; with a trusted key any other day must have one. */
import { DAY_S } from '../ledger/day-statement.ts';
import type { Findings } from './verify-findings.ts';

export interface SignatureRule {
  /** Epoch seconds. */
  nowS: number;
  /** A key was given: what it did not sign may be anybody's invention. */
  isKeyGiven: boolean;
}

/** A day is signed two minutes after its end; a server that was restarted just then is a little later. */
const SIGNED_WITHIN_S = 10 * 60;
/** The reader's clock may be behind the issuer's. */
const CLOCK_MARGIN_S = 60;

export interface UnsignedDay {
  /** As a sentence begins with it. */
  name: string;
  /** Epoch seconds of its start. */
  startS: number;
  /** The number of the record whose file has no proof, or the day whose file has no statement. */
  about: { seq: number } | { day: string };
}

export function checkUnsigned(
  { name, startS, about }: UnsignedDay,
  { nowS, isKeyGiven }: SignatureRule,
  findings: Findings,
): void {
  if (isKeyGiven && nowS >= startS + DAY_S + SIGNED_WITHIN_S)
    findings.fault('missing-signature', `${name} is over and not signed: anybody could have written this.`, about);
  else if (isKeyGiven && nowS < startS - CLOCK_MARGIN_S)
    findings.fault(
      'missing-signature',
      `${name} has not begun and is not signed: anybody could have written this.`,
      about,
    );
  else if ('day' in about)
    findings.note(
      'unsigned-day',
      `${name} is not signed yet: of what is missing at its end nothing can be said.`,
      about,
    );
  else findings.note('no-proof', `${name} is not signed yet: its place cannot be shown.`, about);
}

/** @param statements  how many were found, signed by whomever */
export function checkAnythingSigned(statements: number, { isKeyGiven }: SignatureRule, findings: Findings): void {
  if (isKeyGiven && statements === 0)
    findings.fault('nothing-signed', 'No signature was checked: nothing here is shown to be of the given key.');
}
