/** Pays an open invoice, from a page or by a call. */
import type { CardOutcome } from '../../model/cards.ts';
import type { Invoice } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { payRenewal } from '../subscriptions/renewing.ts';
import { payPendingUpdate } from '../subscriptions/upgrading.ts';
import { stored, type Work } from '../work.ts';
import type { Attempt } from './charging.ts';

/** @throws Refusal for an invoice that is not open */
export function payInvoice(work: Work, invoice: Invoice, attempt: Attempt): CardOutcome {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', { code: 'invoice_already_paid' });
  if (invoice.status !== 'open') throw invalid('Only an open invoice can be paid.', { code: 'invoice_not_editable' });
  const { pendingUpdate } = stored(work.draft, 'subscriptions', invoice.subscription);
  const pay = pendingUpdate?.invoice === invoice.id ? payPendingUpdate : payRenewal;
  return pay(work, invoice, attempt);
}
