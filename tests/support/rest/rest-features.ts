/**
 * The parts of PostgREST's protocol, with one request for each and whether the gateway supports it. Operators, parameters and
 * preferences come from the gateway's own lists; what only PostgREST has is refused. The contract tests send every request,
 * and the table in docs/http-api.md is printed from this list.
 */

import { OBJECT_TYPE, PREFERENCES, REFUSED_PREFERENCES } from '../../../server/backend/rest/preferences.ts';
import { OPERATORS } from '../../../server/backend/rest/query/filter-grammar.ts';
import { SINGLE_KEYS } from '../../../server/backend/rest/query/grammar.ts';

export interface Feature {
  part: string;
  /** As the table shows it, in Markdown. */
  name: string;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Null: it is supported. */
  refusal: Refusal | null;
}

export interface Refusal {
  status: number;
  code: string;
}

const NOT_UNDERSTOOD: Refusal = { status: 400, code: 'PGRST100' };
const NOTES = '/contract_notes';
const JSON_BODY = { 'content-type': 'application/json' };

type Request = Partial<Pick<Feature, 'method' | 'path' | 'headers' | 'body'>>;

function feature(part: string, name: string, request: Request, refusal: Refusal | null = null): Feature {
  return { part, name, method: 'GET', path: NOTES, headers: {}, body: null, ...request, refusal };
}

export const code = (text: string) => `\`${text}\``;

