-- First steps of an account: a row for each step that no other table shows. A verified address, a saved prediction and an
-- alert are read where they are.

create table public.onboarding_marks (
  user_id    uuid not null references auth.users on delete cascade,
  mark       text not null check (mark in ('model-chosen', 'bands-read', 'tour-ended', 'checklist-dismissed')),
  created_at timestamptz not null default private.clock_now(),
  primary key (user_id, mark)
);
comment on table public.onboarding_marks is 'First steps of an account that no other table shows; each mark once';
comment on column public.onboarding_marks.mark is
  'model-chosen and bands-read: steps of the checklist; tour-ended: the chart''s tour is not offered again; checklist-dismissed: nor is the checklist';
alter table public.onboarding_marks enable row level security;
revoke all on public.onboarding_marks from public, anon, authenticated;
grant all on public.onboarding_marks to service_role;
grant select, insert (user_id, mark) on public.onboarding_marks to authenticated;
create policy "owners read their marks" on public.onboarding_marks
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners add marks" on public.onboarding_marks
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.onboarding_marks
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- With the caller's rights: the policies of the tables decide which rows there are. Admins have no checklist, because no
-- prediction of theirs is saved.
create function public.get_onboarding()
  returns table (has_checklist boolean, has_prediction boolean, has_alert boolean, marks text[])
  language sql stable set search_path = ''
as $$
  select not ('checklist-dismissed' = any (m.marks))
           and not exists (select from public.profiles p where p.id = u.id and p.role = 'admin'),
         exists (select from public.user_predictions p where p.user_id = u.id),
         exists (select from public.alert_rules r where r.user_id = u.id),
         m.marks
    from (select auth.uid() as id) u
   cross join lateral (select coalesce(array_agg(o.mark order by o.mark), '{}') as marks
                         from public.onboarding_marks o where o.user_id = u.id) m
   where u.id is not null
$$;
comment on function public.get_onboarding() is 'The caller''s first steps: whether the checklist is shown, what is derived, and the marks';
revoke all on function public.get_onboarding() from public, anon, authenticated, service_role;
grant execute on function public.get_onboarding() to authenticated;

-- Accounts that saved a prediction before there was a checklist know the chart.
insert into public.onboarding_marks (user_id, mark)
select distinct p.user_id, m.mark from public.user_predictions p cross join (values ('tour-ended'), ('checklist-dismissed')) m (mark);
