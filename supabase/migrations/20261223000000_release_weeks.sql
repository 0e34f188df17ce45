-- For which time the live calendar had answered at each moment, so that the page of a past forecast can say whether a
-- release may have been missing. docs/decisions/104-releases.md

create table private.release_weeks (
  market_kind text not null check (market_kind in ('live', 'simulated')),
  from_at     timestamptz not null,
  to_at       timestamptz not null check (to_at >= from_at),
  learnt_at   timestamptz not null,
  primary key (market_kind, to_at)
);
comment on table private.release_weeks is
  'Weeks of the live calendar; a forecast knew all releases if the newest week learnt before it holds all of its bars';
comment on column private.release_weeks.from_at is 'Start of the week; 1970 with to_at in 1970 while the live calendar had never answered';
comment on column private.release_weeks.learnt_at is 'When the server read it first';
alter table private.release_weeks enable row level security;
revoke all on private.release_weeks from public, anon, authenticated, service_role;
