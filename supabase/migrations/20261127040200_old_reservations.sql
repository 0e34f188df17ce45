-- What a reservation holds is needed for ten minutes, until its stream can no longer be asked for again, and what it counts
-- for as long as a period of a plan lasts. docs/decisions/044-partitions-and-retention.md
alter table private.prediction_reservations drop constraint prediction_reservations_check;
alter table private.prediction_reservations add constraint prediction_reservations_check
  check (candles_sent = 0 or forecast is not null or state in ('spent', 'returned'));
comment on table private.prediction_reservations is
  'One unit of quota each: held while reserved, used up when spent, given back when released; a hundred days of them';
comment on column private.prediction_reservations.history is
  '150 candles before the forecast, as they will be saved; null once released, and two days after it was made';
comment on column private.prediction_reservations.forecast is
  '50 candles of the forecast, as they will be saved; null once released, and two days after it was made';
comment on column private.prediction_reservations.start is
  'First event of the stream; null once released, and two days after it was made';
-- Those that are to be emptied: two days of them.
create index prediction_reservations_full_idx on private.prediction_reservations (created_at)
  where forecast is not null and state in ('spent', 'returned');
create index prediction_reservations_created_at_idx on private.prediction_reservations (created_at);
