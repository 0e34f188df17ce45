-- Billing: what is sold, who is a customer at the payment provider, what they subscribed to, and the plan that follows. The
-- provider holds the truth; these rows are its last known state, written by the service alone.

-- Prices at the payment provider, and what each plan allows. domain/billing/plans.ts holds the same figures.
create table public.billing_prices (
  price_id    text primary key check (char_length(price_id) between 1 and 255),
  plan        text not null check (plan in ('bobcat', 'lion')),
  unit_amount integer not null check (unit_amount > 0),
  active      boolean not null default true,
  mode        text not null default 'sandbox' check (mode in ('sandbox', 'test', 'live'))
);
comment on table public.billing_prices is 'Which plan a price id sells. A retired price stays, for those who still pay it';
comment on column public.billing_prices.unit_amount is 'US cents a month';
comment on column public.billing_prices.active is 'May be bought now; decides nothing for subscriptions that stand';
comment on column public.billing_prices.mode is 'sandbox: our stand-in; test and live: the provider''s two modes';
alter table public.billing_prices enable row level security;
revoke all on public.billing_prices from public, anon, authenticated;
grant all on public.billing_prices to service_role;
grant select on public.billing_prices to anon, authenticated;
create policy "everyone reads the prices" on public.billing_prices
  for select to anon, authenticated using (true);
insert into public.billing_prices (price_id, plan, unit_amount) values
  ('price_kat_bobcat_monthly', 'bobcat', 2999),
  ('price_kat_lion_monthly', 'lion', 6999);

create table private.plan_limits (
  plan      text primary key check (plan in ('free', 'bobcat', 'lion')),
  per_day   integer not null check (per_day >= -1),
  per_month integer not null check (per_month >= -1),
  models    text[] not null check (models <@ array['kat1', 'kat2_2', 'kat2_4'])
);
comment on table private.plan_limits is 'Predictions a plan allows. Specification 1, section 6';
comment on column private.plan_limits.per_day is 'Predictions a UTC day; -1: no limit';
comment on column private.plan_limits.per_month is 'Predictions a billing period; -1: no limit';
comment on column private.plan_limits.models is 'Backend names: kat1 Bobcat, kat2_2 Panther, kat2_4 Lion';
alter table private.plan_limits enable row level security;
revoke all on private.plan_limits from public, anon, authenticated;
grant select on private.plan_limits to service_role;
insert into private.plan_limits (plan, per_day, per_month, models) values
  ('free', 0, 0, '{}'),
  ('bobcat', 10, 60, '{kat1}'),
  ('lion', 15, 300, '{kat1,kat2_2,kat2_4}');

-- Which of the provider's modes counts.
create table private.payment_mode (
  only_row boolean primary key default true check (only_row),
  mode     text not null check (mode in ('sandbox', 'test', 'live'))
);
comment on table private.payment_mode is 'Who took the payments when a server started last: customers of another mode count as none';
comment on column private.payment_mode.mode is 'sandbox: our stand-in; test and live: the provider''s two modes';
insert into private.payment_mode (mode) values ('sandbox');
alter table private.payment_mode enable row level security;
revoke all on private.payment_mode from public, anon, authenticated;
grant select, update on private.payment_mode to service_role;

create function private.payment_mode() returns text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select m.mode from private.payment_mode m);
end;
$$;
comment on function private.payment_mode() is 'The mode whose customers count';
revoke all on function private.payment_mode() from public, anon, authenticated;
grant execute on function private.payment_mode() to authenticated, service_role;

create table public.stripe_customers (
  user_id      uuid primary key references auth.users on delete cascade,
  customer_id  text unique check (char_length(customer_id) <= 255),
  creating_key uuid not null default gen_random_uuid(),
  mode         text not null default 'sandbox' check (mode in ('sandbox', 'test', 'live')),
  sync_seq     bigint not null default 0 check (sync_seq >= 0),
  created_at   timestamptz not null default now(),
  claimed_at   timestamptz not null default now(),
  cards_seq    bigint not null default 0
);
comment on table public.stripe_customers is 'One customer a user. The row is claimed before the provider is asked, so that two requests make one customer';
comment on column public.stripe_customers.customer_id is 'The provider''s id; null while the claim is open';
comment on column public.stripe_customers.creating_key is 'Idempotency key of the creation';
comment on column public.stripe_customers.mode is 'Where the id belongs: our stand-in, or the provider''s test or live mode';
comment on column public.stripe_customers.sync_seq is 'Last ticket given to a sync; a write with an older ticket loses';
comment on column public.stripe_customers.claimed_at is 'When the claim without id was made; old ones are looked up at the provider first';
comment on column public.stripe_customers.cards_seq is 'Ticket of the sync that wrote the cards';
create index stripe_customers_open_claims_idx on public.stripe_customers (claimed_at) where customer_id is null;

