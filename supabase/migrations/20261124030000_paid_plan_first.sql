-- As before, but of several that live the one that gives a plan, and of these the one that is in order: neither something
-- else that the customer pays for nor one that is overdue hides what was paid.
create or replace view public.stripe_user_subscriptions with (security_invoker = true) as
select distinct on (c.user_id)
  c.user_id,
  c.customer_id,
  s.subscription_id,
  s.price_id,
  s.status,
  s.current_period_start,
  s.current_period_end,
  s.cancel_at_period_end,
  s.payment_method_brand,
  s.payment_method_last4,
  s.pending_subscription_id,
  s.pending_price_id
from public.stripe_customers c
left join public.stripe_subscriptions s on s.customer_id = c.customer_id
left join public.billing_prices p on p.price_id = s.price_id
where c.mode = (select private.payment_mode())
order by c.user_id,
  coalesce(s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused'), false) desc,
  (p.price_id is not null) desc,
  coalesce(s.status in ('active', 'trialing'), false) desc,
  s.current_period_end desc nulls last,
  s.stripe_created desc nulls last,
  s.subscription_id;
