/** Sample votes of the last five days, without users: the page states that they are samples. */
import { type Database, OWNER } from '../../server/platform/database/database.ts';

/** Half hours with up to four votes each; some days lean up, some down. */
const SAMPLE_VOTES = `
  insert into private.votes (currency, direction, created_at)
  select 'btc', case when (s.n * 37 + v.n * 61) % 100 < 55 + 25 * sin(s.n / 31.0) then 'up' else 'down' end,
         date_trunc('milliseconds', s.at) - make_interval(secs => v.n * 97)
    from (select n, private.clock_now() - make_interval(mins => 30 * n) as at from generate_series(0, 239) as n) as s
   cross join lateral generate_series(1, (s.n * 7919) % 5) as v (n)
   where date_trunc('day', s.at at time zone 'UTC') not in (
     select date_trunc('day', created_at at time zone 'UTC') from private.votes
      where user_id is null and currency = 'btc' and created_at > private.clock_now() - interval '7 days')`;

/** Idempotent: a day with sample votes gets no more. */
export async function seedVotes(database: Database): Promise<void> {
  // On a busy machine it takes longer than a request may, and no request waits for it.
  await database.transaction(OWNER, (tx) => tx.query(SAMPLE_VOTES), { statementLimitMs: 0 });
}
