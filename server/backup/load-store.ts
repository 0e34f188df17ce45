/**
 * Loads rows into a newly created schema unchanged, without triggers or references getting in the way. References are
 * dropped and created again, which checks each of them; no superuser is needed.
 */
import * as z from 'zod/mini';
import type { Transaction } from '../platform/database/database.ts';
import { type CopiedSequence, type CopiedTable, quoted, setFormats, tablesOf } from './table-store.ts';

const referenceSchema = z.object({ table: z.string(), name: z.string(), definition: z.string() });

/** Counts anything a user has created there, so that no data is overwritten. */
export async function isEmptyDatabase(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query(`
    select not exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
           and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
      and not exists (select from pg_namespace where nspname in ('auth', 'storage', 'private')) as is_empty`);
  return row?.is_empty === true;
}

/** @param fill uses `insertRows`. @throws SqlError for a broken reference; the transaction then leaves nothing */
export async function loading(
  tx: Transaction,
  sequences: readonly CopiedSequence[],
  fill: () => Promise<void>,
): Promise<void> {
  await setFormats(tx);
  const tables = await tablesOf(tx);
  const references = await referencesOf(tx);
  for (const { table, name } of references) await tx.query(`alter table ${table} drop constraint ${quoted(name)}`);
  const triggered = [...tables.map(({ name }) => name), ...(await partitionsOf(tx))];
  for (const name of triggered) await tx.query(`alter table ${name} disable trigger user`);
  // Removes the migrations' own rows: the copy contains them too, unchanged.
  await tx.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  await fill();
  for (const { name, lastValue, isCalled } of sequences)
    await tx.query('select setval($1::text::regclass, $2::bigint, $3::boolean)', [name, lastValue, isCalled]);
  for (const name of [...triggered, ...(await partitionsOf(tx))])
    await tx.query(`alter table ${name} enable trigger user`);
  for (const { table, name, definition } of references)
    await tx.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  await tx.query('analyze');
}

/** Partitions created by the numbers in their rows, as their count is unknown. Candles have a default partition. */
const NUMBERED = ['private.track_records', 'private.track_scores'];

/** A schema of an older release lacks these partitions. */
async function makeRoom(tx: Transaction, { columns }: CopiedTable, values: string): Promise<void> {
  const [found] = await tx.query(
    "select to_regprocedure('private.make_track_partitions(bigint)') is not null as is_there",
  );
  if (found?.is_there !== true) return;
  const place = columns.findIndex(({ name }) => name === 'seq');
  await tx.query(
    `select private.make_track_partitions(max((r ->> ${place})::bigint)) from pg_catalog.jsonb_array_elements($1::jsonb) as e (r)`,
    [values],
  );
}

export async function insertRows(tx: Transaction, table: CopiedTable, lines: readonly string[]): Promise<void> {
  const { name, columns } = table;
  const rows = `[${lines.join(',')}]`;
  if (NUMBERED.includes(name)) await makeRoom(tx, table, rows);
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const values = columns.map(({ type }, i) => `(r ->> ${i})::${type}`).join(', ');
  await tx.query(
    `insert into ${name} (${names}) overriding system value
     select ${values} from pg_catalog.jsonb_array_elements($1::jsonb) as e (r)`,
    [rows],
  );
}

async function partitionsOf(tx: Transaction): Promise<string[]> {
  const rows = await tx.query(`
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relispartition and c.relkind = 'r' and n.nspname in ('auth', 'storage', 'public', 'private')
     order by 1`);
  return z
    .array(z.object({ name: z.string() }))
    .parse(rows)
    .map(({ name }) => name);
}

async function referencesOf(tx: Transaction): Promise<z.infer<typeof referenceSchema>[]> {
  const rows = await tx.query(`
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as table, k.conname as name,
           pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and n.nspname in ('auth', 'storage', 'public', 'private')
     order by k.oid`);
  return z.array(referenceSchema).parse(rows);
}
