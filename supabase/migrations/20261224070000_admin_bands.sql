-- The admin's list gives the band of a user's last two predictions too, so that its charts show what the user saw.
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
        select r.id, r.cryptocurrency, r.timeframe, r.model, r.created_at, r.data, r.band
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
comment on column private.admin_users.last_two_predictions is
  'Newest first, with their candles and bands: read for the rows of the answer alone';
