/**
 * The one row in which a statement answers: JSON text that passes through unread, how many rows it holds, how many there
 * are. An answer that must not be given (not one row, too many rows, too large) fails inside the statement: what it wrote
 * is undone, and no second round trip has to decide that.
 */
import { MAX_ANSWER_BYTES } from './query/query-tree.ts';

/** `none`: only counts are wanted (HEAD, return=minimal). `object`: the first row alone. */
export type BodyKind = 'array' | 'object' | 'none';

/** What a refusal begins with: a text that is cast to a number and is none, with the figure behind it. */
export const NOT_ONE_ROW = '_kat_rows_';
export const TOO_MANY_AFFECTED = '_kat_affected_';
export const TOO_LARGE = '_kat_bytes_';

/** How many rows an answer must hold, and a write may change. */
export interface RowBounds {
  /** Anything but one row is refused. */
  mustBeOneRow: boolean;
  /** Null without a limit. */
  maxAffected: number | null;
}

export const NO_BOUNDS: RowBounds = { mustBeOneRow: false, maxAffected: null };

/**
 * @param parts.ctes    queries by name, of which `_kat_page` holds the rows; the rest are expressions over it
 * @param parts.merged  how many rows of an upsert existed already
 */
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

/** @param count  an expression; @param affected  another, where the page holds fewer rows than were changed */
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
  // An aggregate, so that a write that touches no row still answers its one row.
  if (kind === 'none') return 'max(null::text)';
  if (kind === 'object') return '(json_agg(_kat_page.*) -> 0)::text';
  return "coalesce(json_agg(_kat_page.*), '[]')::text";
}
