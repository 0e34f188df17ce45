-- Signed webhooks: the addresses that users have chosen, the events that wait for them, and the log of deliveries. Events are
-- written by triggers in the transaction that makes them true; the server alone sends. docs/decisions/078-webhooks.md

create table public.webhook_endpoints (
  id                uuid primary key default gen_random_uuid(),
  user_id           uuid not null references auth.users on delete cascade,
  url               text not null check (char_length(url) between 1 and 500),
  events            text[] not null
                    check (cardinality(events) between 1 and 4 and array_position(events, null) is null
                           and events <@ array['prediction.created', 'prediction.resolved', 'alert.created', 'forecast.issued']),
  state             text not null default 'active' check (state in ('active', 'paused')),
  pause_reason      text check (pause_reason in ('owner', 'failing', 'closed')),
  paused_at         timestamptz,
  failures          integer not null default 0 check (failures >= 0),
  failing_since     timestamptz,
  last_delivered_at timestamptz,
  dropped           integer not null default 0 check (dropped >= 0),
  former_until      timestamptz,
  created_at        timestamptz not null default private.clock_now(),
  secret            text not null check (secret ~ '^whsec_[A-Za-z0-9_-]{43}$'),
  former_secret     text check (former_secret ~ '^whsec_[A-Za-z0-9_-]{43}$'),
  is_slow           boolean not null default false,
  next_try_at       timestamptz,
  lease             uuid,
  check ((state = 'paused') = (pause_reason is not null) and (state = 'paused') = (paused_at is not null)),
  check ((failures > 0) = (failing_since is not null)),
  check ((former_secret is null) = (former_until is null))
);
comment on table public.webhook_endpoints is 'Where users receive events as signed requests; five of a user''s at most';
comment on column public.webhook_endpoints.pause_reason is
  'owner: paused by the user. failing: nothing was delivered for a day. closed: it answered 410';
comment on column public.webhook_endpoints.failures is 'Failed tries in a row; the wait until the next one follows from it';
comment on column public.webhook_endpoints.dropped is 'Events that were not delivered because too many or too old ones waited';
comment on column public.webhook_endpoints.secret is 'Signs each request; shown when it is created, and never again';
comment on column public.webhook_endpoints.former_secret is 'The one before; requests are signed with both until former_until';
comment on column public.webhook_endpoints.is_slow is 'The last try took more than a second: such endpoints have places of their own';
comment on column public.webhook_endpoints.next_try_at is
  'When its oldest waiting delivery is due, or, while one is under way, when that one''s lease ends. Null: nothing waits';
comment on column public.webhook_endpoints.lease is 'Of the process that is delivering: one delivery of an endpoint is under way at a time';
create index webhook_endpoints_user_idx on public.webhook_endpoints (user_id, created_at);
create index webhook_endpoints_due_idx on public.webhook_endpoints (next_try_at) where state = 'active';
create index webhook_endpoints_forecasts_idx on public.webhook_endpoints (id) where 'forecast.issued' = any (events);
alter table public.webhook_endpoints enable row level security;
revoke all on public.webhook_endpoints from public, anon, authenticated;
-- All columns but the secrets and the server's own.
grant select (id, user_id, url, events, state, pause_reason, paused_at, failures, failing_since, last_delivered_at, dropped,
              former_until, created_at)
  on public.webhook_endpoints to authenticated;
grant all on public.webhook_endpoints to service_role;
create policy "owners read their endpoints" on public.webhook_endpoints
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.webhook_endpoints
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

