-- What the order book looked like at the end of each minute, so that a later model can learn from it.
-- docs/decisions/105-book-minutes.md

create table private.book_minutes (
  product   text not null check (product ~ '^[A-Z0-9]{1,20}-[A-Z]{3,4}$'),
  minute_s  bigint not null check (minute_s % 60 = 0),
  bid       double precision not null check (bid > 0),
  ask       double precision not null check (ask > bid),
  bid_depth real not null check (bid_depth >= 0),
  ask_depth real not null check (ask_depth >= 0),
  primary key (product, minute_s)
);
comment on table private.book_minutes is
  'One row a minute for each live order book of the picker''s coins; kept for 400 days and read by training alone';
comment on column private.book_minutes.product is 'As Coinbase Exchange names it: BTC-USD';
comment on column private.book_minutes.minute_s is 'Epoch seconds of the minute that begins with this book';
comment on column private.book_minutes.bid is 'Best prices, quote currency';
comment on column private.book_minutes.bid_depth is 'Base asset within 10 basis points of the best price of its side';
create index book_minutes_minute_idx on private.book_minutes (minute_s);
alter table private.book_minutes enable row level security;
revoke all on private.book_minutes from public, anon, authenticated, service_role;
