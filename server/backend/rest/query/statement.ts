/** One statement per request filters, counts and builds the JSON answer. Internal names start with `_kat_`. */
import { answerText, type BodyKind, bodyText, type RowBounds, rowsText } from '../answer-text.ts';
import type { Relation } from '../catalogue.ts';
import { RestError } from '../rest-error.ts';
import {
  columnOf,
  identifier,
  orderByText,
  orderColumn,
  orderText,
  qualifiedName,
  type ReadOptions,
  SqlParameters,
  type Statement,
  selectedColumns,
  selectText,
  whereText,
  writtenColumn,
} from './conditions.ts';
import { MAX_ROWS, type QueryTree } from './query-tree.ts';

export function readStatement(relation: Relation, tree: QueryTree, options: ReadOptions): Statement {
  const parameters = new SqlParameters();
  const from = `from ${qualifiedName(relation)} as target${whereText(tree.filters, relation, parameters)}`;
  const page =
    `select ${selectText(tree.select, relation, 'target')} ${from}${orderText(tree.order, relation)}` +
    ` limit ${parameters.bind(String(options.limit), 'int8')} offset ${parameters.bind(String(options.offset), 'int8')}`;
  const total = options.hasTotal ? `(select count(*) ${from})::text` : 'null::text';
  return {
    text: answerText({
      ctes: `_kat_page as (${page})`,
      body: bodyText(options.body),
      rows: rowsText('count(*)', options),
      total,
    }),
    params: parameters.values,
  };
}

export interface WriteOptions extends RowBounds {
  body: BodyKind;
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
}

/** @param rows  the body as a JSON array's text, which of its keys are written, and how many rows there are */
export function insertStatement(
  relation: Relation,
  tree: QueryTree,
  rows: { text: string; columns: readonly string[]; count: number },
  options: WriteOptions,
): Statement {
  const parameters = new SqlParameters();
  const names = rows.columns.map((name) => writtenColumn(relation, name));
  const conflict = conflictText(relation, tree, names, options);
  const write = `insert into ${qualifiedName(relation)} as target ${valuesText(relation, names, rows, parameters)}${conflict}`;
  const merged = conflict.endsWith(COUNT_MERGED) ? MERGED : undefined;
  return writeStatement(returningFrom(write), relation, { tree, options, parameters, merged });
}

function valuesText(
  relation: Relation,
  names: readonly string[],
  rows: { text: string; count: number },
  parameters: SqlParameters,
): string {
  // An empty insert still checks the caller's rights.
  if (names.length === 0) return rows.count === 0 ? 'select where false' : 'default values';
  return (
    `(${names.join(', ')}) select ${names.map((name) => `_kat_rows.${name}`).join(', ')} ` +
    `from json_populate_recordset(null::${qualifiedName(relation)}, ${parameters.bind(rows.text, 'json')}) as _kat_rows`
  );
}

/** RETURNING would need the right to read the whole table, so a transaction-local setting counts these rows. */
const MERGED_SO_FAR = "coalesce(nullif(current_setting('kat.merged', true), ''), '0')::int4";
const COUNT_MERGED = ` where set_config('kat.merged', (${MERGED_SO_FAR} + 1)::text, true) is not null`;
const WRITTEN = '(select count(*) from _kat_written)';
/** The condition makes PostgreSQL write all rows before it reads the setting. */
const MERGED = `case when ${WRITTEN} >= 0 then ${MERGED_SO_FAR} end`;

function conflictText(relation: Relation, tree: QueryTree, names: readonly string[], options: WriteOptions): string {
  const keys = tree.onConflict ?? relation.primaryKey;
  if (options.resolution === null || keys.length === 0) return '';
  const target = keys.map((name) => identifier(columnOf(relation, name).name)).join(', ');
  if (options.resolution === 'ignore-duplicates' || names.length === 0) return ` on conflict (${target}) do nothing`;
  const sets = names.map((name) => `${name} = excluded.${name}`).join(', ');
  return ` on conflict (${target}) do update set ${sets}${COUNT_MERGED}`;
}

/** @param row  one object's text and its columns; without columns no row is changed */
export function updateStatement(
  relation: Relation,
  tree: QueryTree,
  row: { text: string; columns: readonly string[] },
  options: WriteOptions,
): Statement {
  const parameters = new SqlParameters();
  const names = row.columns.map((name) => writtenColumn(relation, name));
  if (names.length === 0) {
    const where = whereText(tree.filters, relation, parameters);
    const read = (columns: string) => `select ${columns} from ${qualifiedName(relation)} as target${where} limit 0`;
    return writeStatement(read, relation, { tree, options, parameters });
  }
  requireFilters(tree, 'UPDATE');
  const write =
    `update ${qualifiedName(relation)} as target set ${names.map((name) => `${name} = _kat_row.${name}`).join(', ')} ` +
    `from json_populate_record(null::${qualifiedName(relation)}, ${parameters.bind(row.text, 'json')}) as _kat_row` +
    whereText(tree.filters, relation, parameters);
  return writeStatement(returningFrom(write), relation, { tree, options, parameters });
}

export function deleteStatement(relation: Relation, tree: QueryTree, options: WriteOptions): Statement {
  requireFilters(tree, 'DELETE');
  const parameters = new SqlParameters();
  const write = `delete from ${qualifiedName(relation)} as target${whereText(tree.filters, relation, parameters)}`;
  return writeStatement(returningFrom(write), relation, { tree, options, parameters });
}

function requireFilters(tree: QueryTree, verb: string): void {
  if (tree.filters.length === 0) throw new RestError(400, '21000', `${verb} requires a WHERE clause`);
}

interface WriteParts {
  tree: QueryTree;
  options: WriteOptions;
  parameters: SqlParameters;
  merged?: string | undefined;
}

const returningFrom = (write: string) => (columns: string) => `${write} returning ${columns}`;

/** @param write  returns the statement, given the columns to read back */
function writeStatement(
  write: (returning: string) => string,
  relation: Relation,
  { tree, options, parameters, merged }: WriteParts,
): Statement {
  const { returning, page } = readBack(relation, tree, options.body);
  return {
    text: answerText({
      ctes: `_kat_written as (${write(returning)}), _kat_page as (select ${page} limit ${MAX_ROWS})`,
      body: bodyText(options.body),
      rows: rowsText(WRITTEN, options),
      total: `${WRITTEN}::text`,
      merged,
    }),
    params: parameters.values,
  };
}

/**
 * Without a body nothing is read back, so a writer doesn't need the right to read. Columns are numbered in between,
 * because an answer may contain a name twice, and may be sorted by a column that it doesn't contain.
 */
function readBack(relation: Relation, tree: QueryTree, body: BodyKind): { returning: string; page: string } {
  if (body === 'none') return { returning: '1', page: '* from _kat_written' };
  const columns = selectedColumns(tree.select, relation);
  const returning = [
    ...columns.map(({ column }, nth) => `target.${column} as _kat_${nth}`),
    ...tree.order.map((term, nth) => `${orderColumn(term, relation)} as _kat_by_${nth}`),
  ];
  const page = columns.map(({ name }, nth) => `_kat_written._kat_${nth} as ${name}`).join(', ');
  const order = orderByText(tree.order, (_term, nth) => `_kat_written._kat_by_${nth}`);
  return { returning: returning.join(', '), page: `${page} from _kat_written${order}` };
}
