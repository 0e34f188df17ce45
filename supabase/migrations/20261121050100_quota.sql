-- Quota: what a user has left, and what stands against a reservation now.

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
       where r.user_id = p_user and r.state <> 'released' and r.created_at >= least(v_day, v_month)
    )
    select v_plan, false, l.per_day, l.per_month,
           greatest(0, l.per_day - used.today), greatest(0, l.per_month - used.month)
      from used cross join private.plan_limits l
     where l.plan = v_plan;
end;
$$;
comment on function private.quota_of(uuid) is
  'Predictions left by UTC day and by billing period: limit minus reserved minus spent. All null but plan for an admin, who has no limit';

-- Why this user may not reserve with this model now; null when nothing stands against it.
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

-- Asked before anything is computed. A forecast that this user already holds is no new cost, so it passes.
create function private.may_reserve(p_user uuid, p_model text, p_exc text, p_sym text) returns text
  language sql stable security definer set search_path = ''
as $$
  select case
    when refusal like 'quota/%' and exists (
      select from private.prediction_reservations r
       where r.user_id = p_user and r.model = p_model and r.exc = p_exc and r.sym = p_sym
         and r.state <> 'released' and r.expires_at > private.clock_now()
    ) then null
    else refusal
  end
  from (select private.reservation_refusal(p_user, p_model) as refusal) as asked
$$;
comment on function private.may_reserve(uuid, text, text, text) is 'An error code, or null when computing a forecast is worth it';

revoke all on function
  private.quota_month_start(uuid), private.quota_of(uuid), private.reservation_refusal(uuid, text),
  private.may_reserve(uuid, text, text, text)
  from public, anon, authenticated, service_role;
grant usage on schema private to service_role;
grant execute on function private.quota_of(uuid), private.may_reserve(uuid, text, text, text) to service_role;
