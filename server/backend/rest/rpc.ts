import { answerText, bodyText, rowsText } from './answer-text.ts';
import { type Catalogue, EXPOSED_SCHEMA, type Procedure } from './catalogue.ts';
import { nearestName } from './near-name.ts';
import {
  columnOf,
  identifier,
  orderText,
  qualifiedName,
  type ReadOptions,
  SqlParameters,
  type Statement,
  selectText,
  whereText,
} from './query/conditions.ts';
import type { QueryTree } from './query/query-tree.ts';
import { notUnderstood, RestError } from './rest-error.ts';

/** `json`: the body's text, an object. `text`: the query string's pairs. */
export type Arguments =
  | { kind: 'json'; names: readonly string[]; text: string }
  | { kind: 'text'; names: readonly string[]; values: ReadonlyMap<string, string> };

/** @throws RestError 404 PGRST202 when none fits, 300 PGRST203 when several do */
export function chooseProcedure(catalogue: Catalogue, name: string, supplied: readonly string[]): Procedure {
  const overloads = catalogue.procedures.get(name) ?? [];
  const fitting = overloads.filter(
    (procedure) =>
      supplied.every((argument) => procedure.args.some((arg) => arg.name === argument)) &&
      procedure.args.every((arg) => !arg.isRequired || supplied.includes(arg.name)),
  );
  const [procedure, another] = fitting;
  const shown = `${EXPOSED_SCHEMA}.${name.slice(0, 63)}`;
  const list = supplied.slice(0, 20).join(', ');
  if (procedure === undefined) {
    const near = nearCall(catalogue, name, overloads, supplied);
    throw new RestError(404, 'PGRST202', `Could not find the function ${shown}(${list}) in the schema cache`, {
      details: `Searched for the function ${shown} ${
        supplied.length === 0 ? 'without parameters' : `with parameters ${list}`
      }, but no matches were found in the schema cache.`,
      ...(near !== null && { hint: `Perhaps you meant to call the function ${EXPOSED_SCHEMA}.${near}` }),
    });
  }
  if (another !== undefined)
    throw new RestError(300, 'PGRST203', `Could not choose the best candidate function for ${shown}(${list})`);
  return procedure;
}

/** A function of a similar name; or, of this name, the similar list of arguments, by name and in order. */
function nearCall(
  catalogue: Catalogue,
  name: string,
  overloads: readonly Procedure[],
  supplied: readonly string[],
): string | null {
  if (overloads.length === 0) return nearestName(name, catalogue.procedures.keys());
  const listOf = (names: readonly string[]) => `(${names.toSorted().join(', ')})`;
  const lists = overloads.map(({ args }) => listOf(args.map((arg) => arg.name)));
  const near = lists.length === 1 ? (lists[0] ?? null) : nearestName(listOf(supplied.slice(0, 20)), lists);
  return near === null ? null : `${name}${near}`;
}

export function callStatement(procedure: Procedure, args: Arguments, tree: QueryTree, options: ReadOptions): Statement {
  const parameters = new SqlParameters();
  const call = callText(procedure, args, parameters);
  if (procedure.returns === 'row') return rowsStatement(procedure, call, tree, options, parameters);
  if (tree.select !== null || tree.filters.length > 0 || tree.order.length > 0)
    throw notUnderstood('a filter on a function without columns', procedure.name);
  const page = procedure.returnsSet
    ? ` limit ${parameters.bind(String(options.limit), 'int8')} offset ${parameters.bind(String(options.offset), 'int8')}`
    : '';
  const rowCount = '(select count(*) from _kat_rows)';
  const isList = procedure.returnsSet && options.body !== 'object';
  const body = isList ? "coalesce(json_agg(_kat_page.value), '[]')::text" : valueText(procedure);
  return {
    text: answerText({
      ctes:
        `_kat_rows as materialized (select target.value ${call.from} as target(value)), ` +
        `_kat_page as (select value from _kat_rows${page})`,
      body: options.body === 'none' ? 'null::text' : body,
      rows: rowsText('count(*)', options, rowCount),
      total: options.hasTotal ? `${rowCount}::text` : 'null::text',
    }),
    params: parameters.values,
  };
}

/** One value: its JSON, or `null` if the function returned nothing. */
function valueText(procedure: Procedure): string {
  if (procedure.returns === 'void') return 'null::text';
  return "coalesce((json_agg(_kat_page.value) -> 0)::text, 'null')";
}

