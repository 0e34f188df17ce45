-- Closed one-minute candles of live venues, so that a restart needs few calls and a venue that is away leaves its past behind.
create table private.market_candles (
  venue  text not null check (venue ~ '^[a-z0-9-]{1,30}$'),
  sym    text not null check (sym ~ '^[A-Z0-9.!]{1,20}$'),
  time   bigint not null check (time >= 0 and time % 60 = 0),
  open   double precision not null,
  high   double precision not null,
  low    double precision not null,
  close  double precision not null,
  volume double precision check (volume >= 0 and volume < 1e18),
  primary key (venue, sym, time),
  check (low > 0 and low <= least(open, close) and greatest(open, close) <= high and high < 1e15)
);
comment on table private.market_candles is 'Closed candles, 30 days of them; read and written by the server alone';
comment on column private.market_candles.venue is 'binance, bybit, okx ...: candles of two venues are never mixed in one series';
comment on column private.market_candles.sym is 'The product''s own code: BTCUSDT.P, MSFT, GC1! ...';
comment on column private.market_candles.time is 'Opening second, Unix epoch, UTC; a whole minute';
comment on column private.market_candles.open is 'In the quote currency, as high, low and close';
comment on column private.market_candles.volume is 'In the base asset or in contracts, as the venue counts; null where it tells none';
create index market_candles_time_idx on private.market_candles (time);
alter table private.market_candles enable row level security;
revoke all on private.market_candles from public, anon, authenticated, service_role;
