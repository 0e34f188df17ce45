/** Prints a query tree in the REST grammar. Tests parse the text again and expect the same tree. */
import type { Filter, QueryTree } from '../query/query-tree.ts';

export function queryText(tree: QueryTree): [string, string][] {
  const pairs: [string, string][] = [];
  if (tree.select !== null) {
    const items = tree.select.map(({ column, alias }) => {
      const name = column === '*' ? '*' : quoted(column);
      return alias === null ? name : `${quoted(alias)}:${name}`;
    });
    pairs.push(['select', items.join(',')]);
  }
  for (const filter of tree.filters) pairs.push(filterText(filter));
  if (tree.order.length > 0) {
    const terms = tree.order.map(
      ({ column, direction, nulls }) => `${quoted(column)}.${direction}${nulls === null ? '' : `.nulls${nulls}`}`,
    );
    pairs.push(['order', terms.join(',')]);
  }
  if (tree.limit !== null) pairs.push(['limit', String(tree.limit)]);
  if (tree.offset !== null) pairs.push(['offset', String(tree.offset)]);
  if (tree.columns !== null) pairs.push(['columns', tree.columns.map(quoted).join(',')]);
  if (tree.onConflict !== null) pairs.push(['on_conflict', tree.onConflict.map(quoted).join(',')]);
  return pairs;
}

function filterText(filter: Filter): [string, string] {
  const not = filter.isNegated ? 'not.' : '';
  switch (filter.kind) {
    case 'group':
      return [`${not}${filter.join}`, `(${filter.members.map(innerText).join(',')})`];
    case 'compare':
      return [quoted(filter.column), `${not}${filter.operator}.${filter.value}`];
    case 'is':
      return [quoted(filter.column), `${not}is.${filter.value}`];
    case 'in':
      return [quoted(filter.column), `${not}in.(${filter.values.map(quoted).join(',')})`];
  }
}

function innerText(filter: Filter): string {
  const [key, text] = filterText(filter);
  if (filter.kind === 'group') return `${key}${text}`;
  if (filter.kind !== 'compare') return `${key}.${text}`;
  return `${key}.${filter.isNegated ? 'not.' : ''}${filter.operator}.${quoted(filter.value)}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
