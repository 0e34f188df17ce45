/** The test cards. Stores only a card's brand, last four digits, expiry and behaviour: never the number or the CVC. */

const DECLINING = ['card_declined', 'insufficient_funds', 'expired_card', 'incorrect_cvc'] as const;

export const CARD_BEHAVIOURS = [
  'ok',
  ...DECLINING,
  /** The first payment on a page succeeds; all others are declined. */
  'fails_later',
  /** Requires consent for the first payment only. */
  'consent_once',
  'consent_always',
] as const;

export type CardBehaviour = (typeof CARD_BEHAVIOURS)[number];

export interface TestCard {
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

export const CARD_HINTS = [
  ['4242 4242 4242 4242', 'pays'],
  ['5555 5555 5555 4444', 'pays (Mastercard)'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0000 0000 0069', 'is expired'],
  ['4000 0000 0000 0127', 'has an incorrect CVC'],
  ['4000 0000 0000 0341', 'pays now, fails later'],
  ['4000 0025 0000 3155', 'requires authentication once'],
  ['4000 0027 6000 3184', 'requires authentication every time'],
] as const;

/** Names that refer to a card in a call, as at the provider. */
export const CARD_TOKENS: ReadonlyMap<string, Pick<TestCard, 'brand' | 'last4' | 'behaviour'>> = new Map([
  ['pm_card_visa', { brand: 'visa', last4: '4242', behaviour: 'ok' }],
  ['pm_card_mastercard', { brand: 'mastercard', last4: '4444', behaviour: 'ok' }],
  ['pm_card_chargeCustomerFail', { brand: 'visa', last4: '0341', behaviour: 'fails_later' }],
  ['pm_card_authenticationRequired', { brand: 'visa', last4: '3184', behaviour: 'consent_always' }],
  ['pm_card_chargeDeclined', { brand: 'visa', last4: '0002', behaviour: 'card_declined' }],
]);

/** A card that is always declined is already declined when it is saved. */
export function declineAtAttaching({ behaviour }: TestCard): Decline | null {
  return DECLINING.some((one) => one === behaviour) ? declineOf(behaviour) : null;
}

export interface CardForm {
  number: string;
  /** `12/34` or `12 / 2034`. */
  expiry: string;
  cvc: string;
}

/** Returns a card, or a message for the buyer if the form is invalid. Accepts only test cards. */
export function readCard(form: CardForm, nowS: number): TestCard | string {
  const number = form.number.replace(/[\s-]/g, '');
  const behaviour = BEHAVIOURS.get(number);
  if (behaviour === undefined) return 'Use one of the test card numbers. Real cards are never accepted here.';
  const expiry = /^(\d{1,2})\s*\/\s*(\d{2}|\d{4})$/.exec(form.expiry.trim());
  const expMonth = Number(expiry?.[1]);
  const expYear = Number(expiry?.[2]) + (expiry?.[2]?.length === 2 ? 2000 : 0);
  if (expiry === null || expMonth < 1 || expMonth > 12) return 'Enter the expiry date as MM / YY.';
  if (Date.UTC(expYear, expMonth, 1) / 1000 <= nowS) return 'This card’s expiry date is in the past.';
  if (!/^\d{3,4}$/.test(form.cvc.trim())) return 'Enter the 3-digit security code.';
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
  /** The first payment with it, on a page. */
  isFirst: boolean;
  /** The customer has just consented on a page. */
  hasConsent: boolean;
}

export function outcomeOf(behaviour: CardBehaviour, use: CardUse): CardOutcome {
  switch (behaviour) {
    case 'ok':
      return PAID;
    case 'fails_later':
      return use.isFirst ? PAID : { kind: 'declined', decline: declineOf(behaviour) };
    case 'consent_once':
      return use.hasConsent || !use.isFirst ? PAID : { kind: 'consent_needed' };
    case 'consent_always':
      return use.hasConsent ? PAID : { kind: 'consent_needed' };
    default:
      return { kind: 'declined', decline: declineOf(behaviour) };
  }
}

/** The buyer's message when a card of this kind is declined. */
export function declineOf(behaviour: CardBehaviour): Decline {
  return DECLINES[DECLINING.find((one) => one === behaviour) ?? 'card_declined'];
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
} as const satisfies Record<(typeof DECLINING)[number], Decline>;
