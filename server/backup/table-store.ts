/** Once the session's formats are set, text is exact for each type, and any version can read another's. */
import * as z from 'zod/mini';
import { type Database, OWNER, type Transaction } from '../platform/database/database.ts';
import type { AppliedMigration } from '../platform/database/migration-files.ts';
import { type RowSum, rowSum } from './row-sum.ts';

/** Schemas that the site's migrations create. Roles belong to the server and come with the migrations. */
const SCHEMAS = "('auth', 'storage', 'public', 'private')";

const tableSchema = z.object({
  /** With its schema, quoted where SQL requires it. */
  name: z.string(),
  /** Without generated columns. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});
export type CopiedTable = z.infer<typeof tableSchema>;

const sequenceSchema = z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() });
export type CopiedSequence = z.infer<typeof sequenceSchema>;

const migrationSchema = z.object({ name: z.string(), checksum: z.string() });

/** Rows per fetch: some hundreds of kilobytes with the widest rows. */
const FETCHED_ROWS = 500;

const FORMATS = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local xmlbinary = 'base64'`;

/** Reads one snapshot of the database. The embedded one pauses meanwhile; PostgreSQL continues, unseen here. */
export function atOneMoment<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const options = { statementLimitMs: 0, isOneMoment: true };
  return database.transaction(
    OWNER,
    async (tx) => {
      await setFormats(tx);
      return work(tx);
    },
    options,
  );
}

/** Holds until the transaction ends. */
export async function setFormats(tx: Transaction): Promise<void> {
  await tx.query(FORMATS);
}

/** Ordered by name. A partitioned table counts as one: the database decides how its rows are spread. */
export async function tablesOf(tx: Transaction): Promise<CopiedTable[]> {
  const rows = await tx.query(`
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
           coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
             order by a.attnum) filter (where a.attgenerated = ''), '[]') as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ${SCHEMAS}
     group by n.nspname, c.relname order by n.nspname, c.relname`);
  return z.array(tableSchema).parse(rows);
}

export async function sequencesOf(tx: Transaction): Promise<CopiedSequence[]> {
  const named = z.array(z.object({ name: z.string() })).parse(
    await tx.query(`
      select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'S' and n.nspname in ${SCHEMAS} order by n.nspname, c.relname`),
  );
  const sequences: CopiedSequence[] = [];
  for (const { name } of named) {
    const rows = await tx.query(`select last_value::text as "lastValue", is_called as "isCalled" from ${name}`);
    sequences.push(
      ...z
        .array(z.object({ lastValue: z.string(), isCalled: z.boolean() }))
        .parse(rows)
        .map((row) => ({ name, ...row })),
    );
  }
  return sequences;
}

/** Ordered by name; empty for a foreign database. */
export async function appliedMigrationsOf(tx: Transaction): Promise<AppliedMigration[]> {
  const [found] = await tx.query("select to_regclass('private.schema_migrations') is not null as is_there");
  if (found?.is_there !== true) return [];
  return z
    .array(migrationSchema)
    .parse(await tx.query('select name, checksum from private.schema_migrations order by name collate "C"'));
}

export async function serverVersionOf(tx: Transaction): Promise<string> {
  const [row] = await tx.query("select current_setting('server_version') as version");
  return String(row?.version);
}

/** Yields pages of rows, each a JSON array of texts and nulls in the order of `columns`, without a line break. */
export async function* rowsOf(tx: Transaction, { name, columns }: CopiedTable): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${quoted(column.name)}::text`).join(', ');
  await tx.query(`declare kat_rows no scroll cursor for
    select pg_catalog.to_json(array[${texts}]::text[])::text as line from ${name}`);
  for (;;) {
    const rows = await tx.query<{ line: string }>(`fetch ${FETCHED_ROWS} from kat_rows`);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < FETCHED_ROWS) break;
  }
  await tx.query('close kat_rows');
}

export async function sumOf(tx: Transaction, table: CopiedTable): Promise<RowSum> {
  const sum = rowSum();
  for await (const lines of rowsOf(tx, table)) for (const line of lines) sum.add(line);
  return sum;
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
