-- A forecast is kept once for all who reserve it, and no more by each of them: 25 KB for two thousand viewers of a minute in
-- place of 50 MB. docs/decisions/050-kept-forecasts.md
create table private.kept_forecasts (
  id         uuid primary key,
  history    jsonb not null check (jsonb_typeof(history) = 'array' and jsonb_array_length(history) = 150),
  forecast   jsonb not null check (jsonb_typeof(forecast) = 'array' and jsonb_array_length(forecast) = 50),
  start      jsonb not null,
  created_at timestamptz not null
);
comment on table private.kept_forecasts is 'Forecasts as they were streamed, each once for all who reserved it; two days of them';
comment on column private.kept_forecasts.id is 'Made of the content: processes that keep the same keep one';
comment on column private.kept_forecasts.history is '150 candles before the forecast, as they will be saved';
comment on column private.kept_forecasts.forecast is '50 candles of the forecast, as they will be saved';
comment on column private.kept_forecasts.start is 'First event of the stream, without the id of a reservation';
create index kept_forecasts_created_at_idx on private.kept_forecasts (created_at);
alter table private.kept_forecasts enable row level security;
revoke all on private.kept_forecasts from public, anon, authenticated, service_role;

-- Until now each reservation held its own.
insert into private.kept_forecasts (id, history, forecast, start, created_at)
select r.id, r.history, r.forecast, coalesce(r.start, '{}') - 'reservationId', r.created_at
  from private.prediction_reservations r
 where r.history is not null and r.forecast is not null;
alter table private.prediction_reservations
  add column kept_forecast uuid references private.kept_forecasts on delete set null;
update private.prediction_reservations r set kept_forecast = k.id from private.kept_forecasts k where k.id = r.id;
update private.prediction_reservations set state = 'released' where state = 'reserved' and kept_forecast is null;
drop index private.prediction_reservations_full_idx;
alter table private.prediction_reservations
  drop constraint prediction_reservations_check,
  drop column history, drop column forecast, drop column start,
  add constraint prediction_reservations_check check (state <> 'reserved' or kept_forecast is not null);
comment on column private.prediction_reservations.kept_forecast is
  'What is streamed and will be saved; null once released, and two days after it was made';
create index prediction_reservations_kept_idx on private.prediction_reservations (kept_forecast)
  where kept_forecast is not null;

create function private.keep_forecast(p_id uuid, p_history jsonb, p_forecast jsonb, p_start jsonb) returns void
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.kept_forecasts (id, history, forecast, start, created_at)
  values (p_id, p_history, p_forecast, p_start, private.clock_now())
  on conflict (id) do nothing;
end;
$$;
comment on function private.keep_forecast(uuid, jsonb, jsonb, jsonb) is
  'Before its first reservation, by every process that has it: the first one keeps it';

-- As before, of the forecast that is kept for all.
create or replace function private.spend_reservation(p_id uuid) returns uuid
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_prediction uuid := gen_random_uuid();
begin
  insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, created_at, data)
  select v_prediction, r.user_id, r.label, '1min', r.model, private.clock_now(), k.history || k.forecast
    from private.prediction_reservations r
    join private.kept_forecasts k on k.id = r.kept_forecast
   where r.id = p_id and r.state = 'reserved';
  if not found then
    raise exception 'reservation % is not reserved', p_id;
  end if;
  insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
  select v_prediction, r.user_id, k.start ->> 'marketKind', r.sym, r.t0, d.due_at, d.due_at
    from private.prediction_reservations r
    join private.kept_forecasts k on k.id = r.kept_forecast,
         private.outcome_due_at(r.t0, r.created_at) d (due_at)
   where r.id = p_id and k.start ->> 'marketKind' in ('live', 'replayed', 'simulated');
  update private.prediction_reservations set state = 'spent', prediction_id = v_prediction where id = p_id;
  return v_prediction;
end;
$$;

