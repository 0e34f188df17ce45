import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

/** Addresses without a trailing slash. */
export interface RestBenchPlaces {
  kat: string;
  /** GET /select and POST /rpc under the same role and claims. */
  underRole: string;
  /** The same by the login alone. */
  bareSql: string;
  anonKey: string;
  accessToken: string;
  userId: string;
}

export const BENCH_SQL = `
create table public.bench_notes (
  id bigint primary key generated always as identity, user_id uuid not null, title text not null, score integer,
  made_at timestamptz not null default now());
create index on public.bench_notes (user_id, score desc);
alter table public.bench_notes enable row level security;
revoke all on public.bench_notes from anon, authenticated;
grant select on public.bench_notes to authenticated;
create policy "owners read" on public.bench_notes for select to authenticated using (user_id = (select auth.uid()));
create function public.bench_latest(p_count integer) returns table (id bigint, title text, score integer)
  language sql stable set search_path = '' as $$
    select n.id, n.title, n.score from public.bench_notes n where n.user_id = (select auth.uid())
    order by n.score desc limit p_count $$;
grant execute on function public.bench_latest to authenticated;
notify pgrst;
`;

/** 200 rows of the user, 1,800 of others. */
export function benchRowsSql(userId: string): string {
  return `
insert into public.bench_notes (user_id, title, score)
  select case when i % 10 = 0 then '${userId}'::uuid else gen_random_uuid() end, 'note ' || i, i % 97
    from generate_series(1, 2000) i;
analyze public.bench_notes;`;
}

/** Names the owner, so that a login without policies reads the same rows. */
export function selectQuery(userId: string): string {
  return `select=id,title,score,made_at&user_id=eq.${userId}&score=gte.10&order=score.desc&limit=20`;
}

export interface RunningBenchServer {
  places: RestBenchPlaces;
  pid: number;
  stop(): Promise<void>;
}

/** @param databaseUrl null: PGlite */
export async function startBenchServer(databaseUrl: string | null): Promise<RunningBenchServer> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'rest-server.ts'), {
    env: { ...process.env, BENCH_DATABASE_URL: databaseUrl ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [places] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the server under load ended');
    }),
  ])) as [RestBenchPlaces];
  return {
    places,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

export interface Call {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** Sends one request over a kept-alive connection. @returns milliseconds until the answer had arrived */
export function send(agent: Agent, call: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const out = request(call.url, { agent, method: call.method ?? 'GET', headers: call.headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => {
        // 206: a page of a counted result.
        if (answer.statusCode === 200 || answer.statusCode === 206) resolve(performance.now() - startedMs);
        else reject(new Error(`${call.url}: ${answer.statusCode} ${text.slice(0, 500)}`));
      });
    });
    out.on('error', reject);
    out.end(call.body);
  });
}

export function connections(count: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: count });
}

export function percentile(tookMs: readonly number[], share: number): number {
  const sorted = [...tookMs].sort((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
