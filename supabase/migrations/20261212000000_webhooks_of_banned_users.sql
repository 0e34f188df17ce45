-- A banned user's keys, alerts and chats are silent. So are their webhooks: what already waits is sent with the first event
-- after the ban, if it is not too old by then. docs/decisions/078-webhooks.md
create or replace function private.next_webhook_job(p_endpoint uuid) returns setof private.webhook_job
  language sql volatile set search_path = ''
as $$
  select e.id, e.lease, e.url, e.secret, e.former_secret, e.former_until, e.failures, e.failing_since,
         d.id, d.event_id, d.event, d.body, d.attempts, d.created_at
    from public.webhook_endpoints e
    join auth.users u on u.id = e.user_id and coalesce(u.banned_until <= now(), true)
    join lateral (select * from public.webhook_deliveries w
                   where w.endpoint_id = e.id and w.state = 'waiting' order by w.id limit 1) d on true
   where e.id = p_endpoint
$$;
