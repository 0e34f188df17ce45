import type { CardOutcome } from '../../model/cards.ts';
import type { Invoice } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { isNewest, setStatus } from '../subscription-status.ts';
import { expireIncomplete } from '../subscriptions/cancelling.ts';
import { payRenewal } from '../subscriptions/renewing.ts';
import { expireResumption } from '../subscriptions/resuming.ts';
import { expirePendingUpdate, payPendingUpdate } from '../subscriptions/upgrading.ts';
import { stored, type Work } from '../work.ts';
import type { Attempt } from './charging.ts';
import { voidInvoice } from './invoices.ts';

/** Charges an open invoice. @throws PaymentRefusal unless it is open */
export function payInvoice(work: Work, invoice: Invoice, attempt: Attempt): CardOutcome {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', { code: 'invoice_already_paid' });
  if (invoice.status !== 'open') throw invalid('Only an open invoice can be paid.', { code: 'invoice_not_editable' });
  const { pendingUpdate } = stored(work.draft, 'subscriptions', invoice.subscription);
  const pay = pendingUpdate?.invoice === invoice.id ? payPendingUpdate : payRenewal;
  return pay(work, invoice, attempt);
}

/** Voids an open invoice and cancels the change that its payment was for. @throws PaymentRefusal unless it is open */
export function voidOpenInvoice(work: Work, invoice: Invoice): Invoice {
  if (invoice.status !== 'open')
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`, { code: 'invoice_not_editable' });
  const sub = stored(work.draft, 'subscriptions', invoice.subscription);
  if (sub.status === 'incomplete') expireIncomplete(work, sub);
  else if (sub.pendingUpdate?.invoice === invoice.id) expirePendingUpdate(work, sub);
  else if (sub.resumption?.invoice === invoice.id) expireResumption(work, sub);
  else {
    voidInvoice(work, invoice.id);
    const isLate = sub.status === 'past_due' || sub.status === 'unpaid';
    if (isLate && isNewest(work, invoice)) setStatus(work, sub.id, 'active');
  }
  return stored(work.draft, 'invoices', invoice.id);
}
