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

-- What a saved prediction knew of releases, as its stream said it.
alter table public.user_predictions
  add column releases jsonb check (jsonb_typeof(releases) = 'object' and octet_length(releases::text) <= 10000);
comment on column public.user_predictions.releases is
  'Scheduled releases within the forecast and how much wider they made its band: {list, factor, isComplete}; null without any, and for predictions saved before they were counted';

-- As before, and with the releases of the stream's first event.
create or replace function private.spend_reservation(p_id uuid) returns uuid
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_prediction uuid := gen_random_uuid();
begin
  insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, created_at, data, band, releases)
  select v_prediction, r.user_id, r.label, r.timeframe, r.model, private.clock_now(), k.history || k.forecast,
         private.whole_band(k.start -> 'band'),
         case when jsonb_typeof(k.start -> 'releases') = 'object'
                and octet_length((k.start -> 'releases')::text) <= 10000 then k.start -> 'releases' end
    from private.prediction_reservations r
    join private.kept_forecasts k on k.id = r.kept_forecast
   where r.id = p_id and r.state = 'reserved';
  if not found then
    raise exception 'reservation % is not reserved', p_id;
  end if;
  insert into public.prediction_outcomes
    (prediction_id, user_id, market_kind, sym, timeframe, join_s, due_at, next_try_at)
  select v_prediction, r.user_id, k.start ->> 'marketKind', r.sym, r.timeframe, r.t0, d.due_at, d.due_at
    from private.prediction_reservations r
    join private.kept_forecasts k on k.id = r.kept_forecast,
         private.outcome_due_at(r.t0, r.created_at, r.timeframe) d (due_at)
   where r.id = p_id and k.start ->> 'marketKind' in ('live', 'replayed', 'simulated');
  update private.prediction_reservations set state = 'spent', prediction_id = v_prediction where id = p_id;
  return v_prediction;
end;
$$;
