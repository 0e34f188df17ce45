/** What a migrated, empty database holds, and how to restore a used one to that state. */
import type { Row } from '../../../server/platform/database/database.ts';

/** Runs several statements in one text, in one transaction; returns the rows of all of them in order. */
export type RunSql = (text: string) => Promise<Row[]>;

export interface Baseline {
  /** See `schemaOf`. */
  schema: string;
  /** Statements that empty a table and insert its first rows, by its quoted name. */
  restores: ReadonlyMap<string, string>;
  /** Partitions that the migrations made; jobs make more. */
  partitions: ReadonlySet<string>;
  sequencesSql: string;
  /** Names the tables whose rows or row order differ from the baseline. */
  changedSql: string;
}

/** First OID of user objects; PostgreSQL's own have smaller numbers. */
const FIRST_OID = 16_384;

const TABLES_SQL = `
  select format('%I.%I', n.nspname, c.relname) as name, c.relispartition as "isPartition",
    (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`;

const CATALOGUES = [
  ...['pg_proc', 'pg_policy', 'pg_trigger', 'pg_constraint', 'pg_type', 'pg_namespace', 'pg_default_acl'],
  ...['pg_rewrite', 'pg_attrdef', 'pg_extension', 'pg_event_trigger', 'pg_statistic_ext', 'pg_publication'],
];

/** How many rows each catalogue has and which transactions wrote them. `pg_class` also changes when rows come and go. */
const SCHEMA_SQL = `select concat_ws(' ',
  ${CATALOGUES.map((name) => `(select count(*) || ':' || sum(xmin::text::int8) from ${name} where oid >= ${FIRST_OID})`).join(', ')},
  (select count(*) || ':' || sum(xmin::text::int8) from pg_attribute where attrelid >= ${FIRST_OID}),
  (select count(*) || ':' || sum(xmin::text::int8) from pg_db_role_setting),
  (select md5(string_agg(concat_ws(' ', oid, relname, relkind, relrowsecurity, relforcerowsecurity, relacl, reloptions,
    relowner, relpersistence), ',' order by oid)) from pg_class where oid >= ${FIRST_OID})) as schema`;

const SEQUENCES_SQL = `select string_agg(format('select setval(%L, %L, %L)', format('%I.%I', schemaname, sequencename),
    coalesce(last_value, start_value), last_value is not null), '; ') as sequences from pg_sequences`;

/** Deleting the rows of a larger table one by one would leave its pages for the next borrower to read. */
const LARGE_BYTES = 1_000_000;
const WITHOUT_TRIGGERS = 'set local session_replication_role = replica';

export async function baselineOf(run: RunSql): Promise<Baseline> {
  const found = await run(TABLES_SQL);
  const tables = found.filter(({ isPartition }) => isPartition !== true);
  const rowsSql = tables.map(({ name }) => `select ${literal(name)} as name, ${rowsOf(name)} as rows`);
  const firstRows = new Map((await run(rowsSql.join(' union all '))).map(({ name, rows }) => [name, rows]));
  const checks: string[] = [];
  const restores = new Map<string, string>();
  for (const { name, columns } of tables) {
    const rows = firstRows.get(name) ?? null;
    const isChanged =
      rows === null ? `exists (select from ${name})` : `${rowsOf(name)} is distinct from ${literal(rows)}`;
    checks.push(`(${literal(name)}, ${isChanged})`);
    const insert = `insert into ${name} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${name}, ${literal(rows)}::jsonb)`;
    restores.set(String(name), rows === null ? `delete from ${name}` : `delete from ${name}; ${insert}`);
  }
  return {
    schema: await schemaOf(run),
    restores,
    partitions: new Set(found.filter(({ isPartition }) => isPartition === true).map(({ name }) => String(name))),
    sequencesSql: String((await run(SEQUENCES_SQL))[0]?.sequences),
    changedSql: `select name, ${sizeOf('name')} > ${LARGE_BYTES} as "isLarge"
      from (values ${checks.join(', ')}) as t (name, is_changed) where is_changed`,
  };
}

/** @returns false if the schema has changed: restoring rows would not be enough */
export async function restoreBaseline(run: RunSql, baseline: Baseline): Promise<boolean> {
  await run('reset all; unlisten *; discard temp');
  const tables = await run(TABLES_SQL);
  const added = tables.filter(
    ({ name, isPartition }) => isPartition === true && !baseline.partitions.has(String(name)),
  );
  if (added.length > 0) await run(`drop table ${added.map(({ name }) => name).join(', ')}`);
  if ((await schemaOf(run)) !== baseline.schema) return false;

  let changed = await run(baseline.changedSql);
  const large = changed.filter(({ isLarge }) => isLarge === true);
  if (large.length > 0) {
    await run(`${WITHOUT_TRIGGERS}; truncate ${large.map(({ name }) => name).join(', ')} cascade`);
    changed = await run(baseline.changedSql);
  }
  const restores = changed.map(({ name }) => baseline.restores.get(String(name)));
  await run([WITHOUT_TRIGGERS, ...restores, baseline.sequencesSql].join('; '));
  return true;
}

/** Text that changes with any change of a table, function, policy, trigger, grant or type. */
export async function schemaOf(run: RunSql): Promise<string> {
  return String((await run(SCHEMA_SQL))[0]?.schema);
}

/** Null for an empty table. In storage order: a row that was changed and changed back moves to another place. */
function rowsOf(table: unknown): string {
  return `(select jsonb_agg(to_jsonb(t) order by t.ctid)::text from ${table} t)`;
}

function sizeOf(name: string): string {
  const ofPartitions = `(select sum(pg_relation_size(relid)) from pg_partition_tree(${name}::regclass))`;
  return `coalesce(${ofPartitions}, pg_relation_size(${name}::regclass))`;
}

function literal(text: unknown): string {
  return `'${String(text).replaceAll("'", "''")}'`;
}
