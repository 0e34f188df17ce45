-- What is asked for each record and each slot, at the same cost however many partitions there are: plans are kept, and
-- the end of the chain is looked for where it must be. docs/decisions/044-partitions-and-retention.md
create or replace function private.check_next_record() returns trigger
  language plpgsql as $$
declare
  last record;
  body jsonb := new.body::jsonb;
begin
  -- One writer at a time: a second leader waits here, and then finds that it is late.
  perform pg_advisory_xact_lock(7203114);
  -- The one before, or whoever has this number already: two numbers, of one partition or two. The newest sealed hour or day
  -- as track_sealed_ms() says it; in this statement it costs a fifth.
  select r.seq, r.hash, greatest(r.issued_ms,
      (select (h.hour_s + 3600) * 1000 from private.track_hours h order by h.hour_s desc limit 1),
      (select extract(epoch from (d.day + 1)::timestamp)::bigint * 1000 from private.track_days d order by d.day desc limit 1)) as earliest_ms
    into last from private.track_records r where r.seq >= new.seq - 1 and r.seq <= new.seq order by r.seq desc limit 1;
  if new.seq <> coalesce(last.seq, 0) + 1 or new.seq = 1 and exists (select from private.track_records)
     or (body ->> 'prev') is distinct from coalesce(rtrim(translate(encode(last.hash, 'base64'), '+/', '-_'), '='), repeat('A', 43)) then
    raise exception 'A record must follow the last one.' using errcode = '40001';
  end if;
  if new.issued_ms < last.earliest_ms then
    raise exception 'A record is not older than the last one.' using errcode = '22023';
  end if;
  -- As text: what is no number there is no number here.
  if (body ->> 'v', body ->> 'seq', body ->> 'slot', body ->> 'issued', body ->> 'sym', body ->> 'model', body ->> 'version',
      body ->> 'role', body ->> 'market')
     is distinct from ('1', new.seq::text, new.slot_s::text, new.issued_ms::text, new.sym, new.model, new.model_version,
      new.role, new.market_kind) then
    raise exception 'A record and its text differ.' using errcode = '22023';
  end if;
  if new.seq >= 1000000 and exists (
       select from private.track_records r
        where r.seq < new.seq / 1000000 * 1000000 and r.market_kind = new.market_kind and r.slot_s = new.slot_s
          and r.sym = new.sym and r.model = new.model and r.role = new.role and r.model_version = new.model_version) then
    raise exception 'There is one forecast a slot.' using errcode = '23505';
  end if;
  return new;
end $$;

create function private.track_head(p_keys jsonb)
  returns table (seq bigint, hash text, earliest_ms bigint, known jsonb)
  language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select coalesce(r.seq, 0), encode(r.hash, 'hex'), greatest(r.issued_ms, private.track_sealed_ms()),
           coalesce((select jsonb_agg(g.place)
                       from jsonb_to_recordset(p_keys) as g
                         (place int, market text, slot bigint, sym text, model text, role text, version text)
                       join private.track_records k
                         on (k.market_kind, k.slot_s, k.sym, k.model, k.role, k.model_version)
                          = (g.market, g.slot, g.sym, g.model, g.role, g.version)), '[]')
      from (select) as always
      left join lateral (select t.seq, t.hash, t.issued_ms from private.track_records t order by t.seq desc limit 1) r on true;
end $$;
comment on function private.track_head(jsonb) is
  'The newest record, epoch milliseconds before which nothing is issued any more, and which of the given forecasts are there, by their place';
revoke all on function private.track_head(jsonb) from public, anon, authenticated, service_role;
