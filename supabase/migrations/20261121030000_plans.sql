-- What is sold: prices at the payment provider, and what each plan allows. domain/billing/plans.ts holds the same figures.
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
  per_day   integer not null check (per_day >= 0),
  per_month integer not null check (per_month >= 0),
  models    text[] not null check (models <@ array['kat1', 'kat2_2', 'kat2_4'])
);
comment on table private.plan_limits is 'Predictions a plan allows. Specification 1, section 6';
comment on column private.plan_limits.per_day is 'Predictions a UTC day';
comment on column private.plan_limits.per_month is 'Predictions a billing period';
comment on column private.plan_limits.models is 'Backend names: kat1 Bobcat, kat2_2 Panther, kat2_4 Lion';

alter table private.plan_limits enable row level security;
revoke all on private.plan_limits from public, anon, authenticated;
grant select on private.plan_limits to service_role;

insert into private.plan_limits (plan, per_day, per_month, models) values
  ('free', 0, 0, '{}'),
  ('bobcat', 10, 60, '{kat1}'),
  ('lion', 15, 300, '{kat1,kat2_2,kat2_4}');
