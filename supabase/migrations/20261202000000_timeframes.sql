-- Forecasts of candles of 5 and 15 minutes: the timeframe is one more field of what is stored as a candle, reserved,
-- saved and resolved. docs/decisions/067-timeframe-in-the-key.md

create function private.bar_s(p_timeframe text) returns bigint
  language sql immutable set search_path = ''
as $$ select case p_timeframe when '1min' then 60 when '5min' then 300 when '15min' then 900 end $$;
comment on function private.bar_s(text) is 'Seconds of one candle; null for an unknown timeframe';
revoke all on function private.bar_s(text) from public, anon, authenticated, service_role;
grant execute on function private.bar_s(text) to service_role;

alter table public.user_predictions
  drop constraint user_predictions_timeframe_check,
  add constraint user_predictions_timeframe_check check (timeframe in ('1min', '5min', '15min'));
comment on column public.user_predictions.timeframe is 'Length of a candle: 1min, 5min or 15min';

alter table private.prediction_reservations
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min'));
comment on column private.prediction_reservations.timeframe is 'Length of a candle, as in user_predictions';
-- The forecast of one candle costs one unit, in two tabs or clicked twice. A longer candle may open with a shorter one.
drop index private.prediction_reservations_once_idx;
create unique index prediction_reservations_once_idx
  on private.prediction_reservations (user_id, model, exc, sym, timeframe, t0) where state <> 'released';

alter table public.prediction_outcomes
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min'));
comment on column public.prediction_outcomes.timeframe is 'Length of a candle, as in user_predictions';
comment on column public.prediction_outcomes.due_at is
  'From then on the outcome can be known: 51 candles after join_s, later for delayed feeds';
-- Alerts look for running predictions by symbol, and how long one runs depends on its candles.
drop index public.prediction_outcomes_running_idx;
create index prediction_outcomes_running_idx on public.prediction_outcomes (sym, timeframe, join_s)
  where state = 'waiting';

alter table private.market_candles
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min')),
  add constraint market_candles_on_the_bar_check check (time % case timeframe when '5min' then 300 when '15min' then 900 else 60 end = 0),
  drop constraint market_candles_pkey;
alter table private.market_candles add primary key (venue, sym, timeframe, time);
comment on column private.market_candles.timeframe is 'Length of the candle: 1min, 5min or 15min; each is a series of its own';

-- As before, with the length of the candles.
drop function private.outcome_due_at(bigint, timestamptz);
create function private.outcome_due_at(p_join_s bigint, p_seen_at timestamptz, p_timeframe text default '1min')
  returns timestamptz
  language sql stable set search_path = ''
as $$
  select pg_catalog.to_timestamp(p_join_s + 51 * b.bar_s) + case
    when p_seen_at - pg_catalog.to_timestamp(p_join_s + b.bar_s) < interval '3 minutes' then interval '0'
    -- A candle is the newest until the next one closes: only what exceeds that is the feed's delay.
    else greatest(interval '0', least(
      p_seen_at - pg_catalog.to_timestamp(p_join_s + b.bar_s) - make_interval(secs => b.bar_s - 60), interval '1 hour'))
  end
  from (select private.bar_s(p_timeframe)) as b (bar_s)
$$;
comment on function private.outcome_due_at(bigint, timestamptz, text) is
  'When the outcome of a forecast can be known whose last real candle opened at p_join_s and was seen at p_seen_at';

-- As before, and only a forecast of the same timeframe is the one that this user already holds. It is the newest one for
-- as long as a candle lasts, which may be longer than it can be fetched again.
drop function private.may_reserve(uuid, text, text, text);
create function private.may_reserve(p_user uuid, p_model text, p_exc text, p_sym text, p_timeframe text default '1min')
  returns text
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_refusal text := private.reservation_refusal(p_user, p_model);
begin
  if v_refusal like 'quota/%' and exists (
    select from private.prediction_reservations r
     where r.user_id = p_user and r.model = p_model and r.exc = p_exc and r.sym = p_sym and r.timeframe = p_timeframe
       and r.state <> 'released'
       and greatest(r.expires_at, r.created_at + make_interval(secs => private.bar_s(p_timeframe)))
           > private.clock_now()
  ) then
    return null;
  end if;
  return v_refusal;
end;
$$;
comment on function private.may_reserve(uuid, text, text, text, text) is
  'An error code, or null when computing a forecast is worth it';

create or replace function private.spend_reservation(p_id uuid) returns uuid
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_prediction uuid := gen_random_uuid();
begin
  insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, created_at, data, band)
  select v_prediction, r.user_id, r.label, r.timeframe, r.model, private.clock_now(), k.history || k.forecast,
         private.whole_band(k.start -> 'band')
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

