-- An account is created once, and has one row that says so. The first of several stays.
delete from public.user_activity where id in (
  select d.id
    from (select a.id, row_number() over (partition by a.user_id, a.activity_type order by a.id) as nth
            from public.user_activity a) d
   where d.nth > 1);
create unique index user_activity_once_idx on public.user_activity (user_id, activity_type);
-- The unique index finds an owner's rows as well.
drop index public.user_activity_user_id_idx;
comment on table public.user_activity is 'What an account did, each kind of activity once';
