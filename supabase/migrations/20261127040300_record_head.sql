-- What is asked for each slot, at the same cost however many partitions there are: its plan is kept. docs/decisions/044-partitions-and-retention.md
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
