-- Which records have no score yet, and when each is looked at next: a short list beside a table that only grows.
create table private.track_waiting (
  seq         bigint primary key references private.track_records,
  sym         text not null,
  market_kind text not null,
  issued_ms   bigint not null,
  next_try_s  bigint not null
);
comment on table private.track_waiting is 'Records without a score; one leaves in the statement that writes its score';
comment on column private.track_waiting.next_try_s is 'Epoch seconds of market time; at first when the last of its 50 minutes has closed';
comment on column private.track_waiting.issued_ms is 'Epoch milliseconds by our clock: how long it has waited, whatever the market''s clock did';
create index track_waiting_due_idx on private.track_waiting (sym, market_kind, next_try_s);
create index track_waiting_issued_idx on private.track_waiting (issued_ms);
alter table private.track_waiting enable row level security;
revoke all on private.track_waiting from public, anon, authenticated, service_role;

create function private.await_track_score() returns trigger
  language plpgsql as $$
begin
  -- 50 minutes from the slot on.
  insert into private.track_waiting (seq, sym, market_kind, issued_ms, next_try_s)
  values (new.seq, new.sym, new.market_kind, new.issued_ms, new.slot_s + 3000);
  return null;
end $$;
comment on function private.await_track_score() is 'A record waits for its score from the moment it is written';
revoke all on function private.await_track_score() from public, anon, authenticated, service_role;
create trigger track_records_wait after insert on private.track_records
  for each row execute function private.await_track_score();

insert into private.track_waiting (seq, sym, market_kind, issued_ms, next_try_s)
select r.seq, r.sym, r.market_kind, r.issued_ms, r.slot_s + 3000
  from private.track_records r
 where not exists (select from private.track_scores s where s.seq = r.seq);
