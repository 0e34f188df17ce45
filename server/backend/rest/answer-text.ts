/**
 * Every statement returns one row: JSON text passed on unparsed, and counts. A forbidden answer fails inside the
 * statement: its writes are undone without a second round trip.
 */
import { MAX_ANSWER_BYTES } from './query/query-tree.ts';

/** `none`: only counts are requested (HEAD, return=minimal). `object`: only the first row. */
export type BodyKind = 'array' | 'object' | 'none';

/** Prefixes of a refusal: a text, followed by the figure, whose cast to a number fails. */
export const NOT_ONE_ROW = '_kat_rows_';
export const TOO_MANY_AFFECTED = '_kat_affected_';
export const TOO_LARGE = '_kat_bytes_';

export interface RowBounds {
  /** Any other number of rows than one is refused. */
  mustBeOneRow: boolean;
  maxAffected: number | null;
}

export const NO_BOUNDS: RowBounds = { mustBeOneRow: false, maxAffected: null };

/** @param parts.ctes `_kat_page` holds the rows. @param parts.merged how many rows of an upsert existed already */
export function answerText(parts: {
  ctes: string;
  body: string;
  rows: string;
  total: string;
  merged?: string | undefined;
}): string {
  const size = 'octet_length(_kat_answer.body)';
  const merged = parts.merged === undefined ? '' : `, ${parts.merged} as merged`;
  return (
    `with ${parts.ctes} ` +
    `select case when ${size} > ${MAX_ANSWER_BYTES} then ('${TOO_LARGE}' || ${size})::int4::text else _kat_answer.body end` +
    ` as body, _kat_answer.rows, _kat_answer.total${merged === '' ? '' : ', _kat_answer.merged'} from ` +
    `(select ${parts.body} as body, ${parts.rows} as rows, ${parts.total} as total${merged} from _kat_page) as _kat_answer`
  );
}

/** @param count  an expression; @param affected  another, if the page holds fewer rows than were changed */
export function rowsText(count: string, { mustBeOneRow, maxAffected }: RowBounds, affected = count): string {
  const refusals = [
    ...(mustBeOneRow ? [`when ${count} <> 1 then ('${NOT_ONE_ROW}' || ${count})::int4`] : []),
    ...(maxAffected === null
      ? []
      : [`when ${affected} > ${maxAffected} then ('${TOO_MANY_AFFECTED}' || ${affected})::int4`]),
  ];
  return refusals.length === 0 ? `${count}::int4` : `case ${refusals.join(' ')} else ${count}::int4 end`;
}

export function bodyText(kind: BodyKind): string {
  // An aggregate, so that a write that affects no row still returns its one row.
  if (kind === 'none') return 'max(null::text)';
  if (kind === 'object') return '(json_agg(_kat_page.*) -> 0)::text';
  return "coalesce(json_agg(_kat_page.*), '[]')::text";
}
