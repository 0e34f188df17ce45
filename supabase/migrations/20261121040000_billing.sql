-- Billing: who is a customer at the payment provider and what they subscribed to. The provider holds the truth; these
-- rows are its last known state, written by the service alone.
create table public.stripe_customers (
  user_id      uuid primary key references auth.users on delete cascade,
  customer_id  text unique check (char_length(customer_id) <= 255),
  creating_key uuid not null default gen_random_uuid(),
  mode         text not null default 'sandbox' check (mode in ('sandbox', 'test', 'live')),
  sync_seq     bigint not null default 0 check (sync_seq >= 0),
  created_at   timestamptz not null default now()
);
comment on table public.stripe_customers is 'One customer a user. The row is claimed before the provider is asked, so that two requests make one customer';
comment on column public.stripe_customers.customer_id is 'The provider''s id; null while the claim is open';
comment on column public.stripe_customers.creating_key is 'Idempotency key of the creation';
comment on column public.stripe_customers.mode is 'Where the id belongs: our stand-in, or the provider''s test or live mode';
comment on column public.stripe_customers.sync_seq is 'Last ticket given to a sync; a write with an older ticket loses';

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
  updated_at              timestamptz not null default now()
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
create index stripe_subscriptions_customer_id_idx on public.stripe_subscriptions (customer_id);
create index stripe_subscriptions_period_end_idx on public.stripe_subscriptions (current_period_end);

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
  last_error   text check (char_length(last_error) <= 2000)
);
comment on table public.stripe_events is 'Webhook events received. Done only when processed_at is set; kept 60 days against replay';
comment on column public.stripe_events.created is 'Epoch seconds, by the provider';
create index stripe_events_open_idx on public.stripe_events (received_at) where processed_at is null;

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

alter table public.stripe_customers enable row level security;
alter table public.stripe_subscriptions enable row level security;
alter table public.payment_methods enable row level security;
alter table public.stripe_events enable row level security;
alter table public.billing_checkouts enable row level security;
alter table public.billing_quotes enable row level security;

revoke all on public.stripe_customers, public.stripe_subscriptions, public.payment_methods, public.stripe_events,
  public.billing_checkouts, public.billing_quotes from public, anon, authenticated;
grant all on public.stripe_customers, public.stripe_subscriptions, public.payment_methods, public.stripe_events,
  public.billing_checkouts, public.billing_quotes to service_role;
grant select (user_id, customer_id, mode, created_at) on public.stripe_customers to authenticated;
grant select on public.stripe_subscriptions, public.payment_methods to authenticated;

create policy "owners read their customer record" on public.stripe_customers
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners read their subscriptions" on public.stripe_subscriptions
  for select to authenticated using (
    customer_id in (select c.customer_id from public.stripe_customers c where c.user_id = (select auth.uid()))
  );
create policy "owners read their cards" on public.payment_methods
  for select to authenticated using (user_id = (select auth.uid()));

-- One row a user: a live subscription first, then the one that ends last, then the newest. A customer without any has
-- a row with null status, which means free.
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
order by c.user_id,
  coalesce(s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused'), false) desc,
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
  language sql stable security definer set search_path = ''
as $$
  select coalesce(
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
  )
$$;
comment on function private.plan_of(uuid) is 'free, bobcat or lion, now. Specification 1, section 4';
revoke all on function private.plan_of(uuid) from public, anon, authenticated;
grant execute on function private.plan_of(uuid) to service_role;

create function private.allowed_models(p_user uuid) returns text[]
  language sql stable security definer set search_path = ''
as $$
  select case
    when private.is_admin(p_user) then
      (select array_agg(distinct m order by m) from private.plan_limits l, unnest(l.models) as m)
    else
      coalesce((select l.models from private.plan_limits l where l.plan = private.plan_of(p_user)), '{}')
  end
$$;
comment on function private.allowed_models(uuid) is 'Backend names of the models a user may forecast with now; admins: all';
revoke all on function private.allowed_models(uuid) from public, anon, authenticated;
grant execute on function private.allowed_models(uuid) to service_role;
