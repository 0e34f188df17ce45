/**
 * Opens an embedded database, prints what it holds as one line of JSON, and then writes with many writers until it is
 * killed. `dataDir firstNumber writers isDurable`. Each acknowledged number is appended to the file `acknowledged`.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER } from '../../../server/platform/database/database.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../../server/platform/database/pglite/pglite-database.ts';
import { pgliteTemplate, testLimits } from '../database/database.ts';

const [dataDir = '', first = '0', writers = '32', isDurable = 'on'] = process.argv.slice(2);
/** Both write and sync files besides the log. */
const CHECKPOINT_EVERY = 150;
const CHECKPOINT_AT = 30;
const VACUUM_EVERY = 1000;
/** In the middle of a round of 200 writes, and not in the small sample of every day. */
const VACUUM_AT = 120;

const TABLES = `
  create extension if not exists amcheck;
  create table if not exists public.journal (n int primary key, payload text not null);
  create table if not exists public.total (n int not null);
  insert into public.total select 0 where not exists (select from public.total)`;
/** Each number has its own payload. */
const PAYLOAD = (number: string) => `repeat(md5(${number}::text), 1 + ${number} % 97)`;
/** Finds a row without its index entry. */
const CHECKS = `
  do $$ declare index regclass; begin
    for index in select c.oid from pg_class c join pg_am m on m.oid = c.relam
                  where m.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p' loop
      perform bt_index_check(index, true);
    end loop;
  end $$`;

const database = await openPgliteDatabase({
  ...testLimits(),
  dataDir,
  isDurable: isDurable === 'on',
  dumpFile: await pgliteTemplate(),
  extensions: {
    amcheck: { moduleUrl: import.meta.resolve('@electric-sql/pglite/contrib/amcheck'), exportName: 'amcheck' },
  },
});
await database.transaction(OWNER, (tx) => tx.query(TABLES), { statementLimitMs: 0 });
console.log(JSON.stringify(await inspect(database)));
const acknowledged = openSync(join(dataDir, 'acknowledged'), 'a');
let next = Number(first);
await Promise.all(Array.from({ length: Number(writers) }, write));

async function inspect(opened: PgliteDatabase): Promise<{ stored: unknown[]; broken: string[] }> {
  const broken: string[] = [];
  const note = (error: unknown) => void broken.push(String(error));
  const stored = await opened.query<{ n: number }>(OWNER, 'select n from public.journal order by n');
  const wrong = `select n from public.journal where payload <> ${PAYLOAD('n')}`;
  for (const row of await opened.query<{ n: number }>(OWNER, wrong)) broken.push(`row ${row.n} has another's content`);
  const [total] = await opened.query<{ n: number }>(OWNER, 'select n from public.total');
  if (total?.n !== stored.length) broken.push(`${stored.length} rows, but a total of ${total?.n}`);
  await opened.transaction(OWNER, (tx) => tx.query(CHECKS), { statementLimitMs: 0 }).catch(note);
  const heap = "select msg from verify_heapam('public.journal'::regclass)";
  for (const row of await opened.query<{ msg: string }>(OWNER, heap)) broken.push(row.msg);
  return { stored: stored.map((row) => row.n), broken };
}

async function write(): Promise<void> {
  while (true) {
    const n = next;
    next += 1;
    await database.transaction(OWNER, async (tx) => {
      await tx.query(`insert into public.journal values ($1::int, ${PAYLOAD('$1::int')})`, [n]);
      await tx.query('update public.total set n = n + 1');
    });
    writeSync(acknowledged, `${n}\n`);
    if (n % CHECKPOINT_EVERY === CHECKPOINT_AT) await database.query(OWNER, 'checkpoint');
    if (n % VACUUM_EVERY === VACUUM_AT) await database.vacuum(new AbortController().signal);
  }
}
