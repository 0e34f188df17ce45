/** The card fields, prefilled with a test card, and the list of the others. */
import { dollars } from '#domain/format/dollars.ts';
import { CARD_HINTS, readCard, type TestCard } from '../model/cards.ts';
import { amountsMarkup, cardName, ERROR_ID, formMarkup } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

const FILLED = '4242 4242 4242 4242';

/** @param hasFailed  the last card was refused: its field is empty and has the focus */
export function cardFields(hasFailed: boolean, legend = 'Card'): string {
  const number = hasFailed
    ? `autofocus aria-invalid="true" aria-describedby="${ERROR_ID}" placeholder="${FILLED}"`
    : `value="${FILLED}"`;
  return `<fieldset><legend>${legend}</legend>
<div class="field wide"><label for="number">Card number</label>
<input id="number" name="number" list="test-cards" inputmode="numeric" autocomplete="off" spellcheck="false" maxlength="30" ${number}></div>
<div class="field"><label for="expiry">Expiry (MM / YY)</label>
<input id="expiry" name="expiry" inputmode="numeric" autocomplete="off" maxlength="9" value="12 / 34"></div>
<div class="field"><label for="cvc">CVC</label>
<input id="cvc" name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" value="123"></div>
<datalist id="test-cards">${CARD_HINTS.map(([one, effect]) => `<option value="${one}">${effect}</option>`).join('')}</datalist>
</fieldset>`;
}

/** Outside of the form, so that it does not distract from paying. */
export function otherCards(): string {
  const rows = CARD_HINTS.map(
    ([number, effect]) => `<li><span class="number">${number}</span> <span>${effect}</span></li>`,
  );
  return `<details><summary>Test cards</summary><ul>${rows.join('')}</ul><p>Real cards are refused.</p></details>`;
}

export type CardStep = { card: TestCard; hasConsent: boolean } | { error: string };

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

/** @param held  the token that retrieves the card */
export function consentPage({ cents, card, held }: { cents: number; card: TestCard; held: string }): PageAnswer {
  const facts = amountsMarkup([
    ['Card', cardName(card)],
    ['Amount', dollars(cents)],
  ]);
  const note = '<p>Your bank would check here that it’s you. This page simulates the bank.</p>';
  const fields = `<input type="hidden" name="held" value="${held}">`;
  const buttons = [
    ['consent', 'Confirm'],
    ['refuse', 'Refuse'],
  ] as const;
  return { status: 200, title: 'Confirm this payment', body: `${note}${facts}${formMarkup(fields, buttons)}` };
}
