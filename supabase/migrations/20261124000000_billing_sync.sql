-- What the sync with the payment provider remembers beside the rows themselves: which mode counts, who works on an event,
-- how far a subscription's owner was told of its changes, and what a person should look at.
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
  language sql stable security definer set search_path = ''
as $$ select m.mode from private.payment_mode m $$;
comment on function private.payment_mode() is 'The mode whose customers count';
revoke all on function private.payment_mode() from public, anon, authenticated;
grant execute on function private.payment_mode() to authenticated, service_role;

alter table public.stripe_customers
  add column claimed_at timestamptz not null default now(),
  add column cards_seq bigint not null default 0;
comment on column public.stripe_customers.claimed_at is 'When the claim without id was made; old ones are looked up at the provider first';
comment on column public.stripe_customers.cards_seq is 'Ticket of the sync that wrote the cards';
create index stripe_customers_open_claims_idx on public.stripe_customers (claimed_at) where customer_id is null;

alter table public.stripe_subscriptions add column noticed_seq bigint not null default 0;
comment on column public.stripe_subscriptions.noticed_seq is 'Ticket of the last sync whose changes the owner was told of; below synced_seq something is still to be told';
create index stripe_subscriptions_untold_idx on public.stripe_subscriptions (updated_at) where noticed_seq < synced_seq;

alter table public.stripe_events add column claimed_until timestamptz;
comment on column public.stripe_events.claimed_until is 'Somebody works on it until then';
comment on column public.stripe_events.object_id is 'The subscription or customer that it is about, else its own object';
create index stripe_events_received_at_idx on public.stripe_events (received_at);
create index billing_checkouts_open_idx on public.billing_checkouts (created_at) where state = 'open';

-- As before, but of the mode in use alone: a plan that was bought with play money is none where real money is taken.
create or replace view public.stripe_user_subscriptions with (security_invoker = true) as
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
where c.mode = (select private.payment_mode())
order by c.user_id,
  coalesce(s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused'), false) desc,
  s.current_period_end desc nulls last,
  s.stripe_created desc nulls last,
  s.subscription_id;

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
alter table public.billing_alarms enable row level security;
revoke all on public.billing_alarms from public, anon, authenticated;
grant all on public.billing_alarms to service_role;
