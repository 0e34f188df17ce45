/**
 * One SQL statement a request: it filters, counts and builds the JSON answer, which passes through as text. Names of
 * its own begin with `_kat_` so that no column can be mistaken for them.
 */
import { answerText, type BodyKind, bodyText, rowsText } from './answer-text.ts';
import type { Relation } from './catalogue.ts';
import { columnOf, identifier, orderText, Parameters, selectText, whereText } from './conditions.ts';
import { MAX_ROWS, type QueryTree } from './query-tree.ts';
import { RestError } from './rest-error.ts';

export interface Statement {
  text: string;
  params: readonly string[];
  /** Of a procedure that says it needs more time than strangers' statements have. */
  limitMs?: number;
}

export interface ReadOptions {
  body: BodyKind;
  hasTotal: boolean;
  offset: number;
  limit: number;
  /** Anything but one row is refused, inside the statement. */
  mustBeOneRow: boolean;
}

export function qualified(relation: { name: string }): string {
  return `public.${identifier(relation.name)}`;
}

export function readStatement(relation: Relation, tree: QueryTree, options: ReadOptions): Statement {
  const parameters = new Parameters();
  const from = `from ${qualified(relation)} as target${whereText(tree.filters, relation, parameters)}`;
  const page =
    `select ${selectText(tree.select, relation, 'target')} ${from}${orderText(tree.order, relation)}` +
    ` limit ${parameters.bind(String(options.limit), 'int8')} offset ${parameters.bind(String(options.offset), 'int8')}`;
  const total = options.hasTotal ? `(select count(*) ${from})::text` : 'null::text';
  return {
    text: answerText({
      ctes: `_kat_page as (${page})`,
      body: bodyText(options.body),
      rows: rowsText('count(*)', options.mustBeOneRow),
      total,
    }),
    params: parameters.values,
  };
}

export interface WriteOptions {
  body: BodyKind;
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
}

/** @param rows the body as a JSON array's text; @param columns which of its keys are written */
export function insertStatement(
  relation: Relation,
  tree: QueryTree,
  rows: { text: string; columns: readonly string[] },
  options: WriteOptions,
): Statement {
  const parameters = new Parameters();
  const names = rows.columns.map((name) => identifier(columnOf(relation, name).name));
  const values =
    names.length === 0
      ? 'default values'
      : `(${names.join(', ')}) select ${names.map((name) => `_kat_rows.${name}`).join(', ')} ` +
        `from json_populate_recordset(null::${qualified(relation)}, ${parameters.bind(rows.text, 'json')}) as _kat_rows`;
  const write = `insert into ${qualified(relation)} as target ${values}${conflictText(relation, tree, names, options)}`;
  return writeStatement(write, relation, tree, options, parameters);
}

function conflictText(relation: Relation, tree: QueryTree, names: readonly string[], options: WriteOptions): string {
  const keys = tree.onConflict ?? relation.primaryKey;
  if (options.resolution === null || keys.length === 0) return '';
  const target = keys.map((name) => identifier(columnOf(relation, name).name)).join(', ');
  if (options.resolution === 'ignore-duplicates' || names.length === 0) return ` on conflict (${target}) do nothing`;
  const sets = names.map((name) => `${name} = excluded.${name}`).join(', ');
  return ` on conflict (${target}) do update set ${sets}`;
}

export function updateStatement(
  relation: Relation,
  tree: QueryTree,
  row: { text: string; columns: readonly string[] },
  options: WriteOptions,
): Statement {
  requireFilters(tree, 'UPDATE');
  const parameters = new Parameters();
  const names = row.columns.map((name) => identifier(columnOf(relation, name).name));
  const write =
    `update ${qualified(relation)} as target set ${names.map((name) => `${name} = _kat_row.${name}`).join(', ')} ` +
    `from json_populate_record(null::${qualified(relation)}, ${parameters.bind(row.text, 'json')}) as _kat_row` +
    whereText(tree.filters, relation, parameters);
  return writeStatement(write, relation, tree, options, parameters);
}

export function deleteStatement(relation: Relation, tree: QueryTree, options: WriteOptions): Statement {
  requireFilters(tree, 'DELETE');
  const parameters = new Parameters();
  const write = `delete from ${qualified(relation)} as target${whereText(tree.filters, relation, parameters)}`;
  return writeStatement(write, relation, tree, options, parameters);
}

function requireFilters(tree: QueryTree, verb: string): void {
  if (tree.filters.length === 0) throw new RestError(400, '21000', `${verb} requires a WHERE clause`);
}

/** Without a body nothing is read back: a writer need not be allowed to read. */
function writeStatement(
  write: string,
  relation: Relation,
  tree: QueryTree,
  options: WriteOptions,
  parameters: Parameters,
): Statement {
  const returning = options.body === 'none' ? '1' : selectText(tree.select, relation, 'target');
  const total = '(select count(*) from _kat_written)';
  return {
    text: answerText({
      ctes: `_kat_written as (${write} returning ${returning}), _kat_page as (select * from _kat_written limit ${MAX_ROWS})`,
      body: bodyText(options.body),
      rows: rowsText(total, options.body === 'object'),
      total: `${total}::text`,
    }),
    params: parameters.values,
  };
}