drop function private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid);
create function private.reserve_prediction(
  p_id uuid, p_user uuid, p_model text, p_model_version text, p_exc text, p_sym text, p_label text, p_t0 bigint,
  p_forecast uuid, p_timeframe text default '1min', out outcome text, out reservation_id uuid)
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_now timestamptz;
begin
  insert into private.quota_locks (user_id) values (p_user) on conflict do nothing;
  perform 1 from private.quota_locks where user_id = p_user for update;
  v_now := private.clock_now();
  perform private.settle_reservations(p_user);

  outcome := private.reservation_refusal(p_user, p_model);
  if outcome in ('prediction/admin-saves-nothing', 'forecast/model-locked') then
    return;
  end if;

  select r.id into reservation_id
    from private.prediction_reservations r
   where r.user_id = p_user and r.model = p_model and r.exc = p_exc and r.sym = p_sym and r.timeframe = p_timeframe
     and r.t0 = p_t0 and r.state <> 'released';
  if found then
    outcome := 'existing';
    -- A market that stands still, or a long candle, may be asked for again much later: its forecast stays readable.
    update private.prediction_reservations r set expires_at = v_now + interval '10 minutes'
     where r.id = reservation_id and r.state in ('spent', 'returned') and r.expires_at <= v_now;
    return;
  end if;
  if outcome is not null then
    return;
  end if;

  insert into private.prediction_reservations
    (id, user_id, model, model_version, exc, sym, label, timeframe, t0, created_at, expires_at, kept_forecast)
  values
    (p_id, p_user, p_model, p_model_version, p_exc, p_sym, p_label, p_timeframe, p_t0, v_now,
     v_now + interval '10 minutes', p_forecast);
  outcome := 'reserved';
  reservation_id := p_id;
end;
$$;
comment on function private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid, text) is
  'Takes one unit of quota under the user''s lock, for a forecast that is kept. Outcome: reserved, existing (the same candle''s forecast, already held), or an error code';

drop function private.reservation_of(uuid, uuid);
create function private.reservation_of(p_user uuid, p_id uuid)
  returns table (state text, model text, exc text, sym text, timeframe text, candles_sent integer, history jsonb, forecast jsonb, start jsonb)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select r.state, r.model, r.exc, r.sym, r.timeframe, r.candles_sent, k.history, k.forecast,
           k.start || jsonb_build_object('reservationId', r.id)
      from private.prediction_reservations r
      join private.kept_forecasts k on k.id = r.kept_forecast
     where r.id = p_id and r.user_id = p_user and r.state <> 'released' and r.expires_at > private.clock_now();
end;
$$;
comment on function private.reservation_of(uuid, uuid) is
  'A user''s own forecast for ten minutes; no row when it is another''s, unknown, released or older';

drop function private.unsaved_reservations_of(uuid);
create function private.unsaved_reservations_of(p_user uuid)
  returns table (id uuid, model text, exc text, sym text, label text, timeframe text, t0 bigint, candles_sent integer, created_at timestamptz, expires_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select r.id, r.model, r.exc, r.sym, r.label, r.timeframe, r.t0, r.candles_sent, r.created_at, r.expires_at
    from private.prediction_reservations r
   where r.user_id = p_user and r.state = 'reserved' and r.expires_at > private.clock_now()
   order by r.created_at desc
   limit 10
$$;
comment on function private.unsaved_reservations_of(uuid) is 'A user''s forecasts that may still be saved, newest first, at most 10';

create or replace function private.record_prediction(
  p_user uuid, p_model text, p_cryptocurrency text, p_timeframe text, p_data jsonb,
  out outcome text, out prediction jsonb)
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_reservation record;
  v_prediction  uuid;
begin
  if private.is_admin(p_user) then
    outcome := 'prediction/admin-saves-nothing';
    return;
  end if;
  if jsonb_typeof(p_data) is distinct from 'array' or jsonb_array_length(p_data) <> 200 then
    outcome := 'prediction/wrong-length';
    return;
  end if;

  select r.id, r.state, r.prediction_id into v_reservation
    from private.prediction_reservations r
    join private.kept_forecasts k on k.id = r.kept_forecast
   where r.user_id = p_user and r.model = p_model and r.label = p_cryptocurrency and r.timeframe = p_timeframe
     and r.state <> 'released' and r.candles_sent = 50
     and to_jsonb(r.t0) = p_data -> 149 -> 'time'
     and private.has_same_candles(p_data, k.history || k.forecast)
   order by r.state desc, r.created_at
   limit 1
     for update of r;
  if not found then
    outcome := case
      when p_model = any (private.allowed_models(p_user)) then 'prediction/not-streamed'
      else 'forecast/model-locked'
    end;
    return;
  end if;

  v_prediction := v_reservation.prediction_id;
  if v_reservation.state = 'reserved' then
    v_prediction := private.spend_reservation(v_reservation.id);
  end if;
  select to_jsonb(p) into prediction from public.user_predictions p where p.id = v_prediction;
  -- A row that its owner deleted stays deleted.
  outcome := case when prediction is null then 'prediction/not-streamed' else 'saved' end;
end;
$$;

revoke all on function
  private.outcome_due_at(bigint, timestamptz, text), private.may_reserve(uuid, text, text, text, text),
  private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid, text),
  private.reservation_of(uuid, uuid), private.unsaved_reservations_of(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  private.outcome_due_at(bigint, timestamptz, text), private.may_reserve(uuid, text, text, text, text),
  private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid, text),
  private.reservation_of(uuid, uuid), private.unsaved_reservations_of(uuid)
  to service_role;
