-- Forecasts that the record should have and has not, with the reason as the server saw it. What is missing without a row here
-- is missing because no server ran: it follows from the trading hours alone (domain/record/ledger/house-slots.ts).
create table private.track_misses (
  market_kind text not null check (market_kind in ('live', 'replayed', 'simulated')),
  slot_s      bigint not null check (slot_s % 300 = 0),
  sym         text not null check (char_length(sym) <= 40),
  model       text not null check (model in ('bobcat', 'panther', 'lion')),
  role        text not null check (role in ('serving', 'shadow')),
  reason      text not null check (char_length(reason) <= 40),
  noted_at    timestamptz not null default now(),
  primary key (market_kind, slot_s, sym, model, role)
);
comment on table private.track_misses is 'House forecasts that were due and are not in the record; rows are added and never changed';
comment on column private.track_misses.slot_s is 'Epoch seconds of market time';
comment on column private.track_misses.reason is 'As in server/record/house/house-slot.ts';

alter table private.track_misses enable row level security;
revoke all on private.track_misses from public, anon, authenticated, service_role;
create trigger track_misses_only_grows before update or delete on private.track_misses
  for each row execute function private.refuse_change();
create trigger track_misses_is_kept before truncate on private.track_misses
  for each statement execute function private.refuse_change();
