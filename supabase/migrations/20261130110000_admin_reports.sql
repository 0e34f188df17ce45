-- What admins see of all users: the list, what is left of each quota, and the figures of the cards and charts.
-- With `or replace`, because this file also runs on databases whose former migrations created these objects without the last
-- columns of the list.
--
-- The list and the quotas are views behind functions that PostgreSQL puts into the query that calls them, so that its
-- filters, order, limit and columns reach the tables: a page costs a page. The views guard themselves: their gate has no
-- column in it, so it runs once, before any row is read, and raises.

-- The row that stripe_user_subscriptions shows, by customer and for all: the same order, which
-- tests/database/admin-reports.test.ts compares. The plan is by private.plan_of's rule, and the start of the month by
-- private.quota_month_start's. Unique by customer_id, so that a query without its columns does without it.
create or replace view private.chosen_subscriptions as
select
  s.customer_id,
  s.price_id,
  s.price_plan,
  s.status,
  s.current_period_start,
  s.current_period_end,
  s.cancel_at_period_end,
  case
    when s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
      or ((s.cancel_at_period_end or s.status = 'canceled')
          and extract(epoch from (select private.clock_now())) < s.current_period_end + 7200)
    then s.price_plan
  end as plan,
  case
    when s.current_period_start is null then null
    when s.cancel_at_period_end or s.status = 'canceled' or s.current_period_end is null
      or (select private.clock_now()) < to_timestamp(s.current_period_end)
    then to_timestamp(s.current_period_start)
    else (to_timestamp(s.current_period_end) at time zone 'UTC' + date_trunc('month', age(
            (select private.clock_now()) at time zone 'UTC', to_timestamp(s.current_period_end) at time zone 'UTC')))
         at time zone 'UTC'
  end as month_start
