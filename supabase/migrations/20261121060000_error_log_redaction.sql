-- What a report says of itself is not believed, and what must not be stored is taken out here too: pages redact their
-- own reports, but anybody may write one.
create function private.redact(p_text text, p_max integer) returns text
  language sql immutable set search_path = ''
as $$
  -- Too long: the table's check refuses it.
  select case when pg_catalog.char_length(p_text) > p_max then p_text else pg_catalog.left(
    pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(p_text,
      '\yeyJ[\w-]+(\.[\w-]*)*', '[token]', 'g'),
      '\y(bearer|basic)\s+[\w.~+/=-]+', '\1 [token]', 'gi'),
      '[\w.!#$%&*+/=?^`{|}~-]+(@|%40)[\w-]+(\.[\w-]+)+', '[email]', 'gi'),
      '(password|access_token|refresh_token|id_token|apikey|secret)(["'']?\s*[=:]\s*)("[^"]*"|''[^'']*''|[^\s"''&,;)}\]]+)',
      '\1\2[removed]', 'gi'),
    p_max) end
$$;
comment on function private.redact(text, integer) is
  'Without bearer tokens, JWTs, e-mail addresses and values of passwords and keys; at most p_max characters unless it was longer';

create function private.redact_json(p_value jsonb) returns jsonb
  language plpgsql immutable set search_path = ''
as $$
begin
  case pg_catalog.jsonb_typeof(p_value)
    when 'string' then
      return pg_catalog.to_jsonb(private.redact(p_value #>> '{}', 20000));
    when 'array' then
      return coalesce((select pg_catalog.jsonb_agg(private.redact_json(e.value) order by e.place)
                         from pg_catalog.jsonb_array_elements(p_value) with ordinality as e (value, place)), '[]');
    when 'object' then
      return coalesce((select pg_catalog.jsonb_object_agg(private.redact(e.key, 20000),
                                case when e.key ~* '(password|token|apikey|secret|authorization)' then '"[removed]"'
                                else private.redact_json(e.value) end)
                         from pg_catalog.jsonb_each(p_value) as e), '{}');
    else
      return p_value;
  end case;
end;
$$;
comment on function private.redact_json(jsonb) is 'The same, of every text in it, and without what stands under a secret''s name';

-- Definer: reporters have no right to the schema private.
create function private.stamp_error_log() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  new."timestamp" := private.clock_now();
  new.user_id := auth.uid();
  new.error_message := private.redact(new.error_message, 2000);
  new.error_stack := private.redact(new.error_stack, 20000);
  if octet_length(new.context::text) <= 20000 then
    new.context := private.redact_json(new.context);
    if octet_length(new.context::text) > 20000 then
      new.context := '{"removed": "grew too long"}';
    end if;
  end if;
  return new;
end;
$$;
revoke all on function private.redact(text, integer), private.redact_json(jsonb), private.stamp_error_log()
  from public, anon, authenticated;
create trigger stamp_error_log before insert on public.error_logs
  for each row execute function private.stamp_error_log();
comment on column public.error_logs.user_id is 'Who reported it, by the token; null for visitors';
comment on column public.error_logs."timestamp" is 'When it was reported, by the product''s clock';

-- The list grows with what is recorded.
alter table public.user_activity drop constraint user_activity_activity_type_check;
alter table public.user_activity add constraint user_activity_activity_type_check
  check (activity_type in ('account_created'));
