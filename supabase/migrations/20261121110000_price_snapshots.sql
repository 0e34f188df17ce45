-- Prices of coins: the newest of each symbol for everybody, and what they were before for ourselves.
create table public.price_snapshots (
  symbol      text primary key check (char_length(symbol) between 1 and 32),
  price       double precision not null check (price > 0 and price < 'infinity'),
  change_24h  double precision check (change_24h > '-infinity' and change_24h < 'infinity'),
  pct_24h     double precision check (pct_24h > '-infinity' and pct_24h < 'infinity'),
  volume_24h  double precision check (volume_24h >= 0 and volume_24h < 'infinity'),
  fetched_at  timestamptz not null,
  market_kind text not null default 'live' check (market_kind in ('live', 'simulated'))
);
comment on table public.price_snapshots is
  'One row a symbol, its newest: ordered by price with a limit, older rows of the same symbol would push others out';
comment on column public.price_snapshots.symbol is 'Upper case, as BTC; of coins that share one, the larger coin';
comment on column public.price_snapshots.price is 'US dollars';
comment on column public.price_snapshots.change_24h is 'US dollars; null where the source has none';
comment on column public.price_snapshots.pct_24h is 'Per cent; null where the source has none';
comment on column public.price_snapshots.volume_24h is 'US dollars; null where the source has none';
comment on column public.price_snapshots.fetched_at is 'When the source was asked. A coin that left its list is removed after a day';
comment on column public.price_snapshots.market_kind is 'simulated: figures of the sandbox market, never mixed with live ones';

alter table public.price_snapshots enable row level security;
revoke all on public.price_snapshots from public, anon, authenticated;
grant all on public.price_snapshots to service_role;
grant select on public.price_snapshots to anon, authenticated;
create policy "everyone reads the price snapshots" on public.price_snapshots
  for select to anon, authenticated using (true);

create table private.price_snapshot_history (
  market_kind text not null check (market_kind in ('live', 'simulated')),
  fetched_at  timestamptz not null,
  figures     jsonb not null check (jsonb_typeof(figures) = 'object' and octet_length(figures::text) <= 100000),
  primary key (market_kind, fetched_at)
);
comment on table private.price_snapshot_history is
  'What prices were, one row a moment: every ten minutes for 7 days, one an hour for 90 days; for the server alone';
comment on column private.price_snapshot_history.figures is
  'Of each symbol price and 24 hours'' volume, US dollars: {"BTC": [100000, 2e11]}; a volume may be null';
alter table private.price_snapshot_history enable row level security;
revoke all on private.price_snapshot_history from public, anon, authenticated, service_role;
