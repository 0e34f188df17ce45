-- A reservation's life: the quota that it counts against, how it is taken, filled, resumed, saved and settled, and how a
-- unit is given back.

-- Start of the month that the quota counts: the billing period, or the calendar month in UTC without one. A plan that
-- renews runs on by whole months when its renewal has not arrived yet; one that is ending gets no new period.
create function private.quota_month_start(p_user uuid) returns timestamptz
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_now    timestamptz := private.clock_now();
  v_start  timestamptz;
  v_end    timestamptz;
  v_ending boolean;
  v_late   interval;
begin
  select to_timestamp(s.current_period_start), to_timestamp(s.current_period_end),
         coalesce(s.cancel_at_period_end, false) or coalesce(s.status = 'canceled', false)
    into v_start, v_end, v_ending
    from public.stripe_user_subscriptions s
   where s.user_id = p_user and s.current_period_start is not null
   limit 1;
  if v_start is null then
    return date_trunc('month', v_now at time zone 'UTC') at time zone 'UTC';
  end if;
  if v_ending or v_end is null or v_now < v_end then
    return v_start;
  end if;
  v_late := age(v_now at time zone 'UTC', v_end at time zone 'UTC');
  return ((v_end at time zone 'UTC')
          + make_interval(months => (extract(year from v_late) * 12 + extract(month from v_late))::int))
         at time zone 'UTC';
end;
$$;
comment on function private.quota_month_start(uuid) is 'Moment from which the monthly quota counts reservations';

-- A returned reservation does not count. A plan without a limit always has -1 left, which no refusal at 0 matches.
create function private.quota_of(p_user uuid)
  returns table (plan text, is_admin boolean, per_day integer, per_month integer, remaining_daily integer, remaining_monthly integer)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_plan  text := private.plan_of(p_user);
  v_day   timestamptz := date_trunc('day', private.clock_now() at time zone 'UTC') at time zone 'UTC';
  v_month timestamptz := private.quota_month_start(p_user);
begin
  if private.is_admin(p_user) then
    return query select v_plan, true, null::integer, null::integer, null::integer, null::integer;
    return;
  end if;
  return query
    with used as (
      select count(*) filter (where r.created_at >= v_day)::integer as today,
             count(*) filter (where r.created_at >= v_month)::integer as month
        from private.prediction_reservations r
       where r.user_id = p_user and r.state <> 'released' and r.state <> 'returned'
         and r.created_at >= least(v_day, v_month)
    )
    select v_plan, false, l.per_day, l.per_month,
           case when l.per_day = -1 then -1 else greatest(0, l.per_day - used.today) end,
           case when l.per_month = -1 then -1 else greatest(0, l.per_month - used.month) end
      from used cross join private.plan_limits l
     where l.plan = v_plan;
end;
$$;
comment on function private.quota_of(uuid) is
  'Predictions left by UTC day and by billing period: limit minus reserved minus spent, -1 without a limit. All null but plan for an admin, who has no limit';

-- Why this user may not reserve with this model now; null if they may.
create function private.reservation_refusal(p_user uuid, p_model text) returns text
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_quota record;
begin
  select * into v_quota from private.quota_of(p_user);
  return case
    when v_quota.is_admin then 'prediction/admin-saves-nothing'
    when not p_model = any (private.allowed_models(p_user)) then 'forecast/model-locked'
    when v_quota.remaining_monthly = 0 then 'quota/monthly-spent'
    when v_quota.remaining_daily = 0 then 'quota/daily-spent'
  end;
end;
$$;
comment on function private.reservation_refusal(uuid, text) is 'An error code, or null when the user may reserve';

-- Called before anything is computed. A forecast that this user already holds is no new cost, so it passes.
create function private.may_reserve(p_user uuid, p_model text, p_exc text, p_sym text) returns text
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_refusal text := private.reservation_refusal(p_user, p_model);
begin
  if v_refusal like 'quota/%' and exists (
    select from private.prediction_reservations r
     where r.user_id = p_user and r.model = p_model and r.exc = p_exc and r.sym = p_sym
       and r.state <> 'released' and r.expires_at > private.clock_now()
  ) then
    return null;
  end if;
  return v_refusal;
end;
$$;
comment on function private.may_reserve(uuid, text, text, text) is 'An error code, or null when computing a forecast is worth it';

revoke all on function
  private.quota_month_start(uuid), private.quota_of(uuid), private.reservation_refusal(uuid, text),
  private.may_reserve(uuid, text, text, text)
  from public, anon, authenticated, service_role;
grant execute on function private.quota_of(uuid), private.may_reserve(uuid, text, text, text) to service_role;

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

-- Saves a reservation's own content, with the row that waits for its outcome, and uses up its unit. The caller holds the
-- row's lock and knows it is reserved. A forecast without a known kind of market gets no outcome.
create function private.spend_reservation(p_id uuid) returns uuid
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
comment on function private.spend_reservation(uuid) is 'Internal: id of the new row in user_predictions';

-- Ends expired reservations: a viewer who saw a candle has used the unit and finds it saved; the others get it back.
create function private.settle_reservations(p_user uuid default null, out spent integer, out released integer)
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
comment on function private.settle_reservations(uuid) is
  'Ends expired reservations, of one user or of all: how many were spent and saved, how many given back';

-- Inserts the forecast in the same statement, so that no reader meets a reservation without its forecast.
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

