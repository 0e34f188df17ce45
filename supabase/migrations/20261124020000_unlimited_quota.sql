-- A plan without a limit: -1 in place of a number of predictions, as in domain/billing/plans.ts.
alter table private.plan_limits
  drop constraint plan_limits_per_day_check,
  drop constraint plan_limits_per_month_check,
  add constraint plan_limits_per_day_check check (per_day >= -1),
  add constraint plan_limits_per_month_check check (per_month >= -1);
comment on column private.plan_limits.per_day is 'Predictions a UTC day; -1: no limit';
comment on column private.plan_limits.per_month is 'Predictions a billing period; -1: no limit';

-- As before, but that no limit stays no limit whatever was used; what refuses at 0 left never refuses it.
create or replace function private.quota_of(p_user uuid)
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
           case when l.per_day = -1 then -1 else greatest(0, l.per_day - used.today) end,
           case when l.per_month = -1 then -1 else greatest(0, l.per_month - used.month) end
      from used cross join private.plan_limits l
     where l.plan = v_plan;
end;
$$;
comment on function private.quota_of(uuid) is
  'Predictions left by UTC day and by billing period: limit minus reserved minus spent, -1 without a limit. All null but plan for an admin, who has no limit';
