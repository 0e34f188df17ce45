-- What a subscriber was told by mail, so that nothing is told twice: a row is written in the transaction that queues its
-- mail. The rows of a subscription in their order are also what its owner knows of it; what differs now is news.
create table private.billing_notices (
  kind            text not null check (kind in ('first_seen', 'receipt', 'payment_failed', 'plan_changed', 'downgrade_scheduled',
                                                'downgrade_undone', 'cancellation_scheduled', 'cancellation_undone',
                                                'subscription_ended')),
  subject_id      text not null check (char_length(subject_id) between 1 and 300),
  user_id         uuid not null references auth.users on delete cascade,
  subscription_id text check (char_length(subscription_id) <= 255),
  price_id        text check (char_length(price_id) <= 255),
  is_mailed       boolean not null,
  created_at      timestamptz not null,
  seq             bigint generated always as identity,
  primary key (kind, subject_id)
);
comment on table private.billing_notices is 'What a subscriber was told of payments and plan, each thing once; read and written by the server alone';
comment on column private.billing_notices.kind is 'first_seen: the subscription as it was found, which the first receipt tells of';
comment on column private.billing_notices.subject_id is
  'receipt: the invoice. payment_failed: invoice/attempt. first_seen and subscription_ended: the subscription. Others: subscription/how many times';
comment on column private.billing_notices.subscription_id is 'At the payment provider; null for an invoice of none';
comment on column private.billing_notices.price_id is 'first_seen, plan_changed: the price from then on. downgrade_scheduled: the price to come';
comment on column private.billing_notices.is_mailed is 'False: known and not worth a mail, or there was no address';
comment on column private.billing_notices.seq is 'The order in which things were told';
create index billing_notices_subscription_id_idx on private.billing_notices (subscription_id, seq);
create index billing_notices_user_id_idx on private.billing_notices (user_id, created_at);
alter table private.billing_notices enable row level security;
revoke all on private.billing_notices from public, anon, authenticated, service_role;
