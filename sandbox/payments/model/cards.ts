/** The test cards. Of a card only brand, last four digits, expiry and a behaviour are kept: never the number, never the CVC. */

export type CardBehaviour =
  | 'ok'
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  /** The first payment succeeds, each later one is declined. */
  | 'fails_later'
  /** Asks once for the owner's consent, then never again. */
  | 'consent_once'
  | 'consent_always';

export interface Card {
  brand: 'visa' | 'mastercard';
  last4: string;
  expMonth: number;
  expYear: number;
  behaviour: CardBehaviour;
}

const BEHAVIOURS: ReadonlyMap<string, CardBehaviour> = new Map([
  ['4242424242424242', 'ok'],
  ['5555555555554444', 'ok'],
  ['4000000000000002', 'card_declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000341', 'fails_later'],
  ['4000002500003155', 'consent_once'],
  ['4000002760003184', 'consent_always'],
]);

export interface CardForm {
  /** With or without spaces. */
  number: string;
  /** `12/34` or `12 / 2034`. */
  expiry: string;
  cvc: string;
}

/** A sentence for the buyer instead of a card when the form cannot be taken. Only test cards are. */
export function readCard(form: CardForm, nowS: number): Card | string {
  const number = form.number.replace(/[\s-]/g, '');
  const behaviour = BEHAVIOURS.get(number);
  if (behaviour === undefined) return 'Use one of the test card numbers. A real card is never accepted here.';
  const expiry = /^(\d{1,2})\s*\/\s*(\d{2}|\d{4})$/.exec(form.expiry.trim());
  const expMonth = Number(expiry?.[1]);
  const expYear = Number(expiry?.[2]) + (expiry?.[2]?.length === 2 ? 2000 : 0);
  if (expiry === null || expMonth < 1 || expMonth > 12) return 'Enter the expiry date as MM / YY.';
  if (Date.UTC(expYear, expMonth, 1) / 1000 <= nowS) return 'The expiry date of the card is in the past.';
  if (!/^\d{3,4}$/.test(form.cvc.trim())) return 'Enter the 3 digits of the security code.';
  const brand = number.startsWith('5') ? 'mastercard' : 'visa';
  return { brand, last4: number.slice(-4), expMonth, expYear, behaviour };
}

export interface Decline {
  code: string;
  declineCode: string | null;
  message: string;
}

export type CardOutcome = { kind: 'paid' } | { kind: 'consent_needed' } | { kind: 'declined'; decline: Decline };

export interface CardUse {
  /** The owner pays with it for the first time, on a page. */
  isFirst: boolean;
  /** The owner has just consented on a page. */
  hasConsent: boolean;
}

export function outcomeOf(behaviour: CardBehaviour, use: CardUse): CardOutcome {
  switch (behaviour) {
    case 'ok':
      return PAID;
    case 'fails_later':
      return use.isFirst ? PAID : { kind: 'declined', decline: DECLINES.card_declined };
    case 'consent_once':
      return use.hasConsent || !use.isFirst ? PAID : { kind: 'consent_needed' };
    case 'consent_always':
      return use.hasConsent ? PAID : { kind: 'consent_needed' };
    default:
      return { kind: 'declined', decline: DECLINES[behaviour] };
  }
}

const PAID: CardOutcome = { kind: 'paid' };

const DECLINES = {
  card_declined: { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' },
  insufficient_funds: {
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired_card: { code: 'expired_card', declineCode: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
} as const satisfies Record<string, Decline>;
