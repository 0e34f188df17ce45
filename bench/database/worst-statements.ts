/**
 * Searches for the slowest table reads that the grammar allows, over random shapes on 50,000 rows of news-like text and
 * on 2,000 saved predictions of one user, without any time limit. The limit of 200 ms (PostgreSQL) and the watchdog of
 * 5 s (PGlite) exist for these reads. Prints one JSON table.
 */
import { openCatalogue, type Relation } from '../../server/backend/rest/catalogue.ts';
import type { Statement } from '../../server/backend/rest/query/conditions.ts';
import { parseQuery } from '../../server/backend/rest/query/grammar.ts';
import { MAX_ROWS } from '../../server/backend/rest/query/query-tree.ts';
import { readStatement } from '../../server/backend/rest/query/statement.ts';
import { RestError } from '../../server/backend/rest/rest-error.ts';
import { execute } from '../../server/backend/rest/rest-request.ts';
import { seededRandom } from '../../server/forecast/paths/random.ts';
import { type Database, type DatabaseCaller, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase, type TestDatabaseKind } from '../../tests/support/database/database.ts';
import { createDatabaseUser } from '../../tests/support/database/database-users.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';

const SHAPES = Number(process.env.BENCH_SHAPES ?? 150);
const SHOWN = 5;
const UNLIMITED_MS = 600_000;

const NEWS_SQL = `
create table public.bench_news (
  id bigint primary key generated always as identity, title text not null, body text not null, site text not null,
  score numeric not null, published_at timestamptz not null, tags jsonb not null);
alter table public.bench_news enable row level security;
grant select on public.bench_news to authenticated;
create policy "everyone reads" on public.bench_news for select to authenticated using (true);
insert into public.bench_news (title, body, site, score, published_at, tags)
  select 'Bitcoin ' || md5(i::text) || ' rises as markets wait ' || i,
    (select string_agg(md5((i * 31 + j)::text), ' ') from generate_series(1, 15) j),
    'site' || (i % 40), (i * 7919 % 10007) / 100.0, timestamptz '2026-01-01' + i * interval '1 minute', '["a"]'
  from generate_series(1, 50000) i;
analyze public.bench_news;
notify pgrst;`;

const predictionsSql = (userId: string) => `
insert into public.user_predictions (user_id, cryptocurrency, model, data)
  select '${userId}', 'BTC', 'kat1', (select jsonb_agg(jsonb_build_object('time', 1700000000 + i * 60,
    'open', 60000 + i / 7.0 + g, 'high', 60010 + i / 7.0 + g, 'low', 59990 + i / 7.0 + g, 'close', 60001 + i / 7.0 + g,
    'volume', i * g / 3.0)) from generate_series(1, 200) i)
  from generate_series(1, 200) g`;

type Pairs = [string, string][];
type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** A query near the bounds: many filters, the longest column, a total, an order without an index. */
function randomShape(random: Random): { relation: string; pairs: Pairs; hasTotal: boolean } {
  const hasTotal = random() < 0.7;
  if (random() < 0.15) {
    const select = pick(random, ['*', '*,again:data', 'id,model,created_at']);
    const order: Pairs = random() < 0.5 ? [['order', 'model,cryptocurrency,timeframe,created_at.desc']] : [];
    return { relation: 'user_predictions', pairs: [['select', select], ...order], hasTotal };
  }
  const column = pick(random, ['body', 'body', 'body', 'title', 'site']);
  const patterns = times(pick(random, [0, 1, 4, 4]), (n) => {
    const text = pick(random, ['*zz#*', '*a*b*c*d*e*f*z#z*', '*_a_b_c_*zz#', '________zz#', '*0*1*2*3*4*5*zz#']);
    return `${column}.${pick(random, ['ilike', 'like'])}.${text.replace('#', String(n))}`;
  });
  const others = times(pick(random, [0, 4, 16]), (n) =>
    pick(random, [
      `${column}.neq.x${n}`,
      `score.gt.${1000 + n}`,
      `published_at.lt.2020-01-0${(n % 9) + 1}`,
      `id.in.(${times(60, (k) => k * 97 + n).join(',')})`,
      `${column}.in.(${times(40, (k) => `w${k}${n}`).join(',')})`,
    ]),
  );
  const filters = [...patterns, ...others];
  const pairs: Pairs =
    filters.length === 0 ? [] : [[pick(random, ['or', 'or', 'not.and', 'and']), `(${filters.join(',')})`]];
  if (random() < 0.5)
    pairs.push(['order', pick(random, ['body', 'site,body.desc,title', 'score.desc,published_at,title,body'])]);
  if (random() < 0.3) pairs.push(['offset', '48000']);
  return { relation: 'bench_news', pairs, hasTotal };
}

