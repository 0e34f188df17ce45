-- The drawn path of a forecast is chosen by random numbers. With the day's key among their seed, only this server can
-- draw it while it is sold. docs/decisions/096-keys-of-drawn-paths.md
create table private.path_keys (
  day        date primary key,
  key        bytea not null check (octet_length(key) = 32),
  created_at timestamptz not null default private.clock_now()
);
comment on table private.path_keys is
  'The secret part of the seed of drawn paths, one for each UTC day of the market; published once all forecasts of the day are over';
comment on column private.path_keys.day is 'Of the last closed candle that a model saw, by the market''s time';
alter table private.path_keys enable row level security;
revoke all on private.path_keys from public, anon, authenticated, service_role;

-- The first process that needs a day's key stores its own; all others use that one.
create function private.path_key_of(p_day date, p_new bytea) returns bytea
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_key bytea;
begin
  insert into private.path_keys (day, key) values (p_day, p_new) on conflict (day) do nothing;
  select k.key into v_key from private.path_keys k where k.day = p_day;
  return v_key;
end;
$$;
comment on function private.path_key_of(date, bytea) is 'The key of a day; the given one if the day had none';
revoke all on function private.path_key_of(date, bytea) from public, anon, authenticated, service_role;
grant execute on function private.path_key_of(date, bytea) to service_role;
