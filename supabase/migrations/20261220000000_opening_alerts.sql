-- Alerts at the opening of a closed market: each is sent once, and its rule ends with it.
-- docs/decisions/038-alerts.md

alter table public.alert_rules
  drop constraint alert_rules_kind_check,
  drop constraint alert_rules_sym_check1,
  add constraint alert_rules_kind_check
    check (kind in ('band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens')),
  add constraint alert_rules_sym_check1
    check ((kind in ('models-disagree', 'chance-reached', 'market-opens')) = (sym is not null));
comment on column public.alert_rules.sym is 'The product''s own code; of models-disagree, chance-reached and market-opens';
-- The rules of a market that has opened.
create index alert_rules_opening_idx on public.alert_rules (sym, created_at, id) where kind = 'market-opens';

alter table public.alerts
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check
    check (kind in ('band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens'));

alter table public.chat_channels
  alter column kinds
    set default array['band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens'],
  drop constraint chat_channels_kinds_check,
  add constraint chat_channels_kinds_check check (
    cardinality(kinds) between 1 and 5 and array_position(kinds, null) is null
    and kinds <@ array['band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached', 'market-opens']);
-- A chat that gets every alert keeps getting every alert.
update public.chat_channels set kinds = kinds || array['market-opens'] where cardinality(kinds) = 4;