interface Found {
  ms: number;
  /** Null: larger than an answer may be. */
  answerKb: number | null;
  query: string;
}

async function search(database: Database, caller: DatabaseCaller): Promise<Found[]> {
  const catalogue = await openCatalogue(database);
  const { relations } = await catalogue.current();
  await catalogue.close();
  const random = seededRandom('worst', 1);
  const found: Found[] = [];
  while (found.length < SHAPES) {
    const { relation: name, pairs, hasTotal } = randomShape(random);
    const relation = relations.get(name);
    if (relation === undefined) throw new Error(`${name} is missing`);
    const statement = statementOf(relation, pairs, hasTotal);
    if (statement === null) continue;
    const startedMs = performance.now();
    const answer = await execute(database, caller, statement).catch((error: unknown) => {
      // Too large: refused inside the statement, after its work was done.
      if (error instanceof RestError) return { body: null };
      throw error;
    });
    const ms = Math.round(performance.now() - startedMs);
    const query = `${name}?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}${hasTotal ? ' (counted)' : ''}`;
    const answerKb = answer.body === null ? null : Math.round(answer.body.length / 1024);
    found.push({ ms, answerKb, query: query.slice(0, 200) });
  }
  return found.sort((a, b) => b.ms - a.ms);
}

/** Null for a query outside the bounds. */
function statementOf(relation: Relation, pairs: Pairs, hasTotal: boolean): Statement | null {
  try {
    const tree = parseQuery(pairs);
    const options = {
      body: 'array',
      hasTotal,
      offset: tree.offset ?? 0,
      limit: MAX_ROWS,
      mustBeOneRow: false,
      maxAffected: null,
    } as const;
    return readStatement(relation, tree, options);
  } catch (error) {
    if (error instanceof RestError) return null;
    throw error;
  }
}

async function measure(kind: TestDatabaseKind) {
  const database = await openTestDatabase(kind, { statementLimitMs: UNLIMITED_MS, callerLimitMs: UNLIMITED_MS });
  try {
    const ada = await createDatabaseUser(database, 'ada@example.com');
    await database.transaction(OWNER, async (tx) => {
      await tx.query(NEWS_SQL);
      for (let tenth = 0; tenth < 10; tenth += 1) await tx.query(predictionsSql(ada.id));
      await tx.query('analyze public.user_predictions');
    });
    const found = await search(database, ada.caller);
    const median = found[Math.floor(found.length / 2)]?.ms;
    const over200Ms = found.filter((one) => one.ms > 200).length;
    return { database: kind, shapes: found.length, medianMs: median, over200Ms, worst: found.slice(0, SHOWN) };
  } finally {
    await database.close();
  }
}

const tables: unknown[] = [await measure('pglite')];
const postgres = await startThrowawayPostgres();
if ('skipped' in postgres) console.error(`skipped: PostgreSQL (${postgres.skipped})`);
else {
  process.env.TEST_DATABASE_URL = postgres.url;
  try {
    tables.push(await measure('postgres'));
  } finally {
    await postgres.stop();
  }
}
console.log(JSON.stringify(tables, null, 2));
process.exit(0);
