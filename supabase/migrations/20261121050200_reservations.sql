-- Reservations: taken, filled, resumed, saved, settled. Each function is one step of a reservation's life.

-- Saves a reservation's own content and uses up its unit. The caller holds the row's lock and knows it is reserved.
create function private.spend_reservation(p_id uuid) returns uuid
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_prediction uuid := gen_random_uuid();
begin
  insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, created_at, data)
  select v_prediction, r.user_id, r.label, '1min', r.model, private.clock_now(), r.history || r.forecast
    from private.prediction_reservations r
   where r.id = p_id and r.state = 'reserved';
  if not found then
    raise exception 'reservation % is not reserved', p_id;
  end if;
  update private.prediction_reservations set state = 'spent', prediction_id = v_prediction where id = p_id;
  return v_prediction;
end;
$$;
comment on function private.spend_reservation(uuid) is 'Internal: id of the new row in user_predictions';

-- Ends what has run out: a viewer who saw a candle has used it up and finds it saved; the rest is given back.
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
      update private.prediction_reservations
         set state = 'released', history = null, forecast = null, start = null
       where id = v_due.id;
      released := released + 1;
    end if;
  end loop;
end;
$$;
comment on function private.settle_reservations(uuid) is
  'Ends expired reservations, of one user or of all: how many were spent and saved, how many given back';

create function private.reserve_prediction(
  p_id uuid, p_user uuid, p_model text, p_model_version text, p_exc text, p_sym text, p_label text, p_t0 bigint,
  out outcome text, out reservation_id uuid)
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
    -- A market that stands still may be asked for the same candle again much later: its paid forecast stays readable.
    update private.prediction_reservations r set expires_at = v_now + interval '10 minutes'
     where r.id = reservation_id and r.state = 'spent' and r.expires_at <= v_now;
    return;
  end if;
  if outcome is not null then
    return;
  end if;

  insert into private.prediction_reservations
    (id, user_id, model, model_version, exc, sym, label, t0, created_at, expires_at)
  values
    (p_id, p_user, p_model, p_model_version, p_exc, p_sym, p_label, p_t0, v_now, v_now + interval '10 minutes');
  outcome := 'reserved';
  reservation_id := p_id;
end;
$$;
comment on function private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint) is
  'Takes one unit of quota under the user''s lock. Outcome: reserved, existing (the same minute''s forecast, already held), or an error code';

-- Once, by whoever reserved, in the same transaction: nobody ever meets a reservation without its forecast.
create function private.attach_forecast(p_id uuid, p_history jsonb, p_forecast jsonb, p_start jsonb) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  if jsonb_array_length(p_history) <> 150 or jsonb_array_length(p_forecast) <> 50 then
    raise exception 'a reservation holds 150 history and 50 forecast candles';
  end if;
  update private.prediction_reservations
     set history = p_history, forecast = p_forecast, start = p_start
   where id = p_id and state = 'reserved' and forecast is null;
  return found;
end;
$$;
comment on function private.attach_forecast(uuid, jsonb, jsonb, jsonb) is 'True when the forecast was attached';

create function private.release_reservation(p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.prediction_reservations
     set state = 'released', history = null, forecast = null, start = null
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
   where id = p_id and state <> 'released' and forecast is not null;
  return found;
end;
$$;
comment on function private.mark_candles_sent(uuid, integer) is
  'Never goes down. False when the reservation was released: then nothing may be sent';

create function private.reservation_of(p_user uuid, p_id uuid)
  returns table (state text, model text, exc text, sym text, candles_sent integer, history jsonb, forecast jsonb, start jsonb)
  language sql stable security definer set search_path = ''
as $$
  select r.state, r.model, r.exc, r.sym, r.candles_sent, r.history, r.forecast, r.start
    from private.prediction_reservations r
   where r.id = p_id and r.user_id = p_user and r.state <> 'released' and r.forecast is not null
     and r.expires_at > private.clock_now()
$$;
comment on function private.reservation_of(uuid, uuid) is
  'A user''s own forecast for ten minutes; no row when it is another''s, unknown, released or older';

create function private.unsaved_reservations_of(p_user uuid)
  returns table (id uuid, model text, exc text, sym text, label text, t0 bigint, candles_sent integer, created_at timestamptz, expires_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select r.id, r.model, r.exc, r.sym, r.label, r.t0, r.candles_sent, r.created_at, r.expires_at
    from private.prediction_reservations r
   where r.user_id = p_user and r.state = 'reserved' and r.forecast is not null and r.expires_at > private.clock_now()
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

-- Saves what the server itself streamed to this user, in full. The caller's candles only prove that they were seen:
-- what is written is the server's own copy. Sending the same again finds the same row.
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
   where r.user_id = p_user and r.model = p_model and r.label = p_cryptocurrency and p_timeframe = '1min'
     and r.state <> 'released' and r.candles_sent = 50
     and to_jsonb(r.t0) = p_data -> 149 -> 'time'
     and private.has_same_candles(p_data, r.history || r.forecast)
   order by r.state desc, r.created_at
   limit 1
     for update;
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
  private.spend_reservation(uuid), private.settle_reservations(uuid),
  private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint),
  private.attach_forecast(uuid, jsonb, jsonb, jsonb), private.release_reservation(uuid),
  private.mark_candles_sent(uuid, integer), private.reservation_of(uuid, uuid),
  private.unsaved_reservations_of(uuid), private.has_same_candles(jsonb, jsonb),
  private.record_prediction(uuid, text, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function
  private.settle_reservations(uuid), private.reserve_prediction(uuid, uuid, text, text, text, text, text, bigint),
  private.attach_forecast(uuid, jsonb, jsonb, jsonb), private.release_reservation(uuid),
  private.mark_candles_sent(uuid, integer), private.reservation_of(uuid, uuid),
  private.unsaved_reservations_of(uuid), private.record_prediction(uuid, text, text, text, jsonb)
  to service_role;