create table public.stripe_subscriptions (
  subscription_id         text primary key check (char_length(subscription_id) <= 255),
  -- No foreign key: after a change of mode the user gets another customer id, and old rows belong to nobody.
  customer_id             text not null,
  price_id                text,
  status                  text not null check (status in ('active', 'trialing', 'past_due', 'unpaid', 'paused',
                                                          'canceled', 'incomplete', 'incomplete_expired')),
  current_period_start    bigint,
  current_period_end      bigint,
  cancel_at_period_end    boolean not null default false,
  cancel_at               bigint,
  ended_at                bigint,
  payment_method_brand    text,
  payment_method_last4    text check (payment_method_last4 ~ '^[0-9]{4}$'),
  pending_subscription_id text,
  pending_price_id        text,
  latest_invoice_id       text,
  synced_seq              bigint not null default 0,
  stripe_created          bigint not null,
  updated_at              timestamptz not null default now(),
  noticed_seq             bigint not null default 0
);
comment on table public.stripe_subscriptions is 'Written by the sync with the provider only';
comment on column public.stripe_subscriptions.price_id is 'Price of the first item; a plan only if billing_prices knows it';
comment on column public.stripe_subscriptions.current_period_start is 'Epoch seconds, of the first item';
comment on column public.stripe_subscriptions.current_period_end is 'Epoch seconds: the smaller of the item''s end and ended_at, so that an immediate cancellation ends access';
comment on column public.stripe_subscriptions.cancel_at_period_end is 'The flag, or a cancel_at while the subscription lives';
comment on column public.stripe_subscriptions.cancel_at is 'Epoch seconds';
comment on column public.stripe_subscriptions.ended_at is 'Epoch seconds';
comment on column public.stripe_subscriptions.pending_subscription_id is 'The schedule of a downgrade that waits for the period''s end';
comment on column public.stripe_subscriptions.pending_price_id is 'The price it will then have; not null means Downgrade Scheduled';
comment on column public.stripe_subscriptions.synced_seq is 'Ticket of the sync that wrote this row';
comment on column public.stripe_subscriptions.stripe_created is 'Epoch seconds, by the provider';
comment on column public.stripe_subscriptions.noticed_seq is 'Ticket of the last sync whose changes the owner was told of; below synced_seq something is still to be told';
create index stripe_subscriptions_customer_id_idx on public.stripe_subscriptions (customer_id);
create index stripe_subscriptions_period_end_idx on public.stripe_subscriptions (current_period_end);
create index stripe_subscriptions_untold_idx on public.stripe_subscriptions (updated_at) where noticed_seq < synced_seq;

create table public.payment_methods (
  payment_method_id text primary key check (char_length(payment_method_id) <= 255),
  user_id           uuid not null references auth.users on delete cascade,
  brand             text,
  last4             text check (last4 ~ '^[0-9]{4}$'),
  exp_month         smallint check (exp_month between 1 and 12),
  exp_year          smallint,
  is_default        boolean not null default false,
  created_at        timestamptz not null default now()
);
comment on table public.payment_methods is 'Cards as the provider shows them; never a full number';
create index payment_methods_user_id_idx on public.payment_methods (user_id, created_at desc);

create table public.stripe_events (
  event_id     text primary key check (char_length(event_id) <= 255),
  type         text not null,
  livemode     boolean not null,
  created      bigint not null,
  object_id    text,
  received_at  timestamptz not null default now(),
  processed_at timestamptz,
  attempts     integer not null default 0,
  last_error   text check (char_length(last_error) <= 2000),
  claimed_until timestamptz
);
comment on table public.stripe_events is 'Webhook events received. Done only when processed_at is set; kept 60 days against replay';
comment on column public.stripe_events.created is 'Epoch seconds, by the provider';
comment on column public.stripe_events.claimed_until is 'Somebody works on it until then';
comment on column public.stripe_events.object_id is 'The subscription or customer that it is about, else its own object';
create index stripe_events_open_idx on public.stripe_events (received_at) where processed_at is null;
create index stripe_events_received_at_idx on public.stripe_events (received_at);
create index stripe_events_object_id_idx on public.stripe_events (object_id);

