-- A product that is delisted or halted while its forecast is streamed: the stream ends early and costs nothing.

create function private.withdraw_reservation(p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- What was sent whole was delivered. One without an outcome is returned with that outcome.
  update private.prediction_reservations set state = 'released', kept_forecast = null
   where id = p_id and state = 'reserved' and candles_sent < 50;
  return found;
end;
$$;
comment on function private.withdraw_reservation(uuid) is
  'Gives the unit back although candles were sent, because the product ended; false when all were sent or it is spent';
revoke all on function private.withdraw_reservation(uuid) from public, anon, authenticated, service_role;
grant execute on function private.withdraw_reservation(uuid) to service_role;
