-- Alerts on a chance: a user gets one when something becomes likelier than a share that the user set.
-- docs/decisions/075-chances-on-request.md

alter table public.alert_rules
  add column chance jsonb,
  drop constraint alert_rules_kind_check,
  drop constraint alert_rules_check,
  drop constraint alert_rules_check1,
  add constraint alert_rules_kind_check
    check (kind in ('band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached')),
  add constraint alert_rules_sym_check1 check ((kind in ('models-disagree', 'chance-reached')) = (sym is not null)),
  add constraint alert_rules_prediction_check check (sym is null or prediction_id is null),
  add constraint alert_rules_chance_check check (
    (kind = 'chance-reached') = (chance is not null)
    and (chance is null or jsonb_typeof(chance) = 'object' and octet_length(chance::text) <= 300));
comment on column public.alert_rules.sym is 'The product''s own code; of models-disagree and chance-reached';
comment on column public.alert_rules.chance is 'Of chance-reached: model, event, price, bar and percent, as domain/alerts/alert-rule.ts';
drop index public.alert_rules_once_idx;
create unique index alert_rules_once_idx on public.alert_rules
  (user_id, kind, coalesce(prediction_id::text, sym, ''), coalesce(chance::text, ''));
-- The rules that each round computes chances for.
create index alert_rules_chance_idx on public.alert_rules (sym, id) where kind = 'chance-reached';

alter table public.alerts
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check
    check (kind in ('band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached'));
