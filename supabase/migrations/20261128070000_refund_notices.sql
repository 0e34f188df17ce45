-- Refunds that were told by email, each once.

alter table private.billing_notices drop constraint billing_notices_kind_check;
alter table private.billing_notices add constraint billing_notices_kind_check
  check (kind in ('first_seen', 'receipt', 'payment_failed', 'refund', 'plan_changed', 'downgrade_scheduled',
                  'downgrade_undone', 'cancellation_scheduled', 'cancellation_undone', 'subscription_ended'));
comment on column private.billing_notices.subject_id is
  'receipt: the invoice. payment_failed: invoice/attempt. refund: the refund. first_seen and subscription_ended: the subscription. Others: subscription/how many times';
