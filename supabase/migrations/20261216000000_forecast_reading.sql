-- One function returns a stored forecast, and it counts candles as sent in the statement that reads them: what a user may
-- have seen is always paid for. No other query returns a forecast that is not saved.
-- docs/decisions/091-forecasts-are-counted-as-read.md

-- Without a check of time: the download of an account contains older ones too.
create function private.forecast_content(p_user uuid, p_id uuid, p_count integer)
  returns table (state text, history jsonb, forecast jsonb, start jsonb)
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_count not between 1 and 50 then
    raise exception 'a forecast is read from its first candle to at most its last, not % candles', p_count;
  end if;
  return query
    update private.prediction_reservations r
       set candles_sent = greatest(r.candles_sent, p_count)
      from private.kept_forecasts k
     where r.id = p_id and r.user_id = p_user and r.state <> 'released' and k.id = r.kept_forecast
    returning r.state, k.history, k.forecast, k.start || jsonb_build_object('reservationId', r.id);
end;
$$;
comment on function private.forecast_content(uuid, uuid, integer) is
  'A user''s own forecast, of which so many candles count as sent from then on; no row when it is another''s, unknown, released or deleted';

drop function private.reservation_of(uuid, uuid);
create function private.reservation_of(p_user uuid, p_id uuid)
  returns table (model text, exc text, sym text, timeframe text, candles_sent integer)
  language sql stable security definer set search_path = ''
as $$
  select r.model, r.exc, r.sym, r.timeframe, r.candles_sent
    from private.prediction_reservations r
   where r.id = p_id and r.user_id = p_user and r.state <> 'released' and r.kept_forecast is not null
     and r.expires_at > private.clock_now()
$$;
comment on function private.reservation_of(uuid, uuid) is
  'A user''s own reservation for ten minutes, without its forecast; no row when it is another''s, unknown, released or older';

create function private.read_forecast(p_user uuid, p_id uuid, p_count integer)
  returns table (state text, history jsonb, forecast jsonb, start jsonb)
  language sql volatile security definer set search_path = ''
as $$
  select c.state, c.history, c.forecast, c.start
    from private.reservation_of(p_user, p_id) r
   cross join lateral private.forecast_content(p_user, p_id, p_count) c
$$;
comment on function private.read_forecast(uuid, uuid, integer) is
  'A user''s own forecast for ten minutes, of which so many candles count as sent from then on';

revoke all on function
  private.forecast_content(uuid, uuid, integer), private.reservation_of(uuid, uuid),
  private.read_forecast(uuid, uuid, integer)
  from public, anon, authenticated, service_role;
grant execute on function private.reservation_of(uuid, uuid), private.read_forecast(uuid, uuid, integer) to service_role;