function rowsStatement(
  procedure: Procedure,
  call: { from: string },
  tree: QueryTree,
  options: ReadOptions,
  parameters: SqlParameters,
): Statement {
  const wanted = { procedure, call, tree, options, parameters };
  const filters = whereText(tree.filters, procedure, parameters);
  const { source, ctes } = procedure.isInlined ? inlinedRows(wanted, filters) : materialisedRows(wanted, filters);
  const found = `(select count(*) ${source})`;
  return {
    text: answerText({
      ctes,
      body: bodyText(options.body),
      rows: rowsText('count(*)', options, found),
      total: options.hasTotal ? `${found}::text` : 'null::text',
    }),
    params: parameters.values,
  };
}

interface WantedRows {
  procedure: Procedure;
  call: { from: string };
  tree: QueryTree;
  options: ReadOptions;
  parameters: SqlParameters;
}

/** Evaluates the whole call once: a writing function must not run twice, and filters aren't pushed into it. */
function materialisedRows(wanted: WantedRows, filters: string): { source: string; ctes: string } {
  const source = `from _kat_rows as target${filters}`;
  const ctes = `_kat_rows as materialized (select target.* ${wanted.call.from} as target), _kat_page as (${pageText(wanted, source)})`;
  return { source, ctes };
}

/**
 * Repeats the call wherever it is needed, so each use gets its own plan. With a key, the page's keys are found first,
 * with only the columns to filter and order by; then the rows are read. Rows skipped by an order or an offset are never
 * computed or joined. If rows are both filtered and counted, they are found once for both.
 */
function inlinedRows(wanted: WantedRows, filters: string): { source: string; ctes: string } {
  const { procedure, call, tree, options } = wanted;
  const source = `${call.from} as target${filters}`;
  if (procedure.key === null) return { source, ctes: `_kat_page as (${pageText(wanted, source)})` };
  const key = identifier(columnOf(procedure, procedure.key).name);
  const isFoundOnce = options.hasTotal && filters !== '';
  const found = isFoundOnce ? `_kat_found as materialized (select ${foundText(wanted, key)} ${source}), ` : '';
  const from = isFoundOnce ? 'from _kat_found as target' : source;
  const keys = pageText({ ...wanted, tree: { ...tree, select: [{ column: procedure.key, alias: null }] } }, from);
  const page =
    `select ${selectText(tree.select, procedure, 'target')} ${call.from} as target ` +
    `join _kat_keys on _kat_keys.${key} = target.${key} order by _kat_keys._kat_nth`;
  return {
    source: from,
    ctes: `${found}_kat_keys as materialized (select ${key}, row_number() over () as _kat_nth from (${keys}) as _kat_key), _kat_page as (${page})`,
  };
}

/** The key, and the columns that the rows are ordered by. */
function foundText({ procedure, tree }: WantedRows, key: string): string {
  const ordered = tree.order.map(({ column }) => identifier(columnOf(procedure, column).name));
  return [...new Set([key, ...ordered])].map((name) => `target.${name}`).join(', ');
}

function pageText({ procedure, tree, options, parameters }: WantedRows, source: string): string {
  return (
    `select ${selectText(tree.select, procedure, 'target')} ${source}${orderText(tree.order, procedure)}` +
    ` limit ${parameters.bind(String(options.limit), 'int8')} offset ${parameters.bind(String(options.offset), 'int8')}`
  );
}

function callText(procedure: Procedure, args: Arguments, parameters: SqlParameters): { from: string } {
  const wanted = procedure.args.filter((arg) => args.names.includes(arg.name));
  const target = qualifiedName(procedure);
  if (args.kind === 'text') {
    const list = wanted.map((arg) => {
      const value = parameters.bind(args.values.get(arg.name) ?? '', arg.type);
      return `${identifier(arg.name)} => ${value}`;
    });
    return { from: `from ${target}(${list.join(', ')})` };
  }
  if (wanted.length === 0) return { from: `from ${target}()` };
  const columns = wanted.map((arg) => `${identifier(arg.name)} ${arg.type}`).join(', ');
  const list = wanted.map((arg) => `${identifier(arg.name)} => _kat_args.${identifier(arg.name)}`).join(', ');
  const record = `json_to_record(${parameters.bind(args.text, 'json')}) as _kat_args(${columns})`;
  return { from: `from ${record}, lateral ${target}(${list})` };
}
