-- Rules that nearly every request asks, as before but in PL/pgSQL: PostgreSQL up to 17 plans a function of plain SQL anew
-- at each call (most of a millisecond for the view of subscriptions), and keeps the plans of these for the session.

create or replace function private.is_admin(p_user uuid) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.profiles p where p.id = p_user and p.role = 'admin');
end;
$$;

create or replace function private.plan_of(p_user uuid) returns text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    (
      select p.plan
        from public.stripe_user_subscriptions s
        join public.billing_prices p on p.price_id = s.price_id
       where s.user_id = p_user
         and (
           s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
           or (
             (s.cancel_at_period_end or s.status = 'canceled')
             and extract(epoch from private.clock_now()) < s.current_period_end + 7200
           )
         )
    ),
    'free'
  );
end;
$$;

create or replace function private.allowed_models(p_user uuid) returns text[]
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_admin(p_user) then
    return (select array_agg(distinct m order by m) from private.plan_limits l, unnest(l.models) as m);
  end if;
  return coalesce((select l.models from private.plan_limits l where l.plan = private.plan_of(p_user)), '{}');
end;
$$;

create or replace function private.may_reserve(p_user uuid, p_model text, p_exc text, p_sym text) returns text
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

create or replace function private.clock_now() returns timestamptz
  language plpgsql stable set search_path = ''
as $$
begin
  return pg_catalog.now() + pg_catalog.make_interval(
    secs => coalesce(nullif(pg_catalog.current_setting('kat.clock_offset_s', true), '')::double precision, 0)
  );
end;
$$;

create or replace function private.payment_mode() returns text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select m.mode from private.payment_mode m);
end;
$$;
