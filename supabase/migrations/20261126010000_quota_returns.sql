-- Returns. A reservation whose forecast was never delivered is released: settle_reservations and release_reservation of the
-- reservations' own file see to that. One whose forecast was delivered and saved, and can never be scored through no fault of
-- its user's, is returned here: once, in the very statement that ends the waiting for its outcome.

alter table private.prediction_reservations
  drop constraint prediction_reservations_state_check,
  add constraint prediction_reservations_state_check check (state in ('reserved', 'spent', 'released', 'returned'));
comment on table private.prediction_reservations is
  'One unit of quota each: held while reserved, used up when spent, given back when released or returned';

-- What counts, in the index itself: what is left of a user's quota is counted without reading the rows.
drop index private.prediction_reservations_quota_idx;
create index prediction_reservations_quota_idx on private.prediction_reservations (user_id, created_at)
  where state <> 'released' and state <> 'returned';

alter table public.prediction_outcomes
  add column returned_at timestamptz,
  add constraint prediction_outcomes_returned_at_check check (returned_at is null or state = 'void');
comment on column public.prediction_outcomes.returned_at is
  'When its user got a prediction back for it; null where that made no difference: no limit, an admin, a day and month that are over';

-- The user saw the exchange's hours before asking, so a forecast across its close was theirs to make. All else is ours or the feed's.
create function private.returns_quota(p_void_reason text) returns boolean
  language sql immutable set search_path = ''
as $$ select coalesce(p_void_reason in ('candles-missing', 'candles-gone', 'other-market', 'unreadable'), false) $$;
comment on function private.returns_quota(text) is
  'Whether a prediction that is void for this reason costs nothing; as RETURNING_REASONS of domain/record/scoring/outcome.ts';

-- Written first, so that it counts as not spent from here on; whoever comes second finds nothing spent.
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

-- As before, and what was returned is not spent.
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

-- As before; what was returned is held as readably as what is spent.
create or replace function private.reserve_prediction(
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
    -- A market that stands still may be asked for the same candle again much later: its forecast stays readable.
    update private.prediction_reservations r set expires_at = v_now + interval '10 minutes'
     where r.id = reservation_id and r.state in ('spent', 'returned') and r.expires_at <= v_now;
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

-- As before, and what was returned is not spent.
create or replace view private.admin_quotas as
select
  p.id as user_id,
  coalesce(s.plan, 'free') as plan_tier,
  case
    when p.role = 'admin' then null
    when l.per_day <= 0 then l.per_day
    else greatest(0, l.per_day - (
      select count(*) from private.prediction_reservations r
       where r.user_id = p.id and r.state <> 'released' and r.state <> 'returned'
         and r.created_at >= (select date_trunc('day', private.clock_now() at time zone 'UTC') at time zone 'UTC')
    ))::integer
  end as remaining_daily,
  case
    when p.role = 'admin' then null
    when l.per_month <= 0 then l.per_month
    else greatest(0, l.per_month - (
      select count(*) from private.prediction_reservations r
       where r.user_id = p.id and r.state <> 'released' and r.state <> 'returned'
         and r.created_at >= coalesce(s.month_start,
           (select date_trunc('month', private.clock_now() at time zone 'UTC') at time zone 'UTC'))
    ))::integer
  end as remaining_monthly
from (select * from public.profiles where (select private.require_admin())) p
left join public.stripe_customers c on c.user_id = p.id and c.mode = (select private.payment_mode())
left join private.chosen_subscriptions s on s.customer_id = c.customer_id
left join private.plan_limits l on l.plan = coalesce(s.plan, 'free');

create or replace function public.admin_scatter_quota()
  returns table (plan_tier text, days_until_end integer, remaining_monthly integer)
  language sql stable security definer set search_path = ''
as $$
  select plan_tier, days_until_end, remaining_monthly
    from (
      select distinct s.plan as plan_tier,
             ceil((s.current_period_end - extract(epoch from private.clock_now())) / 86400)::integer as days_until_end,
             greatest(0, l.per_month - (
               select count(*) from private.prediction_reservations r
                where r.user_id = s.user_id and r.state <> 'released' and r.state <> 'returned'
                  and r.created_at >= coalesce(s.month_start,
                  (select date_trunc('month', private.clock_now() at time zone 'UTC') at time zone 'UTC'))
             ))::integer as remaining_monthly
        from private.subscribers s
        join public.profiles p on p.id = s.user_id and p.role <> 'admin'
        join private.plan_limits l on l.plan = s.plan and l.per_month >= 0
       where s.current_period_end is not null and (select private.require_admin())
    ) points
   order by hashint4(remaining_monthly * 1000 + days_until_end), plan_tier
$$;

-- What was void before there were returns.
update public.prediction_outcomes o set returned_at = private.clock_now()
 where case when o.state = 'void' and private.returns_quota(o.void_reason)
            then private.return_reservation(o.prediction_id) else false end;
