-- Alerts before a scheduled release that falls within a running forecast: one rule a user, about all their predictions.
-- docs/decisions/038-alerts.md

alter table public.alert_rules
  drop constraint alert_rules_kind_check,
  add constraint alert_rules_kind_check
    check (kind in ('band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens', 'release-due')),
  add constraint alert_rules_release_check check (kind <> 'release-due' or prediction_id is null);

alter table public.alerts
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check
    check (kind in ('band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens', 'release-due'));

alter table public.chat_channels
  alter column kinds
    set default array['band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens', 'release-due'],
  drop constraint chat_channels_kinds_check,
  add constraint chat_channels_kinds_check check (
    cardinality(kinds) between 1 and 6 and array_position(kinds, null) is null
    and kinds <@ array['band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens', 'release-due']);
-- A chat that gets every alert keeps getting every alert.
update public.chat_channels set kinds = kinds || array['release-due'] where cardinality(kinds) = 5;
