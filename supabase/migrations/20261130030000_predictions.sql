-- Saved predictions, the reservations that precede them, and their outcomes. Only the functions of the next file write
-- predictions and reservations, and only the server may call those.

create table public.user_predictions (
  id             uuid primary key default gen_random_uuid(),
  user_id        uuid not null references auth.users on delete cascade,
  cryptocurrency text not null check (char_length(cryptocurrency) between 1 and 20),
  timeframe      text not null default '1min' check (timeframe = '1min'),
  model          text not null check (model in ('kat1', 'kat2_2', 'kat2_4')),
  created_at     timestamptz not null default private.clock_now(),
  data           jsonb not null
                 check (case when jsonb_typeof(data) = 'array' then jsonb_array_length(data) = 200 else false end)
);
comment on table public.user_predictions is 'What a user has forecast and saved. Deleting a row gives no quota back';
comment on column public.user_predictions.cryptocurrency is 'Label of the symbol picker: BTC, ETH ... Oil';
comment on column public.user_predictions.timeframe is 'Length of a candle; one minute is the only one';
comment on column public.user_predictions.model is 'Backend name: kat1 Bobcat, kat2_2 Panther, kat2_4 Lion';
comment on column public.user_predictions.data is
  '200 candles {time, open, high, low, close, volume}, oldest first: 150 history, 50 forecast; time in epoch seconds';
create index user_predictions_user_id_idx on public.user_predictions (user_id, created_at desc);
create index user_predictions_created_at_idx on public.user_predictions (created_at);
alter table public.user_predictions enable row level security;
revoke all on public.user_predictions from public, anon, authenticated;
grant select on public.user_predictions to authenticated;
grant all on public.user_predictions to service_role;
create policy "owners read their predictions" on public.user_predictions
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.user_predictions
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- When each user last saved a prediction: a list of 100,000 users is sorted by it.
create table private.last_predictions (
  user_id uuid primary key references auth.users on delete cascade,
  at      timestamptz not null
);
comment on table private.last_predictions is
  'When each user last saved a prediction, kept by user_predictions; stays when the prediction is deleted';
alter table private.last_predictions enable row level security;
revoke all on private.last_predictions from public, anon, authenticated, service_role;
-- Once per statement: one that saves for several users locks their rows in one order.
create function private.note_last_predictions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.last_predictions as l (user_id, at)
  select s.user_id, max(s.created_at) from saved s group by s.user_id order by s.user_id
  on conflict (user_id) do update set at = excluded.at where excluded.at > l.at;
  return null;
end;
$$;
revoke all on function private.note_last_predictions() from public, anon, authenticated, service_role;
create trigger note_last_predictions after insert on public.user_predictions
  referencing new table as saved
  for each statement execute function private.note_last_predictions();

-- A forecast is stored once for all users who reserve it: 25 KB for two thousand viewers of a minute.
-- docs/decisions/050-kept-forecasts.md
create table private.kept_forecasts (
  id         uuid primary key,
  history    jsonb not null check (jsonb_typeof(history) = 'array' and jsonb_array_length(history) = 150),
  forecast   jsonb not null check (jsonb_typeof(forecast) = 'array' and jsonb_array_length(forecast) = 50),
  start      jsonb not null,
  created_at timestamptz not null
);
comment on table private.kept_forecasts is 'Forecasts as they were streamed, each once for all who reserved it; two days of them';
comment on column private.kept_forecasts.id is 'Made of the content: processes that keep the same keep one';
comment on column private.kept_forecasts.history is '150 candles before the forecast, as they will be saved';
comment on column private.kept_forecasts.forecast is '50 candles of the forecast, as they will be saved';
comment on column private.kept_forecasts.start is 'First event of the stream, without the id of a reservation';
create index kept_forecasts_created_at_idx on private.kept_forecasts (created_at);
alter table private.kept_forecasts enable row level security;
revoke all on private.kept_forecasts from public, anon, authenticated, service_role;