/** Every operator of PostgREST with a valid value. */
const OPERATOR_VALUES: Readonly<Record<string, [column: string, value: string]>> = {
  ...Object.fromEntries(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'].map((operator) => [operator, ['score', '1']])),
  like: ['title', 'a*'],
  ilike: ['title', 'A*'],
  is: ['score', 'null'],
  in: ['score', '(1,2)'],
  isdistinct: ['score', '1'],
  match: ['title', '^a'],
  imatch: ['title', '^A'],
  ...Object.fromEntries(['fts', 'plfts', 'phfts', 'wfts'].map((operator) => [operator, ['title', 'alpha']])),
  cs: ['data', '{"a":1}'],
  cd: ['data', '{"a":1}'],
  ...Object.fromEntries(['ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'].map((operator) => [operator, ['score', '[1,2]']])),
  'eq(any)': ['score', '{1,2}'],
  'like(all)': ['title', '{a*,b*}'],
};

function query(text: string): Request {
  return { path: `${NOTES}?${text}` };
}

function operators(): Feature[] {
  return Object.entries(OPERATOR_VALUES).map(([operator, [column, value]]) => {
    const request = query(`${column}=${operator}.${encodeURIComponent(value)}`);
    return feature('Filters', code(operator), request, OPERATORS.includes(operator) ? null : NOT_UNDERSTOOD);
  });
}

/** One request for each parameter. */
const PARAMETERS: Readonly<Record<string, Request>> = {
  select: query('select=title,again:score'),
  order: query('order=score.desc.nullslast,title'),
  limit: query('limit=1'),
  offset: query('offset=1'),
  columns: { method: 'POST', path: `${NOTES}?columns=title`, headers: JSON_BODY, body: '[]' },
  on_conflict: {
    method: 'POST',
    path: `${NOTES}?on_conflict=id`,
    headers: { ...JSON_BODY, prefer: 'resolution=merge-duplicates' },
    body: '[]',
  },
};

function parameters(): Feature[] {
  return [...SINGLE_KEYS].map((name) => {
    const request = PARAMETERS[name];
    if (request === undefined) throw new Error(`the parameter ${name} has no request that tries it`);
    return feature('Parameters', code(`${name}=`), request);
  });
}

const WRITE: Request = { method: 'PATCH', path: `${NOTES}?id=eq.0`, headers: JSON_BODY, body: '{}' };

function preferences(): Feature[] {
  const followed = Object.entries(PREFERENCES).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  return [
    ...followed.map((text) => {
      const request: Request = text.startsWith('resolution=')
        ? { method: 'POST', headers: { ...JSON_BODY, prefer: text }, body: '[]' }
        : { ...WRITE, headers: { ...JSON_BODY, prefer: text } };
      return feature('`Prefer`', code(text), request);
    }),
    feature('`Prefer`', '`max-affected=` with `handling=strict`', {
      ...WRITE,
      headers: { ...JSON_BODY, prefer: 'handling=strict, max-affected=1' },
    }),
    feature('`Prefer`', 'unknown ones are ignored', { headers: { prefer: 'wait=10' } }),
    ...REFUSED_PREFERENCES.map((text) => {
      const prefer = text.endsWith('=') ? `${text}UTC` : text;
      return feature('`Prefer`', code(text), { ...WRITE, headers: { ...JSON_BODY, prefer } }, NOT_UNDERSTOOD);
    }),
    feature(
      '`Prefer`',
      'unknown ones with `handling=strict`',
      { headers: { prefer: 'handling=strict, wait=10' } },
      { status: 400, code: 'PGRST122' },
    ),
  ];
}

const NOT_ACCEPTABLE: Refusal = { status: 406, code: 'PGRST107' };
const MEDIA_TYPES: readonly [name: string, accept: string, refusal: Refusal | null][] = [
  ['application/json', 'application/json', null],
  [OBJECT_TYPE, OBJECT_TYPE, null],
  ['…;nulls=stripped', 'application/vnd.pgrst.array+json;nulls=stripped', NOT_ACCEPTABLE],
  ['text/csv', 'text/csv', NOT_ACCEPTABLE],
  ['application/geo+json', 'application/geo+json', NOT_ACCEPTABLE],
  ['application/vnd.pgrst.plan+json', 'application/vnd.pgrst.plan+json', NOT_ACCEPTABLE],
];

const ROW = '{"title":"alpha"}';

const BODIES: readonly [name: string, type: string, refusal: Refusal | null][] = [
  ['`application/json`', 'application/json', null],
  ['`text/csv`', 'text/csv', { status: 415, code: 'PGRST102' }],
  ['forms', 'application/x-www-form-urlencoded', { status: 415, code: 'PGRST102' }],
];

export const FEATURES: readonly Feature[] = [
  feature('Methods', '`GET`', {}),
  feature('Methods', '`HEAD`', { method: 'HEAD' }),
  feature('Methods', '`POST`', { method: 'POST', headers: JSON_BODY, body: '[]' }),
  feature('Methods', '`PATCH`', WRITE),
  feature('Methods', '`DELETE`', { method: 'DELETE', path: `${NOTES}?id=eq.0` }),
  feature('Methods', '`PUT`', { method: 'PUT', headers: JSON_BODY, body: '{}' }, { status: 405, code: 'PGRST117' }),
  feature('Methods', '`PATCH` and `DELETE` without a filter', { method: 'DELETE' }, { status: 400, code: '21000' }),
  ...parameters(),
  feature('Parameters', '`Range`', { headers: { range: '0-1' } }),
  feature('Parameters', 'embedded tables', query('select=title,contract_states(*)'), NOT_UNDERSTOOD),
  feature('Parameters', 'spread tables', query('select=title,...contract_states(count)'), NOT_UNDERSTOOD),
  feature('Parameters', 'casts', query('select=score::text'), NOT_UNDERSTOOD),
  feature('Parameters', 'JSON paths', query('select=data->a'), NOT_UNDERSTOOD),
  feature('Parameters', 'aggregates', query('select=score.sum()'), NOT_UNDERSTOOD),
  feature('Parameters', 'parameters of embedded tables', query('contract_states.limit=1'), NOT_UNDERSTOOD),
  feature('Parameters', '`offset=` below 0', query('offset=-1')),
  feature('Parameters', '`limit=` below 0', query('limit=-1'), { status: 416, code: 'PGRST103' }),
  feature('Parameters', '`limit=` and `offset=` that are no number', query('limit=ten'), NOT_UNDERSTOOD),
  feature('Parameters', '`on_conflict=` without `resolution=`, ignored', {
    method: 'POST',
    path: `${NOTES}?on_conflict=id`,
    headers: JSON_BODY,
    body: '[]',
  }),
  feature(
    'Parameters',
    '`limit=` and `offset=` of a write',
    { method: 'DELETE', path: `${NOTES}?id=eq.0&limit=1&order=id` },
    NOT_UNDERSTOOD,
  ),
  ...operators(),
  feature('Filters', '`not.`', query('score=not.eq.1')),
  feature('Filters', '`and=`', query('and=(score.gt.1,score.lt.3)')),
  feature('Filters', '`or=`', query('or=(score.eq.1,not.and(score.gt.1,score.lt.3))')),
  feature('Filters', 'comparisons of JSON', query('data=eq.{}'), NOT_UNDERSTOOD),
  ...preferences(),
  ...MEDIA_TYPES.map(([name, accept, refusal]) =>
    feature('`Accept`', code(name), { path: `${NOTES}?title=eq.alpha`, headers: { accept } }, refusal),
  ),
  ...BODIES.map(([name, type, refusal]) =>
    feature('Bodies', name, { method: 'POST', headers: { 'content-type': type }, body: '[]' }, refusal),
  ),
  feature('Bodies', '`PATCH` with an array of one', { ...WRITE, body: `[${ROW}]` }),
  feature(
    'Bodies',
    '`PATCH` with an array of several',
    { ...WRITE, body: `[${ROW},${ROW}]` },
    { status: 400, code: 'PGRST102' },
  ),
  feature('Schemas', '`public`', { headers: { 'accept-profile': 'public' } }),
  feature('Schemas', 'others', { headers: { 'accept-profile': 'private' } }, { status: 406, code: 'PGRST106' }),
  feature('Schemas', 'their description', { path: '/' }, { status: 404, code: 'PGRST125' }),
  feature('Functions', '`POST`', { method: 'POST', path: '/rpc/contract_add', headers: JSON_BODY, body: '{"a":1}' }),
  feature('Functions', '`GET` of one that only reads', { path: '/rpc/contract_add?a=1' }),
  feature('Functions', 'parameters and filters of their rows', { path: '/rpc/contract_series?p_to=3&n=gt.1&order=n' }),
  feature(
    'Functions',
    '`GET` of one that may write',
    { path: '/rpc/contract_write?p_title=x' },
    { status: 405, code: '25006' },
  ),
  feature(
    'Functions',
    'unnamed arguments',
    { method: 'POST', path: '/rpc/contract_add', headers: JSON_BODY, body: '[1]' },
    { status: 400, code: 'PGRST102' },
  ),
];
