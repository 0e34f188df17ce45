begin;
select plan(53);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('cid');
select tests.create_user('root', 'admin');
insert into public.user_predictions (id, user_id, cryptocurrency, model, data)
select md5(name)::uuid, tests.id_of(name), 'BTC', 'kat1', (select jsonb_agg('{}'::jsonb) from generate_series(1, 200))
  from unnest(array['ada', 'bob']) name;
insert into public.alert_rules (user_id, kind, prediction_id, sym, by_mail, by_push)
select tests.id_of(name), kind, case when kind <> 'models-disagree' then md5(name)::uuid end,
       case when kind = 'models-disagree' then 'BTCUSDT.P' end, true, false
  from unnest(array['ada', 'bob']) name, unnest(array['band-broken', 'prediction-resolved', 'models-disagree']) kind;
insert into public.alerts (user_id, kind, subject, facts, made_at)
select tests.id_of(name), 'band-broken', name, '{}', now() from unnest(array['ada', 'bob']) name;

-- What is a rule, and what is an alert
select throws_ok(format('insert into public.alert_rules (user_id, kind, prediction_id, sym, by_mail, by_push) values (%L, %L, %s, %s, true, true)',
  tests.id_of('ada'), kind, prediction, sym), state, null, what)
  from (values
    ('a kind that there is not is refused', 'price-above', 'null', 'null', '23514'),
    ('a disagreement needs its symbol', 'models-disagree', 'null', 'null', '23514'),
    ('and has no prediction', 'models-disagree', 'md5(''ada'')::uuid', '''ETHUSDT.P''', '23514'),
    ('a band has no symbol', 'band-broken', 'null', '''BTCUSDT.P''', '23514'),
    ('a symbol is a code', 'models-disagree', 'null', '''btc usdt''', '23514'),
    ('one rule a prediction and kind', 'band-broken', 'md5(''ada'')::uuid', 'null', '23505'),
    ('one rule a symbol', 'models-disagree', 'null', '''BTCUSDT.P''', '23505'),
    ('a prediction that there is not has none', 'band-broken', 'gen_random_uuid()', 'null', '23503')) t (what, kind, prediction, sym, state);
select lives_ok($$ insert into public.alert_rules (user_id, kind, by_mail, by_push) values (tests.id_of('ada'), 'band-broken', false, false) $$, 'a standing rule stands beside that of one prediction');
select throws_ok($$ insert into public.alert_rules (user_id, kind, by_mail, by_push) values (tests.id_of('ada'), 'band-broken', true, true) $$, '23505', null, 'once');
select throws_ok($$ insert into public.alerts (user_id, kind, subject, facts, made_at) values (tests.id_of('ada'), 'band-broken', 'ada', '{}', now()) $$, '23505', null, 'the same is told once');
select throws_ok($$ insert into public.alerts (user_id, kind, subject, facts, made_at) values (tests.id_of('ada'), 'band-broken', 'new', '[]', now()) $$, '23514', null, 'facts are an object');
select throws_ok($$ insert into public.alerts (user_id, kind, subject, facts, made_at) values (tests.id_of('ada'), 'band-broken', 'new', jsonb_build_object('x', repeat('x', 2000)), now()) $$, '23514', null, 'and small');

select lives_ok(format('insert into public.alert_rules (user_id, kind, sym, chance, by_mail, by_push) values (%L, %L, %L, %L, false, false)',
  tests.id_of('cid'), 'chance-reached', 'BTCUSDT.P', jsonb_build_object('percent', percent)), 'several chances of one symbol are rules') from (values (30), (40)) t (percent);
select throws_ok(format('insert into public.alert_rules (user_id, kind, sym, chance, by_mail, by_push) values (%L, %L, %s, %s, false, false)',
  tests.id_of('cid'), 'chance-reached', sym, chance), state, null, what)
  from (values
    ('the same chance is one rule', '''BTCUSDT.P''', '''{"percent": 30}''', '23505'),
    ('a rule about a chance needs it', '''BTCUSDT.P''', 'null', '23514'),
    ('and its symbol', 'null', '''{"percent": 50}''', '23514')) t (what, sym, chance, state);
