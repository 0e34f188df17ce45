/** The bank's step in which the owner confirms the payment. */
import type { Card } from '../model/cards.ts';
import { amountsMarkup, cardName, dollars, formMarkup } from './markup.ts';
import type { PageAnswer } from './visit.ts';

/** @param held  the token that retrieves the card */
export function consentPage({ cents, card, held }: { cents: number; card: Card; held: string }): PageAnswer {
  const facts = amountsMarkup([
    ['Card', cardName(card)],
    ['Amount', dollars(cents)],
  ]);
  const note = '<p>Your bank would ask here whether it is you. This page plays the bank.</p>';
  const fields = `<input type="hidden" name="held" value="${held}">`;
  const buttons = [
    ['consent', 'Confirm'],
    ['refuse', 'Refuse'],
  ] as const;
  return { status: 200, title: 'Confirm this payment', body: `${note}${facts}${formMarkup(fields, buttons)}` };
}
