-- The places of a user's streams, tried one after the other in one call whose plan is kept: planning the statement that did
-- it cost as much as all the rest of it.
create function private.take_stream_place(p_user uuid, p_holder uuid, p_places integer, p_lasts_s double precision)
  returns boolean language plpgsql volatile security definer set search_path = ''
as $$
begin
  for v_place in 1 .. p_places loop
    insert into private.open_streams as s (user_id, place, holder, ends_at)
    values (p_user, v_place, p_holder, now() + make_interval(secs => p_lasts_s))
    on conflict (user_id, place) do update set holder = excluded.holder, ends_at = excluded.ends_at
     where s.ends_at <= now();
    if found then
      return true;
    end if;
  end loop;
  return false;
end;
$$;
comment on function private.take_stream_place(uuid, uuid, integer, double precision) is
  'Takes the first place that is free or has run out; false when all are taken';
revoke all on function private.take_stream_place(uuid, uuid, integer, double precision)
  from public, anon, authenticated, service_role;
