-- The bands of a saved prediction, so that its outcome can be compared with the range that was forecast and not only with
-- the one drawn path. Predictions saved before have none.

-- The band if it has its four edges of 50 numbers each and nothing else, otherwise null. Kept outside the table's check, so
-- that a forecast without a whole band is still saved.
create function private.whole_band(p_band jsonb) returns jsonb
  language sql immutable set search_path = ''
as $$
  select case
    when jsonb_typeof(p_band) = 'object' and (
      select count(*) = 4 and bool_and(
        e.key in ('lower80', 'upper80', 'lower95', 'upper95')
        and case when jsonb_typeof(e.value) = 'array' then jsonb_array_length(e.value) = 50 else false end
        and not jsonb_path_exists(e.value, '$[*] ? (@.type() != "number")'))
        from jsonb_each(case when jsonb_typeof(p_band) = 'object' then p_band else '{}' end) e)
    then p_band
  end
$$;
comment on function private.whole_band(jsonb) is 'Its argument if that is a band of 50 minutes, otherwise null';
revoke all on function private.whole_band(jsonb) from public, anon, authenticated, service_role;
grant execute on function private.whole_band(jsonb) to service_role;

alter table public.user_predictions
  add column band jsonb check (band is null or private.whole_band(band) is not null);
comment on column public.user_predictions.band is
  'Edges of the 80 and 95 % bands as they were streamed: {lower80, upper80, lower95, upper95}, 50 prices each; null for predictions saved before bands were';

-- As before, and with the band of the stream's first event.
create or replace function private.spend_reservation(p_id uuid) returns uuid
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_prediction uuid := gen_random_uuid();
begin
  insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, created_at, data, band)
  select v_prediction, r.user_id, r.label, '1min', r.model, private.clock_now(), k.history || k.forecast,
         private.whole_band(k.start -> 'band')
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

-- Forecasts are stored for two days, with their first event: the predictions of those days get their bands.
update public.user_predictions p
   set band = private.whole_band(k.start -> 'band')
  from private.prediction_reservations r
  join private.kept_forecasts k on k.id = r.kept_forecast
 where r.prediction_id = p.id;