select lives_ok($$ insert into public.alert_rules (user_id, kind, sym, by_mail, by_push) values (tests.id_of('cid'), 'market-opens', 'MSFT', true, false) $$, 'an opening is a rule');
select throws_ok($$ insert into public.alert_rules (user_id, kind, sym, by_mail, by_push) values (tests.id_of('cid'), 'market-opens', 'MSFT', false, true) $$, '23505', null, 'one a market');
select throws_ok($$ insert into public.alert_rules (user_id, kind, by_mail, by_push) values (tests.id_of('cid'), 'market-opens', false, true) $$, '23514', null, 'and it names its market');
select lives_ok($$ insert into public.alert_rules (user_id, kind, by_mail, by_push) values (tests.id_of('cid'), 'release-due', true, false) $$, 'releases within forecasts are a rule');
select throws_ok($$ insert into public.alert_rules (user_id, kind, by_mail, by_push) values (tests.id_of('cid'), 'release-due', false, true) $$, '23505', null, 'one a user');
select throws_ok($$ insert into public.alert_rules (user_id, kind, prediction_id, by_mail, by_push) values (tests.id_of('cid'), 'release-due', md5('ada')::uuid, false, true) $$, '23514', null, 'about no single prediction');
delete from public.alert_rules where user_id = tests.id_of('cid');

-- Their owner
create temporary table writes (what text, call text) on commit drop;
insert into writes values
  ('make a rule', $$ insert into public.alert_rules (user_id, kind, by_mail, by_push) values (tests.id_of('ada'), 'prediction-resolved', true, true) $$),
  ('change one', 'update public.alert_rules set by_mail = true'),
  ('take one away', 'delete from public.alert_rules'),
  ('make an alert', $$ insert into public.alerts (user_id, kind, subject, facts, made_at) values (tests.id_of('ada'), 'band-broken', 'own', '{}', now()) $$),
  ('read it for the server', 'update public.alerts set read_at = now()'),
  ('forget one', 'delete from public.alerts');
grant select on writes to anon, authenticated;
select tests.sign_in_as('ada');
select is((select count(*)::int from public.alert_rules), 4, 'an owner sees her own rules alone');
select results_eq('select subject from public.alerts', array['ada'], 'and her own alerts');
select throws_ok(call, '42501', null, 'she cannot ' || what || ' past the server') from writes;
select throws_ok('select * from private.alert_progress', '42501', null, 'how far the server has come is its own');

-- Everybody else
select tests.sign_in_as('root');
select is_empty('select id from public.alert_rules', 'an admin sees no rules of others');
select is_empty('select id from public.alerts', 'and no alerts');
select tests.sign_out();
select throws_ok('select id from public.' || name, '42501', null, 'a visitor reads no ' || name) from unnest(array['alert_rules', 'alerts']) name;
select throws_ok(call, '42501', null, 'a visitor cannot ' || what) from writes where what in ('change one', 'forget one');
select tests.become_owner();
select tests.become_service();
select is((select count(*)::int from public.alert_rules), 7, 'the service sees all rules');
select is((select count(*)::int from public.alerts), 2, 'and all alerts');
select tests.become_owner();

-- A second factor
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('first')::uuid, tests.id_of('ada'), 'first', 'totp', 'verified', 'sealed', now(), now());
select tests.sign_in_as('ada');
select is_empty('select id from public.alert_rules', 'who has a second factor sees no rules before it is shown');
select is_empty('select id from public.alerts', 'nor alerts');
select tests.sign_in_as('ada', 'aal2');
select is((select count(*)::int from public.alert_rules), 4, 'and then all of hers');

-- The end of a prediction, and of an account
select tests.become_owner();
delete from public.user_predictions where id = md5('ada')::uuid;
select is((select count(*)::int from public.alert_rules where user_id = tests.id_of('ada')), 2, 'the rules of a prediction go with it');
select is((select count(*)::int from public.alerts where user_id = tests.id_of('ada')), 1, 'what was told stays');
delete from auth.users where id = tests.id_of('bob');
select is_empty($$ select id from public.alert_rules where user_id <> tests.id_of('ada') $$, 'rules go with the account');
select is_empty($$ select id from public.alerts where subject = 'bob' $$, 'alerts too');

-- Found by an index
select has_index('public', 'alerts', 'alerts_user_idx', 'a user''s alerts');
select has_index('public', 'alerts', 'alerts_made_idx', 'old alerts');
select has_index('public', 'alert_rules', 'alert_rules_sym_idx', 'who waits for a symbol');
select has_index('public', 'prediction_outcomes', 'prediction_outcomes_resolved_idx', 'outcomes that became known');
select has_index('public', 'prediction_outcomes', 'prediction_outcomes_running_idx', 'predictions that are running');
select * from finish();
rollback;
