/** Every name in a request is looked up here, so only existing names reach SQL. Cached until NOTIFY pgrst. */
import * as z from 'zod/mini';
import { type Database, OWNER } from '../../platform/database/database.ts';

export const EXPOSED_SCHEMA = 'public';

/** `type` is ready for a cast: quoted and schema-qualified. */
export interface RelationColumn {
  name: string;
  type: string;
}

export interface Relation {
  name: string;
  columns: ReadonlyMap<string, RelationColumn>;
  primaryKey: readonly string[];
}

export interface Procedure {
  name: string;
  args: readonly { name: string; type: string; isRequired: boolean }[];
  isVolatile: boolean;
  returnsSet: boolean;
  /** PostgreSQL inlines its query into the call, so that filters, order, limit and columns reach inside. */
  isInlined: boolean;
  /** The most rows of one answer: the function's declared ROWS. */
  maxRows: number;
  /** The column that is unique per row, if its comment has `Key: <column>`. */
  key: string | null;
  /** Time limit for a call by a visitor or user, if its comment has `Limit: <number> ms`. */
  limitMs: number | null;
  returns: 'void' | 'value' | 'row';
  columns: ReadonlyMap<string, RelationColumn>;
}

export interface Catalogue {
  relations: ReadonlyMap<string, Relation>;
  procedures: ReadonlyMap<string, readonly Procedure[]>;
}

export interface CatalogueReader {
  current(): Promise<Catalogue>;
  close(): Promise<void>;
}

/** Reads at the first request, and again after each `notify pgrst` (which migrations send). */
export async function openCatalogue(database: Database): Promise<CatalogueReader> {
  let reading: Promise<Catalogue> | null = null;
  const stopListening = await database.listen('pgrst', () => {
    reading = null;
  });

  function current(): Promise<Catalogue> {
    if (reading !== null) return reading;
    const mine = readCatalogue(database).catch((error: unknown) => {
      if (reading === mine) reading = null;
      throw error;
    });
    reading = mine;
    return mine;
  }

  return { current, close: stopListening };
}

const columnSchema = z.object({ name: z.string(), type: z.string() });
const catalogueSchema = z.object({
  relations: z.array(z.object({ name: z.string(), columns: z.array(columnSchema), primaryKey: z.array(z.string()) })),
  procedures: z.array(
    z.object({
      name: z.string(),
      args: z.array(z.object({ name: z.string(), type: z.string(), isRequired: z.boolean() })),
      isVolatile: z.boolean(),
      returnsSet: z.boolean(),
      isInlined: z.boolean(),
      maxRows: z.number(),
      key: z.nullable(z.string()),
      limitMs: z.nullable(z.number()),
      returns: z.enum(['void', 'value', 'row']),
      columns: z.array(columnSchema),
    }),
  ),
});

async function readCatalogue(database: Database): Promise<Catalogue> {
  const rows = await database.query<{ catalogue: string }>(OWNER, CATALOGUE_SQL, [EXPOSED_SCHEMA]);
  const found = catalogueSchema.parse(JSON.parse(z.string().parse(rows[0]?.catalogue)));
  const procedures = new Map<string, Procedure[]>();
  for (const procedure of found.procedures) {
    const overloads = procedures.get(procedure.name) ?? [];
    overloads.push({ ...procedure, columns: byName(procedure.columns) });
    procedures.set(procedure.name, overloads);
  }
  return {
    relations: byName(found.relations.map((relation) => ({ ...relation, columns: byName(relation.columns) }))),
    procedures,
  };
}

function byName<T extends { name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

/** Omits procedures with unnamed, variadic or pseudo-typed arguments, which can't be called by name. */
const CATALOGUE_SQL = `
with type_names as (
  select t.oid, t.typtype, t.typrelid, format('%I.%I', n.nspname, t.typname) as type
  from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
), relation_columns as (
  select a.attrelid, a.attname, a.attnum, tn.type
  from pg_catalog.pg_attribute a join type_names tn on tn.oid = a.atttypid
  where a.attnum > 0 and not a.attisdropped
), relations as (
  select json_build_object(
    'name', c.relname,
    'columns', coalesce((select json_agg(json_build_object('name', rc.attname, 'type', rc.type) order by rc.attnum)
                from relation_columns rc where rc.attrelid = c.oid), '[]'),
    'primaryKey', coalesce((select json_agg(rc.attname order by array_position(i.indkey::int2[], rc.attnum))
                   from pg_catalog.pg_index i join relation_columns rc
                     on rc.attrelid = i.indrelid and rc.attnum = any (i.indkey)
                   where i.indrelid = c.oid and i.indisprimary), '[]')) as relation
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1::text and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
), procedure_args as (
  select p.oid, arg.at, coalesce(p.proargmodes[arg.at]::text, 'i') as mode, coalesce(p.proargnames[arg.at], '') as name,
    tn.type, tn.typtype
  from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    cross join lateral unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as arg (type_oid, at)
    join type_names tn on tn.oid = arg.type_oid
  where n.nspname = $1::text
), procedures as (
  select json_build_object(
    'name', p.proname,
    'args', coalesce((select json_agg(json_build_object('name', i.name, 'type', i.type,
        'isRequired', i.nth <= p.pronargs - p.pronargdefaults) order by i.nth)
      from (select pa.name, pa.type, row_number() over (order by pa.at) as nth
            from procedure_args pa where pa.oid = p.oid and pa.mode in ('i', 'b')) i), '[]'),
    'isVolatile', p.provolatile = 'v',
    'returnsSet', p.proretset,
    'isInlined', p.proretset and l.lanname = 'sql' and p.provolatile <> 'v' and not p.prosecdef and not p.proisstrict
      and p.proconfig is null,
    'maxRows', p.prorows,
    'key', substring(pg_catalog.obj_description(p.oid, 'pg_proc') from '\\mKey: ([a-z_]+)'),
    'limitMs', substring(pg_catalog.obj_description(p.oid, 'pg_proc') from '\\mLimit: ([0-9]{1,4}) ms')::int4,
    'returns', case
      when rt.type = 'pg_catalog.void' then 'void'
      when rt.typtype = 'c' or exists (select from procedure_args pa where pa.oid = p.oid and pa.mode in ('o', 'b', 't'))
        then 'row'
      else 'value' end,
    'columns', case when rt.typtype = 'c'
      then coalesce((select json_agg(json_build_object('name', rc.attname, 'type', rc.type) order by rc.attnum)
            from relation_columns rc where rc.attrelid = rt.typrelid), '[]')
      else coalesce((select json_agg(json_build_object('name', pa.name, 'type', pa.type) order by pa.at)
            from procedure_args pa where pa.oid = p.oid and pa.mode in ('o', 'b', 't')), '[]') end) as procedure
  from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_language l on l.oid = p.prolang
    join type_names rt on rt.oid = p.prorettype
  where n.nspname = $1::text and p.prokind = 'f' and p.provariadic = 0
    and rt.type not in ('pg_catalog.trigger', 'pg_catalog.event_trigger')
    and not exists (select from procedure_args pa
      where pa.oid = p.oid and pa.mode in ('i', 'b') and (pa.name = '' or pa.typtype = 'p'))
)
select json_build_object(
  'relations', coalesce((select json_agg(relation) from relations), '[]'),
  'procedures', coalesce((select json_agg(procedure) from procedures), '[]'))::text as catalogue`;
