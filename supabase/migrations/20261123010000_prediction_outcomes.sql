-- Outcomes: what really came in the 50 minutes that a saved prediction drew. One row for each prediction, made with it and
-- waiting until those minutes are over; the server alone ends the waiting, with the candles of the market that the
-- prediction was made on, or with the reason why there are none.

create table public.prediction_outcomes (
  prediction_id uuid primary key references public.user_predictions on delete cascade,
  user_id       uuid not null references auth.users on delete cascade,
  market_kind   text not null check (market_kind in ('live', 'replayed', 'simulated')),
  sym           text not null check (sym ~ '^[A-Z0-9.!]{1,20}$'),
  join_s        bigint not null check (join_s >= 0 and join_s % 60 = 0),
  due_at        timestamptz not null,
  next_try_at   timestamptz not null,
  state         text not null default 'waiting' check (state in ('waiting', 'known', 'void')),
  void_reason   text check (void_reason in ('market-closed', 'candles-missing', 'candles-gone', 'other-market', 'unreadable')),
  candles       jsonb check (case when jsonb_typeof(candles) = 'array' then jsonb_array_length(candles) = 50 else candles is null end),
  score         jsonb check (score is null or jsonb_typeof(score) = 'object'),
  resolved_at   timestamptz,
  check ((state = 'waiting') = (resolved_at is null)),
  check ((state = 'void') = (void_reason is not null)),
  check ((state = 'known') = (candles is not null)),
  check ((state = 'known') = (score is not null))
);
comment on table public.prediction_outcomes is 'What came of each saved prediction; written by the server alone';
comment on column public.prediction_outcomes.market_kind is
  'Kind of market the prediction was made on; candles of another kind never enter. From the first event of its stream';
comment on column public.prediction_outcomes.sym is 'The product''s own code: BTCUSDT.P, MSFT, GC1! ...';
comment on column public.prediction_outcomes.join_s is 'Opening second of the last real candle, the 150th; market time';
comment on column public.prediction_outcomes.due_at is 'From then on the outcome can be known: 51 minutes after join_s, later for delayed feeds';
comment on column public.prediction_outcomes.next_try_at is 'When the server looks next while it waits';
comment on column public.prediction_outcomes.void_reason is 'Why there is no score; null unless void';
comment on column public.prediction_outcomes.candles is
  '50 real candles {time, open, high, low, close, volume}, oldest first; null unless known';
comment on column public.prediction_outcomes.score is
  'Errors of the path and of the last close in basis points of ln (domain/record/scoring/scoring.ts); null unless known';
comment on column public.prediction_outcomes.resolved_at is 'When the waiting ended; product clock';
create index prediction_outcomes_user_id_idx on public.prediction_outcomes (user_id);
create index prediction_outcomes_due_idx on public.prediction_outcomes (next_try_at) where state = 'waiting';

alter table public.prediction_outcomes enable row level security;
revoke all on public.prediction_outcomes from public, anon, authenticated;
grant select on public.prediction_outcomes to authenticated;
grant all on public.prediction_outcomes to service_role;
create policy "owners read their outcomes" on public.prediction_outcomes
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.prediction_outcomes
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- The end of the last forecast minute. A delayed feed's candles end long before they are there: the same delay comes on top.
create function private.outcome_due_at(p_join_s bigint, p_seen_at timestamptz) returns timestamptz
  language sql stable set search_path = ''
as $$
  select pg_catalog.to_timestamp(p_join_s + 51 * 60) + case
    when p_seen_at - pg_catalog.to_timestamp(p_join_s + 60) < interval '3 minutes' then interval '0'
    else least(p_seen_at - pg_catalog.to_timestamp(p_join_s + 60), interval '1 hour')
  end
$$;
comment on function private.outcome_due_at(bigint, timestamptz) is
  'When the outcome of a forecast can be known whose last real candle opened at p_join_s and was seen at p_seen_at';
revoke all on function private.outcome_due_at(bigint, timestamptz) from public, anon, authenticated, service_role;
grant execute on function private.outcome_due_at(bigint, timestamptz) to service_role;

-- As before, and with the row that waits for the outcome. A reservation that tells no kind of market gets none.
create or replace function private.spend_reservation(p_id uuid) returns uuid
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_prediction uuid := gen_random_uuid();
begin
  insert into public.user_predictions (id, user_id, cryptocurrency, timeframe, model, created_at, data)
  select v_prediction, r.user_id, r.label, '1min', r.model, private.clock_now(), r.history || r.forecast
    from private.prediction_reservations r
   where r.id = p_id and r.state = 'reserved';
  if not found then
    raise exception 'reservation % is not reserved', p_id;
  end if;
  insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
  select v_prediction, r.user_id, r.start ->> 'marketKind', r.sym, r.t0, d.due_at, d.due_at
    from private.prediction_reservations r, private.outcome_due_at(r.t0, r.created_at) d (due_at)
   where r.id = p_id and r.start ->> 'marketKind' in ('live', 'replayed', 'simulated');
  update private.prediction_reservations set state = 'spent', prediction_id = v_prediction where id = p_id;
  return v_prediction;
end;
$$;

-- Predictions saved before there were outcomes wait from now on; what is no longer kept of their minutes is told then.
insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
select r.prediction_id, r.user_id, r.start ->> 'marketKind', r.sym, r.t0, d.due_at, d.due_at
  from private.prediction_reservations r, private.outcome_due_at(r.t0, r.created_at) d (due_at)
 where r.prediction_id is not null and r.start ->> 'marketKind' in ('live', 'replayed', 'simulated');
