-- Predictions and their reservations. A forecast is reserved when its stream opens and spent when it is saved, once;
-- only the functions of the next two files write either table, and only the server may call them.

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

alter table public.user_predictions enable row level security;
revoke all on public.user_predictions from public, anon, authenticated;
grant select on public.user_predictions to authenticated;
grant all on public.user_predictions to service_role;
create policy "owners read their predictions" on public.user_predictions
  for select to authenticated using (user_id = (select auth.uid()));

create table private.prediction_reservations (
  id            uuid primary key,
  user_id       uuid not null references auth.users on delete cascade,
  model         text not null check (model in ('kat1', 'kat2_2', 'kat2_4')),
  model_version text not null,
  exc           text not null,
  sym           text not null,
  label         text not null,
  t0            bigint not null,
  state         text not null default 'reserved' check (state in ('reserved', 'spent', 'released')),
  history       jsonb,
  forecast      jsonb,
  start         jsonb,
  candles_sent  integer not null default 0 check (candles_sent between 0 and 50),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  prediction_id uuid unique references public.user_predictions on delete set null,
  check (candles_sent = 0 or forecast is not null)
);
comment on table private.prediction_reservations is
  'One unit of quota each: held while reserved, used up when spent, given back when released';
comment on column private.prediction_reservations.model is 'Backend name, as in user_predictions';
comment on column private.prediction_reservations.t0 is 'Opening second of the last closed candle the model saw';
comment on column private.prediction_reservations.history is '150 candles before the forecast, as they will be saved; null once released';
comment on column private.prediction_reservations.forecast is '50 candles of the forecast, as they will be saved; null once released';
comment on column private.prediction_reservations.start is 'First event of the stream; null once released';
comment on column private.prediction_reservations.candles_sent is 'How far the viewer has come; written at the first candle and at the end';
comment on column private.prediction_reservations.expires_at is 'Ten minutes after it was reserved; settled from then on';
comment on column private.prediction_reservations.prediction_id is 'The saved row; null before it is saved and after its owner deleted it';
-- The same minute's forecast costs one, in two tabs or pressed twice.
create unique index prediction_reservations_once_idx on private.prediction_reservations (user_id, model, exc, sym, t0)
  where state <> 'released';
create index prediction_reservations_quota_idx on private.prediction_reservations (user_id, created_at)
  where state <> 'released';
create index prediction_reservations_due_idx on private.prediction_reservations (expires_at) where state = 'reserved';

-- One row a user: whoever reserves locks it, so that two requests cannot take the same last unit.
create table private.quota_locks (
  user_id uuid primary key references auth.users on delete cascade
);
comment on table private.quota_locks is 'Locked for the length of one reservation; holds nothing else';

alter table private.prediction_reservations enable row level security;
alter table private.quota_locks enable row level security;
revoke all on private.prediction_reservations, private.quota_locks from public, anon, authenticated, service_role;
