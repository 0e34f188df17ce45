/** Reads a posted card form: a card, a card with its owner's consent, or an error message. */
import { type Card, readCard } from '../model/cards.ts';
import type { Visit } from './visit.ts';

export type CardStep = { card: Card; hasConsent: boolean } | { error: string };

export function cardStep({ form, held }: Visit, nowS: number): CardStep {
  const action = form?.get('action');
  if (action === 'refuse') return { error: 'The payment was not confirmed. You can try again.' };
  if (action === 'consent') {
    const card = held.take(form?.get('held') ?? null);
    return card === null ? { error: 'This took too long. Enter the card again.' } : { card, hasConsent: true };
  }
  const read = readCard(
    { number: form?.get('number') ?? '', expiry: form?.get('expiry') ?? '', cvc: form?.get('cvc') ?? '' },
    nowS,
  );
  return typeof read === 'string' ? { error: read } : { card: read, hasConsent: false };
}