from (
  select distinct on (s.customer_id) s.*, p.plan as price_plan
    from public.stripe_subscriptions s
    left join public.billing_prices p on p.price_id = s.price_id
   order by s.customer_id,
     (s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')) desc,
     (p.price_id is not null) desc,
     (s.status in ('active', 'trialing')) desc,
     s.current_period_end desc nulls last,
     s.stripe_created desc nulls last,
     s.subscription_id
) s;
comment on view private.chosen_subscriptions is 'Of each customer the subscription that counts';
comment on column private.chosen_subscriptions.price_plan is 'What the price sells; null for a price that is none of ours';
comment on column private.chosen_subscriptions.plan is 'bobcat or lion now, with the grace; null without a plan';
comment on column private.chosen_subscriptions.month_start is
  'Moment from which the monthly quota counts reservations; null: the calendar month''s';

create or replace view private.subscribers as
select c.user_id, s.*
from public.stripe_customers c
join private.chosen_subscriptions s on s.customer_id = c.customer_id
where c.mode = (select private.payment_mode());
comment on view private.subscribers is 'Everyone who subscribes or did, one row each';

-- The list filters and orders by what its table shows: the plan, the quota that is left, the status and the last activity. The
-- figures of private.quota_of are computed for many users at the same time, and nothing is counted for those without a plan.
-- The limits are looked up and not joined: PostgreSQL would keep the joins that a plan depends on, also where none is selected.
--
-- The gate is around profiles alone: PostgreSQL still runs it before everything else, and up to version 16 a gate beside the
-- joins would keep joins that the query does not need.
create or replace view private.admin_users as
select
  p.id,
  p.email,
  p.full_name,
  p.avatar_url,
  p.role,
  s.price_id,
  s.status,
  s.current_period_start,
  s.current_period_end,
  s.cancel_at_period_end,
  p.created_at as account_created_at,
  l.at as last_prediction_at,
  u.last_sign_in_at,
  p.updated_at,
  p.timezone,
  p.phone,
  p.website,
  p.location,
  p.bio,
  p.two_factor_enabled,
  p.email_notifications,
  p.push_notifications,
  p.marketing_emails,
  (
    select coalesce(json_agg(latest), '[]')
      from (
        select r.id, r.cryptocurrency, r.timeframe, r.model, r.created_at, r.data
          from public.user_predictions r
         where r.user_id = p.id
         order by r.created_at desc
         limit 2
      ) latest
  ) as last_two_predictions,
  coalesce(s.price_plan, 'free') as plan,
  coalesce(s.plan, 'free') as plan_tier,
  case when p.role <> 'admin' then (
    select case
      when q.per_day <= 0 then q.per_day
      else greatest(0, q.per_day - (
        select count(*) from private.prediction_reservations r
         where r.user_id = p.id and r.state <> 'released' and r.state <> 'returned'
           and r.created_at >= (select date_trunc('day', private.clock_now() at time zone 'UTC') at time zone 'UTC')
      ))::integer
    end
    from private.plan_limits q where q.plan = coalesce(s.plan, 'free')
  ) end as remaining_daily,
  case when p.role <> 'admin' then (
    select case
      when q.per_month <= 0 then q.per_month
      else greatest(0, q.per_month - (
        select count(*) from private.prediction_reservations r
         where r.user_id = p.id and r.state <> 'released' and r.state <> 'returned'
           and r.created_at >= coalesce(s.month_start,
             (select date_trunc('month', private.clock_now() at time zone 'UTC') at time zone 'UTC'))
      ))::integer
    end
    from private.plan_limits q where q.plan = coalesce(s.plan, 'free')
  ) end as remaining_monthly,
  lower(nullif(btrim(p.full_name), '')) as name_order,
  case
    when s.cancel_at_period_end and s.current_period_end is not null then s.current_period_end
    when s.cancel_at_period_end or s.status is distinct from 'active' then 9223372036854775807
    else 0
  end as status_order,
  greatest(l.at, u.last_sign_in_at) as last_activity_at
from (select * from public.profiles where (select private.require_admin())) p
left join auth.users u on u.id = p.id
left join private.last_predictions l on l.user_id = p.id
left join public.stripe_customers c on c.user_id = p.id and c.mode = (select private.payment_mode())
left join private.chosen_subscriptions s on s.customer_id = c.customer_id;
comment on view private.admin_users is 'All users for admins; for anybody else error 42501';
comment on column private.admin_users.current_period_start is 'Epoch seconds, as current_period_end';
comment on column private.admin_users.last_two_predictions is
  'Newest first, with their candles: read for the rows of the answer alone';
comment on column private.admin_users.plan is 'What the price sells, whatever the status: bobcat, lion, else free';
comment on column private.admin_users.plan_tier is 'The plan in effect now, with the grace: bobcat, lion, else free';
comment on column private.admin_users.remaining_daily is 'Predictions; -1 without a limit, null for an admin. As remaining_monthly';
comment on column private.admin_users.name_order is 'The name as the list is ordered by it; null without a name';
comment on column private.admin_users.status_order is
  'As the list is ordered by status: 0 when active, the end of the period when canceling, the largest number otherwise';

create or replace view private.admin_quotas as
select id as user_id, plan_tier, remaining_daily, remaining_monthly from private.admin_users;
comment on view private.admin_quotas is 'What is left of each user''s quota, for admins; for anybody else error 42501';
comment on column private.admin_quotas.remaining_daily is 'Predictions; -1 without a limit, null for an admin. As remaining_monthly';
revoke all on private.chosen_subscriptions, private.subscribers, private.admin_users, private.admin_quotas
  from public, anon, authenticated, service_role;
grant select on private.admin_users, private.admin_quotas to authenticated;

-- Their bodies are parsed at creation, so the caller needs no right to the schema. The gateway reads the most rows of an
-- answer from ROWS. From the comment it takes the key, by which it finds a page before it reads one, and the time limit:
-- queries over all users may take longer than a visitor's statements, and anyone but an admin is refused immediately.
create or replace function public.admin_list_users() returns setof private.admin_users
  language sql stable rows 200
begin atomic
  select * from private.admin_users;
end;
comment on function public.admin_list_users() is
  'All users, one row each; filter, order and page its rows. At most 200 an answer. For admins. Key: id. Limit: 2000 ms';

create or replace function public.admin_remaining_daily() returns setof private.admin_quotas
  language sql stable
begin atomic
  select * from private.admin_quotas;
end;
comment on function public.admin_remaining_daily() is 'What is left of each user''s quota; filter and page its rows. For admins. Key: user_id. Limit: 2000 ms';

create or replace function public.admin_remaining_monthly() returns setof private.admin_quotas
  language sql stable
begin atomic
  select * from private.admin_quotas;
end;
comment on function public.admin_remaining_monthly() is 'As admin_remaining_daily. Key: user_id. Limit: 2000 ms';

-- The order mixes the points, so that an answer that is cut off still holds a fair sample.
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
comment on function public.admin_scatter_quota() is
  'Where paid users with a monthly limit and a period end stand in their period, each point once. For admins. Limit: 2000 ms';

create or replace function public.get_predictions_per_day() returns table (day date, total bigint)
  language sql stable security definer set search_path = ''
as $$
  select d.day::date, (
           select count(*) from public.user_predictions p
            where p.created_at >= d.day at time zone 'UTC' and p.created_at < (d.day + interval '1 day') at time zone 'UTC')
    from (select date_trunc('day', private.clock_now() at time zone 'UTC') as today) t,
         generate_series(t.today - interval '89 days', t.today, interval '1 day') as d (day)
   where (select private.require_admin())
   order by d.day
$$;
comment on function public.get_predictions_per_day() is
  'Saved predictions of each of the last 90 days in UTC, oldest first, days without any too. For admins. Limit: 2000 ms';

create or replace function public.admin_summary()
  returns table (total_users bigint, paid bigint, lion bigint, bobcat bigint, active bigint, canceling bigint, latest_period_start bigint)
  language sql stable security definer set search_path = ''
as $$
  select (select count(*) from public.profiles),
         count(s.plan),
         count(*) filter (where s.plan = 'lion'),
         count(*) filter (where s.plan = 'bobcat'),
         count(s.plan) filter (where not s.cancel_at_period_end),
         count(*) filter (where s.cancel_at_period_end and s.current_period_end is not null),
         max(s.current_period_start) filter (where s.plan is not null)
    from private.subscribers s
   where (select private.require_admin())
$$;
comment on function public.admin_summary() is
  'Cards of the admin page. paid, lion, bobcat: a plan now; active: of these not cancelling; canceling: set to end, with an end. latest_period_start: epoch seconds. For admins. Limit: 2000 ms';

create or replace function public.admin_renewals() returns table (day date, bobcat bigint, lion bigint)
  language sql stable security definer set search_path = ''
as $$
  select d.day::date,
         count(s.user_id) filter (where s.price_plan = 'bobcat'),
         count(s.user_id) filter (where s.price_plan = 'lion')
    from (select date_trunc('day', private.clock_now() at time zone 'UTC') as today) t
    cross join generate_series(t.today, t.today + interval '30 days', interval '1 day') as d (day)
    left join private.subscribers s
      on (to_timestamp(s.current_period_end) at time zone 'UTC')::date = d.day::date
     and s.status = 'active' and not s.cancel_at_period_end
   where (select private.require_admin())
   group by d.day
   order by d.day
$$;
comment on function public.admin_renewals() is
  'Subscriptions that renew on each of the 31 days from today in UTC: active, not cancelling, of a plan of ours. For admins. Limit: 2000 ms';
revoke all on function
  public.admin_list_users(), public.admin_remaining_daily(), public.admin_remaining_monthly(), public.admin_scatter_quota(),
  public.get_predictions_per_day(), public.admin_summary(), public.admin_renewals()
  from public, anon, authenticated, service_role;
grant execute on function
  public.admin_list_users(), public.admin_remaining_daily(), public.admin_remaining_monthly(), public.admin_scatter_quota(),
  public.get_predictions_per_day(), public.admin_summary(), public.admin_renewals()
  to authenticated;
