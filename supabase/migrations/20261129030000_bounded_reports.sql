-- The server redacts and cuts reports before they arrive (domain/errors/error-report.ts). Here that took 40 ms a row, and the
-- embedded database does one thing at a time. The database refuses what is too large, whichever way it comes, by the
-- lengths that values carry; it reads none of them for that.
create or replace function private.stamp_error_log() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if octet_length(new.error_message) > 4096 or octet_length(new.error_stack) > 4096
     or pg_column_size(new.context) > 8192 then
    raise exception 'an error report holds at most 4096 bytes a text and 8192 of context' using errcode = '23514';
  end if;
  new."timestamp" := private.clock_now();
  new.user_id := auth.uid();
  -- The first frame is near the beginning of a stack.
  new.fingerprint := private.error_fingerprint(new.error_message, left(new.error_stack, 2000));
  return new;
end;
$$;
drop function private.redact_json(jsonb), private.redact(text, integer);
comment on column public.error_logs.error_message is 'At most 2000 characters, redacted by the server';
comment on column public.error_logs.error_stack is 'At most 4096 bytes, redacted by the server';
comment on column public.error_logs.context is
  'Page, component and whatever helps to find the error; at most 8192 bytes, redacted by the server';