create function private.release_reservation(p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.prediction_reservations set state = 'released', kept_forecast = null
   where id = p_id and state = 'reserved' and candles_sent = 0;
  return found;
end;
$$;
comment on function private.release_reservation(uuid) is
  'Gives the unit back after a failure; false when a candle was sent or it is already spent';

create function private.mark_candles_sent(p_id uuid, p_count integer) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.prediction_reservations
     set candles_sent = greatest(candles_sent, p_count)
   where id = p_id and state <> 'released' and kept_forecast is not null;
  return found;
end;
$$;
comment on function private.mark_candles_sent(uuid, integer) is
  'Never goes down. False when the reservation was released: then nothing may be sent';

create function private.reservation_of(p_user uuid, p_id uuid)
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
comment on function private.reservation_of(uuid, uuid) is
  'A user''s own forecast for ten minutes; no row when it is another''s, unknown, released or older';

create function private.unsaved_reservations_of(p_user uuid)
  returns table (id uuid, model text, exc text, sym text, label text, t0 bigint, candles_sent integer, created_at timestamptz, expires_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select r.id, r.model, r.exc, r.sym, r.label, r.t0, r.candles_sent, r.created_at, r.expires_at
    from private.prediction_reservations r
   where r.user_id = p_user and r.state = 'reserved' and r.expires_at > private.clock_now()
   order by r.created_at desc
   limit 10
$$;
comment on function private.unsaved_reservations_of(uuid) is 'A user''s forecasts that may still be saved, newest first, at most 10';

-- Prices and time as numbers, so 1.50 equals 1.5; volume only where the sender has one.
create function private.has_same_candles(p_sent jsonb, p_kept jsonb) returns boolean
  language sql immutable set search_path = ''
as $$
  select jsonb_array_length(p_sent) = jsonb_array_length(p_kept) and not exists (
    select from rows from (jsonb_array_elements(p_sent), jsonb_array_elements(p_kept)) as pair (sent, kept)
     where sent -> 'time' is distinct from kept -> 'time'
        or sent -> 'open' is distinct from kept -> 'open'
        or sent -> 'high' is distinct from kept -> 'high'
        or sent -> 'low' is distinct from kept -> 'low'
        or sent -> 'close' is distinct from kept -> 'close'
        or (sent ? 'volume' and sent -> 'volume' is distinct from kept -> 'volume')
  )
$$;
comment on function private.has_same_candles(jsonb, jsonb) is 'Whether two lists hold the same candles, value by value, in order';

-- Saves what the server itself streamed to this user, in full. The caller's candles only prove that they were seen: what is
-- written is the server's own copy. Sending the same again finds the same row.
create function private.record_prediction(
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
comment on function private.record_prediction(uuid, text, text, text, jsonb) is
  'Outcome saved with the row, or an error code: prediction/not-streamed, prediction/wrong-length, prediction/admin-saves-nothing, forecast/model-locked';

revoke all on function
  private.keep_forecast(uuid, jsonb, jsonb, jsonb), private.spend_reservation(uuid), private.settle_reservations(uuid),
  private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid), private.release_reservation(uuid),
  private.mark_candles_sent(uuid, integer), private.reservation_of(uuid, uuid),
  private.unsaved_reservations_of(uuid), private.has_same_candles(jsonb, jsonb),
  private.record_prediction(uuid, text, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function
  private.keep_forecast(uuid, jsonb, jsonb, jsonb), private.settle_reservations(uuid),
  private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint, uuid), private.release_reservation(uuid),
  private.mark_candles_sent(uuid, integer), private.reservation_of(uuid, uuid),
  private.unsaved_reservations_of(uuid), private.record_prediction(uuid, text, text, text, jsonb)
  to service_role;

-- Returns. A reservation whose forecast was never delivered is released by settle_reservations and release_reservation. One
-- whose forecast was delivered and saved, and can never be scored through no fault of its user's, is returned: once, in the
-- statement that ends the waiting for its outcome.

-- The user saw the exchange's hours, so a forecast across its close was their choice. Every other reason is ours or the feed's.
create function private.returns_quota(p_void_reason text) returns boolean
  language sql immutable set search_path = ''
as $$ select coalesce(p_void_reason in ('candles-missing', 'candles-gone', 'other-market', 'unreadable'), false) $$;
comment on function private.returns_quota(text) is
  'Whether a prediction that is void for this reason costs nothing; as RETURNING_REASONS of domain/record/scoring/outcome.ts';
-- Updates first, so that the unit no longer counts as spent; a second caller then finds nothing to return.
create function private.return_reservation(p_prediction uuid) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_returned record;
  v_quota    record;
begin
  update private.prediction_reservations r set state = 'returned'
   where r.prediction_id = p_prediction and r.state = 'spent'
  returning r.user_id, r.created_at into v_returned;
  if not found then
    return false;
  end if;
  select * into v_quota from private.quota_of(v_returned.user_id);
  return not v_quota.is_admin and (
    (v_quota.per_day > 0
     and v_returned.created_at >= date_trunc('day', private.clock_now() at time zone 'UTC') at time zone 'UTC')
    or (v_quota.per_month > 0 and v_returned.created_at >= private.quota_month_start(v_returned.user_id)));
end;
$$;
comment on function private.return_reservation(uuid) is
  'Gives the unit of a saved prediction back, once; true when its user now has more left than before';
create function private.return_void_prediction() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if private.returns_quota(new.void_reason) and private.return_reservation(new.prediction_id) then
    new.returned_at := private.clock_now();
  end if;
  return new;
end;
$$;
comment on function private.return_void_prediction() is 'For prediction_outcomes: no outcome ends void without its return';
create trigger prediction_outcomes_return before update of state on public.prediction_outcomes
  for each row when (old.state = 'waiting' and new.state = 'void') execute function private.return_void_prediction();
revoke all on function
  private.returns_quota(text), private.return_reservation(uuid), private.return_void_prediction()
  from public, anon, authenticated, service_role;
