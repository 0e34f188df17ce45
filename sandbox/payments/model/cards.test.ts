import { describe, expect, test } from 'vitest';
import { type CardUse, outcomeOf, readCard, type TestCard } from './cards.ts';

const NOW = Date.parse('2026-11-22T06:00:00Z') / 1000;
const FIRST: CardUse = { isFirst: true, hasConsent: false };
const LATER: CardUse = { isFirst: false, hasConsent: false };

function cardOf(number: string): TestCard {
  const card = readCard({ number, expiry: '12/34', cvc: '123' }, NOW);
  if (typeof card === 'string') throw new Error(card);
  return card;
}

test.each([
  ['4242 4242 4242 4242', 'paid', 'paid'],
  ['5555555555554444', 'paid', 'paid'],
  ['4000000000000002', 'card_declined generic_decline', 'card_declined generic_decline'],
  ['4000000000009995', 'card_declined insufficient_funds', 'card_declined insufficient_funds'],
  ['4000000000000069', 'expired_card expired_card', 'expired_card expired_card'],
  ['4000000000000127', 'incorrect_cvc incorrect_cvc', 'incorrect_cvc incorrect_cvc'],
  ['4000000000000341', 'paid', 'card_declined generic_decline'],
  ['4000002500003155', 'consent_needed', 'paid'],
  ['4000002760003184', 'consent_needed', 'consent_needed'],
])('answers for card %s: first %s, later %s', (number, first, later) => {
  const { behaviour } = cardOf(number);
  const messageOf = (use: CardUse) => {
    const outcome = outcomeOf(behaviour, use);
    return outcome.kind === 'declined' ? `${outcome.decline.code} ${outcome.decline.declineCode}` : outcome.kind;
  };

  expect([messageOf(FIRST), messageOf(LATER)]).toEqual([first, later]);
});

test('pays with a card that needs consent once its owner has consented', () => {
  const consented = { isFirst: true, hasConsent: true };

  expect(outcomeOf(cardOf('4000002760003184').behaviour, consented).kind).toBe('paid');
  expect(outcomeOf(cardOf('4000002500003155').behaviour, consented).kind).toBe('paid');
});

test('stores nothing of a card that could pay', () => {
  expect(cardOf('5555 5555 5555 4444')).toEqual({
    brand: 'mastercard',
    last4: '4444',
    expMonth: 12,
    expYear: 2034,
    behaviour: 'ok',
  });
});

describe('refusals of a card form', () => {
  test.each([
    ['a real card', { number: '4111111111111111', expiry: '12/34', cvc: '123' }, /never accepted/],
    ['an invalid date', { number: '4242424242424242', expiry: '13/34', cvc: '123' }, /MM \/ YY/],
    ['a month that is over', { number: '4242424242424242', expiry: '10/26', cvc: '123' }, /in the past/],
    ['no security code', { number: '4242424242424242', expiry: '12/34', cvc: '' }, /security code/],
  ])('explains %s', (_what, form, message) => {
    expect(readCard(form, NOW)).toMatch(message);
  });

  test('accepts a card until the end of its month', () => {
    expect(readCard({ number: '4242424242424242', expiry: '11 / 2026', cvc: '123' }, NOW)).toMatchObject({
      last4: '4242',
    });
  });
});