create or replace function private.settle_reservations(p_user uuid default null, out spent integer, out released integer)
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_due record;
begin
  spent := 0;
  released := 0;
  for v_due in
    select r.id, r.candles_sent
      from private.prediction_reservations r
     where r.state = 'reserved' and r.expires_at <= private.clock_now() and (p_user is null or r.user_id = p_user)
     order by r.expires_at
     for update skip locked
  loop
    if v_due.candles_sent > 0 then
      perform private.spend_reservation(v_due.id);
      spent := spent + 1;
    else
      update private.prediction_reservations set state = 'released', kept_forecast = null where id = v_due.id;
      released := released + 1;
    end if;
  end loop;
end;
$$;

-- As before, with the forecast in the same statement: nobody ever meets a reservation without its forecast.
drop function private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint);
drop function private.attach_forecast(uuid, jsonb, jsonb, jsonb);
create function private.reserve_prediction(
  p_id uuid, p_user uuid, p_model text, p_model_version text, p_exc text, p_sym text, p_label text, p_t0 bigint,
  p_forecast uuid, out outcome text, out reservation_id uuid)
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
   where r.user_id = p_user and r.model = p_model and r.exc = p_exc and r.sym = p_sym and r.t0 = p_t0
     and r.state <> 'released';
  if found then
    outcome := 'existing';
    -- A market that stands still may be asked for the same candle again much later: its forecast stays readable.
    update private.prediction_reservations r set expires_at = v_now + interval '10 minutes'
     where r.id = reservation_id and r.state in ('spent', 'returned') and r.expires_at <= v_now;
    return;
  end if;
  if outcome is not null then
    return;
  end if;

  insert into private.prediction_reservations
    (id, user_id, model, model_version, exc, sym, label, t0, created_at, expires_at, kept_forecast)
  values
    (p_id, p_user, p_model, p_model_version, p_exc, p_sym, p_label, p_t0, v_now, v_now + interval '10 minutes', p_forecast);
  outcome := 'reserved';
  reservation_id := p_id;
end;
$$;
comment on function private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid) is
  'Takes one unit of quota under the user''s lock, for a forecast that is kept. Outcome: reserved, existing (the same minute''s forecast, already held), or an error code';

create or replace function private.release_reservation(p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.prediction_reservations set state = 'released', kept_forecast = null
   where id = p_id and state = 'reserved' and candles_sent = 0;
  return found;
end;
$$;

create or replace function private.mark_candles_sent(p_id uuid, p_count integer) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.prediction_reservations
     set candles_sent = greatest(candles_sent, p_count)
   where id = p_id and state <> 'released' and kept_forecast is not null;
  return found;
end;
$$;

-- PL/pgSQL keeps its plan, which plain SQL does not before PostgreSQL 18: after a restart thousands ask.
create or replace function private.reservation_of(p_user uuid, p_id uuid)
  returns table (state text, model text, exc text, sym text, candles_sent integer, history jsonb, forecast jsonb, start jsonb)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select r.state, r.model, r.exc, r.sym, r.candles_sent, k.history, k.forecast,
           k.start || jsonb_build_object('reservationId', r.id)
      from private.prediction_reservations r
      join private.kept_forecasts k on k.id = r.kept_forecast
     where r.id = p_id and r.user_id = p_user and r.state <> 'released' and r.expires_at > private.clock_now();
end;
$$;

create or replace function private.unsaved_reservations_of(p_user uuid)
  returns table (id uuid, model text, exc text, sym text, label text, t0 bigint, candles_sent integer, created_at timestamptz, expires_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select r.id, r.model, r.exc, r.sym, r.label, r.t0, r.candles_sent, r.created_at, r.expires_at
    from private.prediction_reservations r
   where r.user_id = p_user and r.state = 'reserved' and r.expires_at > private.clock_now()
   order by r.created_at desc
   limit 10
$$;

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
   where r.user_id = p_user and r.model = p_model and r.label = p_cryptocurrency and p_timeframe = '1min'
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
  private.keep_forecast(uuid, jsonb, jsonb, jsonb),
  private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  private.keep_forecast(uuid, jsonb, jsonb, jsonb),
  private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid)
  to service_role;
