-- What users want to be told, and what they were told. Rules and alerts are their owner's; the server alone writes both.

create table public.alert_rules (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users on delete cascade,
  kind          text not null check (kind in ('band-broken', 'prediction-resolved', 'models-disagree')),
  prediction_id uuid references public.user_predictions on delete cascade,
  sym           text check (sym ~ '^[A-Z0-9.!]{1,20}$'),
  by_mail       boolean not null,
  by_push       boolean not null,
  created_at    timestamptz not null default private.clock_now(),
  check ((kind = 'models-disagree') = (sym is not null)),
  check (kind <> 'models-disagree' or prediction_id is null)
);
comment on table public.alert_rules is 'What a user wants to be told; in the page always, by mail and push as chosen';
comment on column public.alert_rules.prediction_id is 'Null: every prediction of the user''s (models-disagree: none)';
comment on column public.alert_rules.sym is 'The product''s own code; of models-disagree alone';
create unique index alert_rules_once_idx on public.alert_rules
  (user_id, kind, coalesce(prediction_id::text, sym, ''));
create index alert_rules_prediction_idx on public.alert_rules (prediction_id) where prediction_id is not null;
-- Which symbols anybody waits for, and who does.
create index alert_rules_sym_idx on public.alert_rules (sym, id) where sym is not null;

alter table public.alert_rules enable row level security;
revoke all on public.alert_rules from public, anon, authenticated;
grant select on public.alert_rules to authenticated;
grant all on public.alert_rules to service_role;
create policy "owners read their rules" on public.alert_rules
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.alert_rules
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

create table public.alerts (
  id            bigint generated always as identity primary key,
  user_id       uuid not null references auth.users on delete cascade,
  kind          text not null check (kind in ('band-broken', 'prediction-resolved', 'models-disagree')),
  -- What it is about: a prediction's id, or a symbol with the hour of its slot. Told once.
  subject       text not null check (char_length(subject) between 1 and 80),
  facts         jsonb not null check (jsonb_typeof(facts) = 'object' and octet_length(facts::text) <= 2000),
  made_at       timestamptz not null,
  read_at       timestamptz,
  mailed_at     timestamptz,
  unique (user_id, kind, subject)
);
comment on table public.alerts is 'What users were told; kept for 30 days';
comment on column public.alerts.facts is 'As domain/alerts/alert.ts';
comment on column public.alerts.mailed_at is 'When a mail about it was queued; null: told in the page, and on devices where asked';
create index alerts_user_idx on public.alerts (user_id, id desc);
create index alerts_made_idx on public.alerts (made_at);

alter table public.alerts enable row level security;
revoke all on public.alerts from public, anon, authenticated;
grant select on public.alerts to authenticated;
grant all on public.alerts to service_role;
create policy "owners read their alerts" on public.alerts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.alerts
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- How far the outcomes have been gone through: what came while no server ran is told afterwards.
create table private.alert_progress (
  is_only        boolean primary key default true check (is_only),
  resolved_until timestamptz not null
);
comment on table private.alert_progress is 'One row: up to when outcomes were looked at for alerts; product clock';
alter table private.alert_progress enable row level security;
revoke all on private.alert_progress from public, anon, authenticated, service_role;

-- What alerts ask: which predictions of a symbol are still running, and which outcomes became known since.
create index prediction_outcomes_running_idx on public.prediction_outcomes (sym, join_s) where state = 'waiting';
create index prediction_outcomes_resolved_idx on public.prediction_outcomes (resolved_at, prediction_id)
  where resolved_at is not null;