create table private.prediction_reservations (
  id            uuid primary key,
  user_id       uuid not null references auth.users on delete cascade,
  model         text not null check (model in ('kat1', 'kat2_2', 'kat2_4')),
  model_version text not null,
  exc           text not null,
  sym           text not null,
  label         text not null,
  t0            bigint not null,
  state         text not null default 'reserved' check (state in ('reserved', 'spent', 'released', 'returned')),
  candles_sent  integer not null default 0 check (candles_sent between 0 and 50),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  prediction_id uuid unique references public.user_predictions on delete set null,
  kept_forecast uuid references private.kept_forecasts on delete set null,
  check (state <> 'reserved' or kept_forecast is not null)
);
comment on table private.prediction_reservations is
  'One unit of quota each: held while reserved, used up when spent, given back when released; a hundred days of them';
comment on column private.prediction_reservations.model is 'Backend name, as in user_predictions';
comment on column private.prediction_reservations.t0 is 'Opening second of the last closed candle the model saw';
comment on column private.prediction_reservations.candles_sent is 'How far the viewer has come; written at the first candle and at the end';
comment on column private.prediction_reservations.expires_at is 'Ten minutes after it was reserved; settled from then on';
comment on column private.prediction_reservations.prediction_id is 'The saved row; null before it is saved and after its owner deleted it';
comment on column private.prediction_reservations.kept_forecast is
  'What is streamed and will be saved; null once released, and two days after it was made';
-- The same minute's forecast costs one unit, in two tabs or clicked twice.
create unique index prediction_reservations_once_idx on private.prediction_reservations (user_id, model, exc, sym, t0)
  where state <> 'released';
-- Holds only what counts, so that a user's remaining quota is counted without reading the rows.
create index prediction_reservations_quota_idx on private.prediction_reservations (user_id, created_at)
  where state <> 'released' and state <> 'returned';
create index prediction_reservations_due_idx on private.prediction_reservations (expires_at) where state = 'reserved';
create index prediction_reservations_created_at_idx on private.prediction_reservations (created_at);
-- For the download of an account: the other indexes leave out released reservations.
create index prediction_reservations_user_id_idx on private.prediction_reservations (user_id, created_at);
create index prediction_reservations_kept_idx on private.prediction_reservations (kept_forecast)
  where kept_forecast is not null;

-- One row per user. A reservation locks it, so that two requests cannot take the same last unit.
create table private.quota_locks (
  user_id uuid primary key references auth.users on delete cascade
);
comment on table private.quota_locks is 'Locked for the length of one reservation; holds nothing else';
alter table private.prediction_reservations enable row level security;
alter table private.quota_locks enable row level security;
revoke all on private.prediction_reservations, private.quota_locks from public, anon, authenticated, service_role;

-- Outcomes: the actual 50 minutes after a saved prediction. Each prediction has one row, created with it and waiting until
-- those minutes are over. The server alone ends the waiting, with the candles of the market that the prediction was made on,
-- or with the reason why there are none.
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
  returned_at   timestamptz,
  check ((state = 'waiting') = (resolved_at is null)),
  check ((state = 'void') = (void_reason is not null)),
  check ((state = 'known') = (candles is not null)),
  check ((state = 'known') = (score is not null)),
  constraint prediction_outcomes_returned_at_check check (returned_at is null or state = 'void')
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
comment on column public.prediction_outcomes.returned_at is
  'When its user got a prediction back for it; null where that made no difference: no limit, an admin, a day and month that are over';
create index prediction_outcomes_user_id_idx on public.prediction_outcomes (user_id);
create index prediction_outcomes_due_idx on public.prediction_outcomes (next_try_at) where state = 'waiting';
-- For alerts: which predictions of a symbol are still running, and which outcomes have become known since.
create index prediction_outcomes_running_idx on public.prediction_outcomes (sym, join_s) where state = 'waiting';
create index prediction_outcomes_resolved_idx on public.prediction_outcomes (resolved_at, prediction_id)
  where resolved_at is not null;
alter table public.prediction_outcomes enable row level security;
revoke all on public.prediction_outcomes from public, anon, authenticated;
grant select on public.prediction_outcomes to authenticated;
grant all on public.prediction_outcomes to service_role;
create policy "owners read their outcomes" on public.prediction_outcomes
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.prediction_outcomes
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
-- The end of the last forecast minute. A delayed feed's candles arrive long after they end, so its delay is added.
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