create table public.billing_checkouts (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users on delete cascade,
  price_id   text not null,
  session_id text unique,
  state      text not null default 'open' check (state in ('open', 'complete', 'expired')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.billing_checkouts is 'Checkout slots: one open a user';
comment on column public.billing_checkouts.id is 'Also the idempotency key of the session';
create unique index billing_checkouts_one_open_idx on public.billing_checkouts (user_id) where state = 'open';
create index billing_checkouts_user_id_idx on public.billing_checkouts (user_id);
create index billing_checkouts_open_idx on public.billing_checkouts (created_at) where state = 'open';

create table public.billing_quotes (
  subscription_id text not null,
  price_id        text not null,
  proration_date  bigint not null,
  amount_due      integer not null,
  expires_at      timestamptz not null,
  primary key (subscription_id, price_id)
);
comment on table public.billing_quotes is 'What a preview promised, kept 10 minutes so that the upgrade charges the same';
comment on column public.billing_quotes.proration_date is 'Epoch seconds, as the provider answered it';
comment on column public.billing_quotes.amount_due is 'US cents';

create table public.billing_alarms (
  id              uuid primary key default gen_random_uuid(),
  kind            text not null check (kind ~ '^[a-z-]{3,40}$'),
  subject         text not null check (char_length(subject) <= 255),
  details         jsonb not null default '{}' check (octet_length(details::text) <= 4000),
  count           integer not null default 1,
  first_seen_at   timestamptz not null default now(),
  last_seen_at    timestamptz not null default now(),
  logged_at       timestamptz not null default now(),
  acknowledged_at timestamptz,
  unique (kind, subject)
);
comment on table public.billing_alarms is 'What a person should look at: one row a kind and subject, counted. Written and read by the service alone';
comment on column public.billing_alarms.subject is 'The provider''s id of what it is about';
comment on column public.billing_alarms.details is 'Ids, amounts and codes; no secrets';
comment on column public.billing_alarms.logged_at is 'When it was last written to the log: once an hour';
comment on column public.billing_alarms.acknowledged_at is 'When somebody had seen to it; empty again when it comes back';
create index billing_alarms_open_idx on public.billing_alarms (last_seen_at desc) where acknowledged_at is null;

alter table public.stripe_customers enable row level security;
alter table public.stripe_subscriptions enable row level security;
alter table public.payment_methods enable row level security;
alter table public.stripe_events enable row level security;
alter table public.billing_checkouts enable row level security;
alter table public.billing_quotes enable row level security;
alter table public.billing_alarms enable row level security;
revoke all on public.stripe_customers, public.stripe_subscriptions, public.payment_methods, public.stripe_events,
  public.billing_checkouts, public.billing_quotes from public, anon, authenticated;
grant all on public.stripe_customers, public.stripe_subscriptions, public.payment_methods, public.stripe_events,
  public.billing_checkouts, public.billing_quotes to service_role;
grant select (user_id, customer_id, mode, created_at) on public.stripe_customers to authenticated;
grant select on public.stripe_subscriptions, public.payment_methods to authenticated;
revoke all on public.billing_alarms from public, anon, authenticated;
grant all on public.billing_alarms to service_role;
create policy "owners read their customer record" on public.stripe_customers
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners read their subscriptions" on public.stripe_subscriptions
  for select to authenticated using (
    customer_id in (select c.customer_id from public.stripe_customers c where c.user_id = (select auth.uid()))
  );
create policy "owners read their cards" on public.payment_methods
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.stripe_customers
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on public.stripe_subscriptions
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on public.payment_methods
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- One row per user, of the mode in use alone: a plan bought with play money is none where real money is taken. A live
-- subscription comes first; of several, one that gives a plan, and of these one in good order, so that neither another
-- product nor an overdue subscription hides what was paid. A customer without any has a row with null status: free.
create view public.stripe_user_subscriptions with (security_invoker = true) as
select distinct on (c.user_id)
  c.user_id,
  c.customer_id,
  s.subscription_id,
  s.price_id,
  s.status,
  s.current_period_start,
  s.current_period_end,
  s.cancel_at_period_end,
  s.payment_method_brand,
  s.payment_method_last4,
  s.pending_subscription_id,
  s.pending_price_id
from public.stripe_customers c
left join public.stripe_subscriptions s on s.customer_id = c.customer_id
left join public.billing_prices p on p.price_id = s.price_id
where c.mode = (select private.payment_mode())
order by c.user_id,
  coalesce(s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused'), false) desc,
  (p.price_id is not null) desc,
  coalesce(s.status in ('active', 'trialing'), false) desc,
  s.current_period_end desc nulls last,
  s.stripe_created desc nulls last,
  s.subscription_id;
comment on view public.stripe_user_subscriptions is
  'What a user subscribed to, one row each; read with the caller''s own rights. Periods in epoch seconds';
revoke all on public.stripe_user_subscriptions from public, anon, authenticated;
grant select on public.stripe_user_subscriptions to authenticated, service_role;

-- The same rule as domain/billing/entitlement.ts; tests/parity compares the two. 7200 s: the grace after a period that
-- ends, so that a late renewal locks nobody out; at exactly that second it is over.
create function private.plan_of(p_user uuid) returns text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    (
      select p.plan
        from public.stripe_user_subscriptions s
        join public.billing_prices p on p.price_id = s.price_id
       where s.user_id = p_user
         and (
           s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
           or (
             (s.cancel_at_period_end or s.status = 'canceled')
             and extract(epoch from private.clock_now()) < s.current_period_end + 7200
           )
         )
    ),
    'free'
  );
end;
$$;
comment on function private.plan_of(uuid) is 'free, bobcat or lion, now. Specification 1, section 4';
revoke all on function private.plan_of(uuid) from public, anon, authenticated;
grant execute on function private.plan_of(uuid) to service_role;

create function private.allowed_models(p_user uuid) returns text[]
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_admin(p_user) then
    return (select array_agg(distinct m order by m) from private.plan_limits l, unnest(l.models) as m);
  end if;
  return coalesce((select l.models from private.plan_limits l where l.plan = private.plan_of(p_user)), '{}');
end;
$$;
comment on function private.allowed_models(uuid) is 'Backend names of the models a user may forecast with now; admins: all';
revoke all on function private.allowed_models(uuid) from public, anon, authenticated;
grant execute on function private.allowed_models(uuid) to service_role;

-- Notices sent to subscribers, so that none is sent twice: a row is written in the transaction that queues its email. The
-- rows of a subscription, in their order, are also what its owner knows about it; any difference is news.
create table private.billing_notices (
  kind            text not null check (kind in ('first_seen', 'receipt', 'payment_failed', 'refund', 'plan_changed',
                                                'downgrade_scheduled', 'downgrade_undone', 'cancellation_scheduled',
                                                'cancellation_undone', 'subscription_ended')),
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
  'receipt: the invoice. payment_failed: invoice/attempt. refund: the refund. first_seen and subscription_ended: the subscription. Others: subscription/how many times';
comment on column private.billing_notices.subscription_id is 'At the payment provider; null for an invoice of none';
comment on column private.billing_notices.price_id is 'first_seen, plan_changed: the price from then on. downgrade_scheduled: the price to come';
comment on column private.billing_notices.is_mailed is 'False: known and not worth a mail, or there was no address';
comment on column private.billing_notices.seq is 'The order in which things were told';
create index billing_notices_subscription_id_idx on private.billing_notices (subscription_id, seq);
create index billing_notices_user_id_idx on private.billing_notices (user_id, created_at);
alter table private.billing_notices enable row level security;
revoke all on private.billing_notices from public, anon, authenticated, service_role;

-- A verification of all subscriptions that was interrupted continues with the customers that it has not reached.
create table private.verified_customers (
  customer_id text primary key,
  verified_at timestamptz not null default now()
);
comment on table private.verified_customers is
  'Whom the verification under way has reached: empty again when all were. Read and written by the server alone';
comment on column private.verified_customers.customer_id is 'Without a foreign key: a customer may be replaced meanwhile';
alter table private.verified_customers enable row level security;
revoke all on private.verified_customers from public, anon, authenticated, service_role;
