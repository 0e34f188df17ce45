/**
 * The crowd is the same each time. It bypasses triggers and foreign keys and writes their rows itself: two million
 * predictions would take an hour otherwise. All predictions share one stored value of candles.
 */
import { type Database, OWNER, type Transaction } from '../../../server/platform/database/database.ts';

export interface CrowdSize {
  users: number;
  /** Over the last year; paying users made most of them. */
  predictions: number;
  posts: number;
}

/** The id of the nth user, from 1. */
export const CROWD_USER_ID = (nth: string) => `md5('crowd:' || ${nth})::uuid`;

const STATUSES = [
  ...Array<string>(72).fill('active'),
  ...['trialing', 'trialing', 'past_due', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired'],
  ...Array<string>(20).fill('canceled'),
];

/** @returns how long it took in seconds, including `analyze` */
export async function fillAdminCrowd(database: Database, size: CrowdSize): Promise<number> {
  const startedMs = performance.now();
  await database.transaction(
    OWNER,
    async (tx) => {
      await tx.query("set local session_replication_role = 'replica'; set local work_mem = '256MB'");
      await tx.query(usersSql(size.users));
      await tx.query(subscriptionsSql(size.users));
      await fillPredictions(tx, size);
      await tx.query(reservationsSql(size));
      await tx.query(postsSql(size.posts));
    },
    { statementLimitMs: 0 },
  );
  for (const table of CROWD_TABLES) await database.query(OWNER, `analyze ${table}`);
  return Math.round((performance.now() - startedMs) / 1000);
}

export const CROWD_TABLES = [
  'auth.users',
  'public.profiles',
  'public.stripe_customers',
  'public.stripe_subscriptions',
  'public.user_predictions',
  'private.last_predictions',
  'private.prediction_reservations',
  'public.changelog_posts',
  'public.changelog_post_likes',
];

/** Ten admins; accounts from the last three years; every second one signed in recently. */
function usersSql(users: number): string {
  return `
insert into auth.users (id, email, email_confirmed_at, last_sign_in_at, created_at)
select ${CROWD_USER_ID('n')}, 'crowd' || n || '@example.com', now(),
       case when n % 2 = 0 then now() - (n * 7919 % 90) * interval '1 day' - (n % 86400) * interval '1 second' end,
       now() - n * interval '1100 seconds' * (100000.0 / ${users})
  from generate_series(1, ${users}) n;
insert into public.profiles (id, email, full_name, avatar_url, role, phone, bio, website, location, timezone, created_at, updated_at)
select u.id, u.email,
       (array['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn', 'Grace', 'Hugo', 'Ida', 'Jan'])[1 + n * 31 % 10] || ' ' ||
       (array['Lovelace', 'Stone', 'Marsh', 'Rivers', 'Hopper', 'Woods', 'Fields', 'Hill'])[1 + n * 17 % 8] || ' ' || n,
       case when n % 3 = 0 then 'https://example.com/avatars/' || n || '.png' end,
       case when n % (${users} / 10) = 0 then 'admin' else 'user' end,
       case when n % 4 = 0 then '+49 30 ' || n end, case when n % 5 = 0 then repeat('About me. ', n % 30) end,
       case when n % 6 = 0 then 'example.com/' || n end, case when n % 3 = 0 then 'Berlin' end,
       (array['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', null, 'Australia/Sydney'])[1 + n % 5],
       u.created_at, u.created_at + interval '1 day'
  from generate_series(1, ${users}) n join auth.users u on u.id = ${CROWD_USER_ID('n')};`;
}

/** Every tenth user has or had a subscription, one in ten of them two; one user in twenty is a customer without one. */
function subscriptionsSql(users: number): string {
  const statuses = STATUSES.map((status) => `'${status}'`).join(', ');
  return `
insert into public.stripe_customers (user_id, customer_id, mode)
select ${CROWD_USER_ID('n')}, 'cus_' || n, case when n % 1000 = 1 then 'test' else 'sandbox' end
  from generate_series(1, ${users}) n where n % 10 = 1 or n % 20 = 2;
insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_start,
  current_period_end, cancel_at_period_end, stripe_created, noticed_seq, synced_seq)
select 'sub_' || n || '_' || again, 'cus_' || n,
       (array['price_kat_bobcat_monthly', 'price_kat_lion_monthly', 'price_kat_bobcat_monthly', 'price_kat_lion_monthly',
              'price_kat_bobcat_monthly', 'price_kat_bobcat_monthly', 'price_unknown'])[1 + (n / 10 + again) % 7],
       s.status, p.ends - 30 * 86400, p.ends, n / 10 % 9 = 0, p.ends - 30 * 86400 * again, 1, 1
  from generate_series(1, ${users}, 10) n
  cross join generate_series(1, 2) again
  cross join lateral (select (array[${statuses}])[1 + (n / 10 * 37 + again * 11) % 100] as status) s
  cross join lateral (select extract(epoch from now())::bigint + case
    when again = 2 or s.status in ('canceled', 'incomplete_expired') then -86400 * (n / 10 % 300) - n % 7000
    else 86400 * (n / 10 % 30) + n * 41 % 86400 end as ends) p
 where again = 1 or n / 10 % 10 = 0;`;
}

const CANDLE = `jsonb_build_object('time', 1763600000, 'open', 91234.5, 'high', 91290.25, 'low', 91180.75, 'close', 91251.5, 'volume', 12.25)`;
const candles = (count: number) => `(select jsonb_agg(${CANDLE}) from generate_series(1, ${count}))`;

/** Picks a user for a prediction: 9 of 10 belong to paying users. */
const PREDICTOR = `case when n % 10 = 0 then 1 + ((n / 10)::bigint * 7907 % :users)
  else 1 + 10 * (n::bigint * 7907 % greatest(1, :users / 10)) end`;

async function fillPredictions(tx: Transaction, { users, predictions }: CrowdSize): Promise<void> {
  // The check accepts these rows anyway, and running it would unpack each row's candles twice.
  await tx.query(`
alter table public.user_predictions drop constraint user_predictions_data_check;
create temporary table crowd_candles on commit drop as select ${candles(200)} as data;
insert into public.user_predictions (id, user_id, cryptocurrency, model, created_at, data)
select md5('crowd prediction:' || n)::uuid, ${CROWD_USER_ID(`(${PREDICTOR.replaceAll(':users', String(users))})`)},
       (array['BTC', 'ETH', 'SOL', 'Gold', 'Oil'])[1 + n % 5], (array['kat1', 'kat2_2', 'kat2_4'])[1 + n % 3],
       now() - n * (interval '365 days' / ${predictions}), t.data
  from generate_series(1, ${predictions}) n cross join crowd_candles t;
alter table public.user_predictions add constraint user_predictions_data_check
  check (case when jsonb_typeof(data) = 'array' then jsonb_array_length(data) = 200 else false end) not valid;
insert into private.last_predictions (user_id, at)
select user_id, max(created_at) from public.user_predictions group by user_id;`);
}

/** One spent reservation for each prediction of the last 31 days, and a tenth as many returned ones. */
function reservationsSql({ users, predictions }: CrowdSize): string {
  return `
insert into private.kept_forecasts (id, history, forecast, start, created_at)
select md5('crowd forecast')::uuid, ${candles(150)}, ${candles(50)}, '{"type": "start"}', now();
insert into private.prediction_reservations (id, user_id, model, model_version, exc, sym, label, t0, state, candles_sent, created_at,
  expires_at, kept_forecast)
select md5('crowd reservation:' || n)::uuid, ${CROWD_USER_ID(`(${PREDICTOR.replaceAll(':users', String(users))})`)}, 'kat1', '1', 'x', 'BTCUSDT.P', 'BTC', n,
       case when n % 11 = 0 then 'released' else 'spent' end, 50,
       now() - n * (interval '365 days' / ${predictions}), now() - n * (interval '365 days' / ${predictions}),
       case when n % 11 <> 0 then md5('crowd forecast')::uuid end
  from generate_series(1, ${Math.ceil((predictions * 31) / 365)}) n;`;
}

function postsSql(posts: number): string {
  return `
insert into public.changelog_posts (id, content, author_id, created_at, updated_at, published_at)
select md5('crowd post:' || n)::uuid, '## Week ' || n || repeat(E'\\n\\nThe order book is **steadier** than before.', 1 + n % 20),
       null, now() - n * interval '3 hours', now() - n * interval '3 hours',
       case when n % 50 <> 0 then now() - n * interval '3 hours' end
  from generate_series(1, ${posts}) n;
insert into public.changelog_post_likes (post_id, user_id)
select md5('crowd post:' || n)::uuid, ${CROWD_USER_ID('liker')}
  from generate_series(1, ${posts}) n cross join lateral generate_series(1, n * 7 % 41) liker
on conflict do nothing;`;
}
