-- Changes of webhooks in the activity log of an account: a webhook sends data out of it. Only the host is noted, because a
-- path or a query may hold a secret. docs/decisions/078-webhooks.md

create function private.note_webhook_change() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  v_url text := case tg_op when 'DELETE' then old.url else new.url end;
  v_action text := case tg_op when 'INSERT' then 'webhook-added' when 'DELETE' then 'webhook-removed' else 'webhook-changed' end;
begin
  if tg_op = 'UPDATE' and old.secret <> new.secret then
    v_action := 'webhook-secret-changed';
  end if;
  perform private.note_event(
    case tg_op when 'DELETE' then old.user_id else new.user_id end, 'security', v_action,
    jsonb_build_object('name', left(regexp_replace(v_url, '^[a-z]+://([^/?#]*@)?([^/?#]*).*$', '\2'), 200)));
  return null;
end;
$$;
create trigger note_webhook_change after insert or delete on public.webhook_endpoints
  for each row execute function private.note_webhook_change();
-- Not the state that the server writes with each try.
create trigger note_webhook_update after update of url, events, secret on public.webhook_endpoints
  for each row when (old.url <> new.url or old.events <> new.events or old.secret <> new.secret)
  execute function private.note_webhook_change();
revoke all on function private.note_webhook_change() from public, anon, authenticated, service_role;
