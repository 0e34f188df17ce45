-- Saved predictions that their owners share: each has a random token, which is the name of its public page. Only the server
-- writes, because only it draws the tokens. Revoking deletes the row, so that a revoked token is like one that never was.
-- docs/decisions/077-forecast-pages.md

create table public.prediction_shares (
  prediction_id uuid primary key references public.user_predictions on delete cascade,
  user_id       uuid not null references auth.users on delete cascade,
  token         text not null unique check (token ~ '^[0-9a-f]{32}$'),
  created_at    timestamptz not null default private.clock_now()
);
comment on table public.prediction_shares is 'Saved predictions with a public page; a row is deleted when its owner stops sharing';
comment on column public.prediction_shares.token is '128 random bits as hex, the name in the link; sharing again draws another';
create index prediction_shares_user_id_idx on public.prediction_shares (user_id, created_at);
alter table public.prediction_shares enable row level security;
revoke all on public.prediction_shares from public, anon, authenticated;
grant select on public.prediction_shares to authenticated;
grant all on public.prediction_shares to service_role;
create policy "owners read their shares" on public.prediction_shares
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.prediction_shares
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
