-- A question about chances needs what a forecast needs. Without predictions left it is answered from the forecast that the
-- user already holds, and from no newer one. docs/decisions/075-chances-on-request.md
create function private.chance_permission(p_user uuid, p_model text, p_exc text, p_sym text, p_timeframe text)
  returns table (refusal text, held_t0 bigint)
  language sql stable security definer set search_path = ''
as $$
  select p.refusal, case when p.refusal like 'quota/%' then (
    select max(r.t0) from private.prediction_reservations r
     where r.user_id = p_user and r.model = p_model and r.exc = p_exc and r.sym = p_sym and r.timeframe = p_timeframe
       and r.state <> 'released' and r.candles_sent > 0) end
    from (select private.reservation_refusal(p_user, p_model)) as p (refusal)
$$;
comment on function private.chance_permission(uuid, text, text, text, text) is
  'An error code, or null for any forecast; after a spent quota the last closed candle of the newest forecast that the user received';
revoke all on function private.chance_permission(uuid, text, text, text, text) from public, anon, authenticated, service_role;
grant execute on function private.chance_permission(uuid, text, text, text, text) to service_role;