create table public.webhook_deliveries (
  id            bigint generated always as identity primary key,
  endpoint_id   uuid not null references public.webhook_endpoints on delete cascade,
  user_id       uuid not null references auth.users on delete cascade,
  event_id      uuid not null,
  event         text not null check (char_length(event) between 1 and 40),
  body          text not null check (octet_length(body) <= 8000),
  state         text not null default 'waiting' check (state in ('waiting', 'delivered', 'skipped')),
  attempts      integer not null default 0,
  created_at    timestamptz not null,
  tried_at      timestamptz,
  answer_status smallint check (answer_status between 100 and 999),
  answer_start  text check (char_length(answer_start) <= 300),
  problem       text check (char_length(problem) <= 60),
  took_ms       integer,
  unique (endpoint_id, event_id)
);
comment on table public.webhook_deliveries is 'Events on their way to an endpoint, in the order of their numbers, and the log of the last week';
comment on column public.webhook_deliveries.event_id is 'The same in every try, so that a receiver recognizes a repetition';
comment on column public.webhook_deliveries.body is 'The exact text that is signed and sent';
comment on column public.webhook_deliveries.answer_start is 'The first characters of the last answer';
comment on column public.webhook_deliveries.problem is 'A code of why the last try failed: timeout, status, private address ...';
create index webhook_deliveries_waiting_idx on public.webhook_deliveries (endpoint_id, id) where state = 'waiting';
create index webhook_deliveries_endpoint_idx on public.webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_user_idx on public.webhook_deliveries (user_id, created_at);
create index webhook_deliveries_created_idx on public.webhook_deliveries (created_at);
alter table public.webhook_deliveries enable row level security;
revoke all on public.webhook_deliveries from public, anon, authenticated;
grant select on public.webhook_deliveries to authenticated;
grant all on public.webhook_deliveries to service_role;
create policy "owners read their deliveries" on public.webhook_deliveries
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.webhook_deliveries
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- Events that happened and are not in any endpoint's queue yet. One process at a time moves them there, so that the
-- transactions that write events never wait for each other or for an endpoint.
create table private.webhook_events (
  id         bigint generated always as identity primary key,
  event_id   uuid not null default gen_random_uuid(),
  user_id    uuid references auth.users on delete cascade,
  event      text not null check (event in ('prediction.created', 'prediction.resolved', 'alert.created', 'forecast.issued')),
  facts      jsonb not null check (jsonb_typeof(facts) = 'object' and octet_length(facts::text) <= 4000),
  created_at timestamptz not null default private.clock_now()
);
comment on table private.webhook_events is 'Events on their way into the queues of endpoints: there for a moment';
comment on column private.webhook_events.user_id is 'Whose event it is; null: an event for every endpoint that chose its kind';
create index webhook_events_user_idx on private.webhook_events (user_id);
alter table private.webhook_events enable row level security;
revoke all on private.webhook_events from public, anon, authenticated, service_role;

-- Writes nothing unless one of the user's endpoints chose the event, so that most users cost one look into an index.
create function private.note_webhook_event(p_user uuid, p_event text, p_facts jsonb) returns void
  language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_user is null and not exists (
       select from public.webhook_endpoints e where 'forecast.issued' = any (e.events) and p_event = any (e.events))
     or p_user is not null and not exists (
       select from public.webhook_endpoints e where e.user_id = p_user and p_event = any (e.events)) then
    return;
  end if;
  insert into private.webhook_events (user_id, event, facts) values (p_user, p_event, p_facts);
  perform pg_notify('kat_webhooks', '');
end;
$$;

-- A saved prediction gets its waiting outcome in the same transaction.
create function private.note_prediction_event() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.webhook_endpoints e where e.user_id = new.user_id) then
    return null;
  end if;
  perform private.note_webhook_event(
    new.user_id,
    case tg_op when 'INSERT' then 'prediction.created' else 'prediction.resolved' end,
    (select jsonb_build_object('id', p.id, 'sym', new.sym, 'model', p.model, 'timeframe', new.timeframe,
              'market', new.market_kind, 'joinS', new.join_s, 'savedAt', p.created_at)
            || case tg_op when 'INSERT' then '{}'::jsonb else jsonb_build_object('state', new.state, 'reason', new.void_reason,
              'score', new.score, 'resolvedAt', new.resolved_at, 'isReturned', new.returned_at is not null) end
       from public.user_predictions p where p.id = new.prediction_id));
  return null;
end;
$$;
create trigger note_prediction_created after insert on public.prediction_outcomes
  for each row execute function private.note_prediction_event();
create trigger note_prediction_resolved after update of state on public.prediction_outcomes
  for each row when (old.state = 'waiting' and new.state <> 'waiting') execute function private.note_prediction_event();

create function private.note_alert_event() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.note_webhook_event(new.user_id, 'alert.created',
    jsonb_build_object('id', new.id, 'facts', new.facts, 'madeAt', new.made_at));
  return null;
end;
$$;
create trigger note_alert_created after insert on public.alerts
  for each row execute function private.note_alert_event();

-- Only the forecast that is free for everyone, and of it what the public record shows at once: that it exists, and its hash.
create function private.note_forecast_event() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.note_webhook_event(null, 'forecast.issued',
    jsonb_build_object('seq', new.seq, 'sym', new.sym, 'model', new.model, 'version', new.model_version,
      'timeframe', new.timeframe, 'market', new.market_kind, 'slotS', new.slot_s, 'issuedMs', new.issued_ms,
      'hash', encode(new.hash, 'hex')));
  return null;
end;
$$;
create trigger track_records_announce after insert on private.track_records
  for each row when (new.role = 'serving' and new.sym = 'BTCUSDT.P' and new.model = 'bobcat')
  execute function private.note_forecast_event();

