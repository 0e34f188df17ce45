begin;
select plan(18);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
insert into public.onboarding_marks (user_id, mark) values (tests.id_of('bob'), 'tour-ended'), (tests.id_of('bob'), 'checklist-dismissed');
insert into public.user_predictions (user_id, cryptocurrency, model, data)
select tests.id_of('bob'), 'BTC', 'kat1', jsonb_agg(n) from generate_series(1, 200) n;
insert into public.alert_rules (user_id, kind, sym, by_mail, by_push) values (tests.id_of('bob'), 'models-disagree', 'BTCUSDT.P', false, false);

-- An owner
select tests.sign_in_as('ada');
select results_eq('select * from public.get_onboarding()', $$ values (true, false, false, '{}'::text[]) $$, 'a new account has done nothing');
select lives_ok($$ insert into public.onboarding_marks (user_id, mark) values (tests.id_of('ada'), 'model-chosen'), (tests.id_of('ada'), 'bands-read') $$,
  'she adds marks of her own');
select results_eq('select has_checklist, marks from public.get_onboarding()', $$ values (true, array['bands-read', 'model-chosen']) $$,
  'and reads them');
select lives_ok($$ insert into public.onboarding_marks (user_id, mark) values (tests.id_of('ada'), 'bands-read') on conflict do nothing $$,
  'a mark that is there stays');
select throws_ok($$ insert into public.onboarding_marks (user_id, mark) values (tests.id_of('ada'), 'verified') $$, '23514', null, 'there is no other mark');
select results_eq('select distinct user_id from public.onboarding_marks', $$ select tests.id_of('ada') $$, 'she reads none of another user');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('add marks to another account', $$ insert into public.onboarding_marks (user_id, mark) values (tests.id_of('bob'), 'bands-read') $$),
  ('say when', $$ insert into public.onboarding_marks (user_id, mark, created_at) values (tests.id_of('ada'), 'tour-ended', now()) $$),
  ('rewrite marks', $$ update public.onboarding_marks set mark = 'tour-ended' $$),
  ('delete marks', 'delete from public.onboarding_marks')) t (what, text);

-- Derived from other tables
select tests.sign_in_as('bob');
select results_eq('select * from public.get_onboarding()', $$ values (false, true, true, array['checklist-dismissed', 'tour-ended']) $$,
  'a prediction and an alert are read where they are, and a dismissed checklist stays away');

-- An account with a second factor
select tests.become_owner();
insert into auth.mfa_factors (user_id, factor_type, secret, status) values (tests.id_of('ada'), 'totp', 's', 'verified');
select tests.sign_in_as('ada');
select results_eq('select has_prediction, has_alert, marks from public.get_onboarding()', $$ values (false, false, '{}'::text[]) $$,
  'without the second factor nothing is read');
select throws_ok($$ insert into public.onboarding_marks (user_id, mark) values (tests.id_of('ada'), 'tour-ended') $$, '42501', null, 'and nothing is added');

-- Everybody else
select tests.sign_in_as('root');
select results_eq('select has_checklist from public.get_onboarding()', $$ values (false) $$, 'an admin has no checklist');
select is_empty('select from public.onboarding_marks', 'and reads nobody''s marks');
select tests.become_owner();
select set_config('request.jwt.claims', '', true);
set local role anon;
select throws_ok('select from public.onboarding_marks', '42501', null, 'a visitor reads none');
select throws_ok('select public.get_onboarding()', '42501', null, 'and has no first steps');

-- Without the account
select tests.become_owner();
delete from auth.users where id = tests.id_of('ada');
select is((select count(*) from public.onboarding_marks where user_id not in (select id from auth.users)), 0::bigint, 'marks go with the account');
select * from finish();
rollback;
