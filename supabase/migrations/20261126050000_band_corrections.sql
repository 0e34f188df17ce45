-- What the bands have learnt, by version of the model: one that serves for the first time begins at 1, one that serves again
-- goes on where it was. domain/record/bands/adaptive-bands.ts
delete from private.band_corrections;
alter table private.band_corrections
  drop constraint band_corrections_pkey,
  drop column factors,
  add column model_version text not null check (char_length(model_version) <= 40),
  add column state jsonb not null,
  add primary key (market_kind, model, sym, model_version);
comment on table private.band_corrections is 'Factors on the widths of bands, and up to which record they have learnt';
comment on column private.band_corrections.state is 'BandState of domain/record/bands/adaptive-bands.ts';
comment on column private.band_corrections.last_seq is 'As in state; written only by whoever has read the one before';

-- Records of one model and symbol after a place in the chain.
create index track_records_lessons_idx on private.track_records (market_kind, sym, model, model_version, seq)
  where role = 'serving';