-- The oldest waiting delivery of an endpoint that a process holds: what it sends next.
create type private.webhook_job as (
  endpoint_id uuid, lease uuid, url text, secret text, former_secret text, former_until timestamptz,
  failures integer, failing_since timestamptz, delivery_id bigint, event_id uuid, event text, body text, attempts integer,
  created_at timestamptz
);
create function private.next_webhook_job(p_endpoint uuid) returns setof private.webhook_job
  language sql volatile set search_path = ''
as $$
  select e.id, e.lease, e.url, e.secret, e.former_secret, e.former_until, e.failures, e.failing_since,
         d.id, d.event_id, d.event, d.body, d.attempts, d.created_at
    from public.webhook_endpoints e
    join lateral (select * from public.webhook_deliveries w
                   where w.endpoint_id = e.id and w.state = 'waiting' order by w.id limit 1) d on true
   where e.id = p_endpoint
$$;

-- Takes endpoints with a due delivery until the lease ends. Each statement within sees what was committed before it, so a
-- delivery that is added meanwhile is found.
create function private.claim_webhooks(p_now timestamptz, p_lease_until timestamptz, p_count integer, p_is_suspect boolean)
  returns setof private.webhook_job
  language plpgsql volatile set search_path = ''
as $$
declare
  v_endpoint uuid;
begin
  for v_endpoint in
    with due as materialized (
      select e.id, e.next_try_at from public.webhook_endpoints e
       where e.state = 'active' and e.next_try_at <= p_now and (e.failures > 0 or e.is_slow) = p_is_suspect
       order by e.next_try_at limit p_count for update skip locked)
    update public.webhook_endpoints e set next_try_at = p_lease_until, lease = gen_random_uuid()
      from due where e.id = due.id
    returning e.id
  loop
    return query select * from private.next_webhook_job(v_endpoint);
    if not found then
      update public.webhook_endpoints e set next_try_at = null, lease = null where e.id = v_endpoint;
    end if;
  end loop;
end;
$$;

-- Writes down how a try ended, and hands out the endpoint's next delivery if the process goes on with it. A process whose
-- lease has ended changes nothing about the endpoint; that its delivery arrived counts all the same.
create function private.note_webhook_try(
  p_endpoint uuid, p_lease uuid, p_delivery bigint, p_now timestamptz, p_is_delivered boolean, p_status integer, p_problem text,
  p_answer text, p_took_ms integer, p_is_slow boolean, p_next_try timestamptz, p_lease_until timestamptz)
  returns setof private.webhook_job
  language plpgsql volatile set search_path = ''
as $$
declare
  v_is_ours boolean;
begin
  select e.lease is not distinct from p_lease into v_is_ours
    from public.webhook_endpoints e where e.id = p_endpoint for update;
  update public.webhook_deliveries d
     set state = case when p_is_delivered then 'delivered' else d.state end, attempts = d.attempts + 1, tried_at = p_now,
         answer_status = p_status, problem = p_problem, answer_start = p_answer, took_ms = p_took_ms
   where d.id = p_delivery and d.state = 'waiting';
  if v_is_ours is not true then
    return;
  end if;
  if not p_is_delivered then
    update public.webhook_endpoints e
       set failures = e.failures + 1, failing_since = coalesce(e.failing_since, p_now), is_slow = p_is_slow,
           next_try_at = p_next_try, lease = null
     where e.id = p_endpoint;
    perform pg_notify('kat_webhooks', '');
    return;
  end if;
  update public.webhook_endpoints e
     set failures = 0, failing_since = null, last_delivered_at = p_now, is_slow = p_is_slow,
         next_try_at = coalesce(p_lease_until, p_now), lease = case when p_lease_until is null then null else e.lease end,
         former_secret = case when e.former_until > p_now then e.former_secret end,
         former_until = case when e.former_until > p_now then e.former_until end
   where e.id = p_endpoint;
  if p_lease_until is not null and exists (select from public.webhook_endpoints e where e.id = p_endpoint and e.state = 'active') then
    return query select * from private.next_webhook_job(p_endpoint);
    if found then
      return;
    end if;
  end if;
  update public.webhook_endpoints e
     set lease = null,
         next_try_at = case when exists (select from public.webhook_deliveries d where d.endpoint_id = e.id and d.state = 'waiting')
                            then p_now end
   where e.id = p_endpoint;
  if p_lease_until is null then
    perform pg_notify('kat_webhooks', '');
  end if;
end;
$$;
revoke all on function
  private.note_webhook_event(uuid, text, jsonb), private.note_prediction_event(), private.note_alert_event(),
  private.note_forecast_event(), private.next_webhook_job(uuid),
  private.claim_webhooks(timestamptz, timestamptz, integer, boolean),
  private.note_webhook_try(uuid, uuid, bigint, timestamptz, boolean, integer, text, text, integer, boolean, timestamptz, timestamptz)
  from public, anon, authenticated, service_role;
