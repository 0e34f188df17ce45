-- When scheduled releases come, where each moment is from and when it was learnt.
-- docs/decisions/104-releases.md

create table private.releases (
  market_kind text not null check (market_kind in ('live', 'simulated')),
  source      text not null check (source in ('feed', 'schedule')),
  released_at timestamptz not null,
  currency    text not null check (currency ~ '^[A-Za-z]{2,3}$'),
  title       text not null check (char_length(title) between 1 and 200),
  learnt_at   timestamptz not null,
  dropped_at  timestamptz check (dropped_at >= learnt_at)
);
comment on table private.releases is
  'Scheduled releases as the server knew them; what a forecast knew is what was learnt before it and not dropped by then';
comment on column private.releases.source is 'The live calendar, or the schedule that ships with the server';
comment on column private.releases.released_at is 'The announced moment, minutes or months ahead';
comment on column private.releases.currency is 'ISO code of the currency under which the calendar lists it';
comment on column private.releases.learnt_at is 'When the server read it first';
comment on column private.releases.dropped_at is 'When its source no longer had it, as after it was moved; null while it stands';
create unique index releases_standing_idx
  on private.releases (market_kind, source, released_at, currency, title) where dropped_at is null;
alter table private.releases enable row level security;
revoke all on private.releases from public, anon, authenticated, service_role;
