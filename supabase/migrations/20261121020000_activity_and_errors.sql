-- What happened: a user's own activity, and the errors that pages report. Nobody but the service reads the errors.
create table public.user_activity (
  id            bigint primary key generated always as identity,
  user_id       uuid not null references auth.users on delete cascade,
  activity_type text not null check (activity_type ~ '^[a-z_]{1,50}$'),
  activity_data jsonb not null default '{}' check (octet_length(activity_data::text) <= 4000),
  created_at    timestamptz not null default now()
);
comment on column public.user_activity.activity_type is 'account_created';
comment on column public.user_activity.activity_data is 'For account_created: signup_method, provider, full_name';
create index user_activity_user_id_idx on public.user_activity (user_id, created_at desc);

alter table public.user_activity enable row level security;
revoke all on public.user_activity from public, anon, authenticated;
grant all on public.user_activity to service_role;
grant select, insert (user_id, activity_type, activity_data) on public.user_activity to authenticated;
create policy "owners read their activity" on public.user_activity
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners add to their activity" on public.user_activity
  for insert to authenticated with check (user_id = (select auth.uid()));

create table public.error_logs (
  id            bigint primary key generated always as identity,
  error_message text not null check (char_length(error_message) <= 2000),
  error_stack   text check (char_length(error_stack) <= 20000),
  context       jsonb check (octet_length(context::text) <= 20000),
  user_id       uuid references auth.users on delete set null,
  "timestamp"   timestamptz not null default now(),
  received_at   timestamptz not null default now()
);
comment on table public.error_logs is 'Errors caught by pages, visitors'' too';
comment on column public.error_logs.context is 'Page, component and whatever helps to find the error; no secrets';
comment on column public.error_logs."timestamp" is 'When it happened, by the reporter''s clock';
comment on column public.error_logs.received_at is 'When it arrived, by ours';
create index error_logs_received_at_idx on public.error_logs (received_at desc);
create index error_logs_user_id_idx on public.error_logs (user_id) where user_id is not null;

alter table public.error_logs enable row level security;
revoke all on public.error_logs from public, anon, authenticated;
grant all on public.error_logs to service_role;
grant insert (error_message, error_stack, context, user_id, "timestamp") on public.error_logs to anon, authenticated;
create policy "visitors report errors without a name" on public.error_logs
  for insert to anon with check (user_id is null);
create policy "users report errors as themselves or without a name" on public.error_logs
  for insert to authenticated with check (user_id is null or user_id = (select auth.uid()));
