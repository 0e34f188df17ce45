/** The contract test fails for a method of a later release of the client library until it is listed here. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Refusal } from './rest-features.ts';

export interface Answer {
  data: unknown;
  error: { code?: string } | null;
  status: number;
  count?: number | null;
}

export interface MethodCase {
  call(client: SupabaseClient): PromiseLike<Answer>;
  /** What `pick` takes from the answer. */
  expected: unknown;
  pick: (answer: Answer) => unknown;
  refusal: Refusal | null;
}

type Notes = ReturnType<SupabaseClient['from']>;
type Rows = ReturnType<Notes['select']>;

const NOT_UNDERSTOOD: Refusal = { status: 400, code: 'PGRST100' };
const NOT_ACCEPTABLE: Refusal = { status: 406, code: 'PGRST107' };

const notesOf = (client: SupabaseClient) => client.from('contract_notes');
const titlesOf = (data: unknown) => (data as { title: string }[]).map(({ title }) => title);

function gives(call: MethodCase['call'], expected: unknown, pick: MethodCase['pick'] = ({ data }) => data): MethodCase {
  return { call, expected, pick, refusal: null };
}

/** Titles of the rows that pass a filter, in alphabetical order. */
function leaves(filter: (rows: Rows) => PromiseLike<Answer>, expected: readonly string[]): MethodCase {
  return gives(
    (client) => filter(notesOf(client).select('title').order('title') as never),
    [...expected].sort(),
    ({ data }) => titlesOf(data).sort(),
  );
}

function refused(call: (rows: Rows) => PromiseLike<Answer>, refusal = NOT_UNDERSTOOD): MethodCase {
  return {
    call: (client) => call(notesOf(client).select('title') as never),
    expected: null,
    pick: () => null,
    refusal,
  };
}

/** maxAffected(), which the library's types allow only for a schema that names PostgREST 13 or later. */
export function atMost<Builder>(rows: number, builder: Builder): Builder {
  return (builder as unknown as { maxAffected(rows: number): Builder }).maxAffected(rows);
}

const ALPHA = 'alpha';
const BETA = 'beta';
const GAMMA = 'gamma, "delta"';
const SURE = '100%_sure';
/** Title or label of every row that a case inserts; the test deletes it afterwards. */
export const WRITTEN = 'by method';
const ONLY_TITLE = [{ title: WRITTEN }];

/** A case that first inserts the row that its call is about. */
function withRow(insert: (client: SupabaseClient) => PromiseLike<Answer>, { call, ...rest }: MethodCase): MethodCase {
  return {
    ...rest,
    async call(client) {
      const { error } = await insert(client);
      if (error !== null) throw new Error(`the row was not inserted: ${error.code}`);
      return call(client);
    },
  };
}

const insertNote = (client: SupabaseClient) => notesOf(client).insert({ title: WRITTEN });
const insertState = (client: SupabaseClient) => client.from('contract_states').insert({ label: WRITTEN, count: 1 });

const READS: Readonly<Record<string, MethodCase>> = {
  from: gives((client) => notesOf(client).select('title').eq('score', 3), [{ title: ALPHA }]),
  schema: gives(
    (client) => client.schema('public').from('contract_notes').select('title').eq('score', 3),
    [{ title: ALPHA }],
  ),
  rpc: gives((client) => client.rpc('contract_add', { a: 1, b: 2 }), 3),
  select: gives(
    (client) => notesOf(client).select('again:title, score', { count: 'exact' }).eq('score', 3),
    [[{ again: ALPHA, score: 3 }], 1],
    ({ data, count }) => [data, count],
  ),
  eq: leaves((rows) => rows.eq('title', GAMMA), [GAMMA]),
  neq: leaves((rows) => rows.neq('score', 1), [ALPHA, GAMMA]),
  gt: leaves((rows) => rows.gt('score', 2), [ALPHA]),
  gte: leaves((rows) => rows.gte('score', 2), [ALPHA, GAMMA]),
  lt: leaves((rows) => rows.lt('score', 2), [BETA]),
  lte: leaves((rows) => rows.lte('score', 2), [BETA, GAMMA]),
  like: leaves((rows) => rows.like('title', '%a'), [ALPHA, BETA]),
  ilike: leaves((rows) => rows.ilike('title', '%A'), [ALPHA, BETA]),
  is: leaves((rows) => rows.is('score', null), [SURE]),
  in: leaves((rows) => rows.in('title', [BETA, 'x,y(z)', GAMMA.replaceAll('"', '\\"')]), [BETA, GAMMA]),
  notIn: leaves((rows) => rows.notIn('score', [1, 2]), [ALPHA]),
  match: leaves((rows) => rows.match({ score: 1, is_open: false }), [BETA]),
  not: leaves((rows) => rows.not('price', 'is', null), [ALPHA, GAMMA, SURE]),
  or: leaves((rows) => rows.or('score.eq.1,and(score.gt.2,is_open.is.true)'), [ALPHA, BETA]),
  filter: leaves((rows) => rows.filter('score', 'in', '( 1, 2 )'), [BETA, GAMMA]),
  order: gives(
    (client) => notesOf(client).select('title').order('score', { ascending: false, nullsFirst: true }),
    [SURE, ALPHA, GAMMA, BETA],
    ({ data }) => titlesOf(data),
  ),
  limit: gives((client) => notesOf(client).select('title').order('score').limit(1), [{ title: BETA }]),
  range: gives(
    (client) => notesOf(client).select('title').order('score').range(1, 2),
    [GAMMA, ALPHA],
    ({ data }) => titlesOf(data),
  ),
  abortSignal: gives(
    (client) => notesOf(client).select('title').eq('score', 3).abortSignal(AbortSignal.timeout(60_000)),
    [{ title: ALPHA }],
  ),
  single: gives((client) => notesOf(client).select('title').eq('score', 3).single(), { title: ALPHA }),
  maybeSingle: gives((client) => notesOf(client).select('title').eq('score', 77).maybeSingle(), null),
  returns: gives(
    (client) => notesOf(client).select('title').eq('score', 3).returns<{ title: string }[]>(),
    [{ title: ALPHA }],
  ),
  overrideTypes: gives(
    (client) => notesOf(client).select('title').eq('score', 3).overrideTypes<{ title: string }[]>(),
    [{ title: ALPHA }],
  ),
  throwOnError: gives((client) => notesOf(client).select('title').eq('score', 3).throwOnError(), [{ title: ALPHA }]),
  setHeader: gives(
    (client) => notesOf(client).select('title').eq('score', 3).setHeader('prefer', 'count=exact'),
    1,
    ({ count }) => count,
  ),
  retry: gives((client) => notesOf(client).select('title').eq('score', 3).retry(false), [{ title: ALPHA }]),
};

const WRITES: Readonly<Record<string, MethodCase>> = {
  insert: gives((client) => notesOf(client).insert({ title: WRITTEN }).select('title'), ONLY_TITLE),
  upsert: gives(
    (client) =>
      client.from('contract_states').upsert({ label: WRITTEN, count: 1 }, { onConflict: 'label' }).select('label'),
    [{ label: WRITTEN }],
  ),
  update: withRow(
    insertNote,
    gives(
      (client) => notesOf(client).update({ score: 7 }, { count: 'exact' }).eq('title', WRITTEN),
      [204, 1],
      ({ status, count }) => [status, count],
    ),
  ),
  maxAffected: withRow(
    insertNote,
    gives(
      (client) => atMost(1, notesOf(client).update({ score: 8 }).eq('title', WRITTEN)).select('score'),
      [{ score: 8 }],
    ),
  ),
  delete: withRow(
    insertNote,
    gives((client) => notesOf(client).delete().eq('title', WRITTEN).select('title'), ONLY_TITLE),
  ),
};

const REFUSED: Readonly<Record<string, MethodCase>> = {
  likeAllOf: refused((rows) => rows.likeAllOf('title', ['a%', '%a'])),
  likeAnyOf: refused((rows) => rows.likeAnyOf('title', ['a%', '%a'])),
  ilikeAllOf: refused((rows) => rows.ilikeAllOf('title', ['a%', '%a'])),
  ilikeAnyOf: refused((rows) => rows.ilikeAnyOf('title', ['a%', '%a'])),
  regexMatch: refused((rows) => rows.regexMatch('title', '^a')),
  regexIMatch: refused((rows) => rows.regexIMatch('title', '^A')),
  isDistinct: refused((rows) => rows.isDistinct('score', 1)),
  contains: refused((rows) => rows.contains('data', { a: 1 })),
  containedBy: refused((rows) => rows.containedBy('data', { a: 1 })),
  rangeGt: refused((rows) => rows.rangeGt('score', '[1,2]')),
  rangeGte: refused((rows) => rows.rangeGte('score', '[1,2]')),
  rangeLt: refused((rows) => rows.rangeLt('score', '[1,2]')),
  rangeLte: refused((rows) => rows.rangeLte('score', '[1,2]')),
  rangeAdjacent: refused((rows) => rows.rangeAdjacent('score', '[1,2]')),
  overlaps: refused((rows) => rows.overlaps('data', ['a'])),
  textSearch: refused((rows) => rows.textSearch('title', 'alpha')),
  rollback: refused((rows) => rows.rollback()),
  csv: refused((rows) => rows.csv(), NOT_ACCEPTABLE),
  geojson: refused((rows) => rows.geojson(), NOT_ACCEPTABLE),
  explain: refused((rows) => rows.explain() as PromiseLike<Answer>, NOT_ACCEPTABLE),
  stripNulls: refused((rows) => rows.stripNulls(), NOT_ACCEPTABLE),
  getOpenApiSpec: {
    ...refused((rows) => rows),
    call: (client) => client.schema('public').getOpenApiSpec(),
    refusal: { status: 404, code: 'PGRST125' },
  },
};

/** By name. */
export const CLIENT_METHODS: Readonly<Record<string, MethodCase>> = { ...READS, ...WRITES, ...REFUSED };

/** Options of those methods that change the request. */
export const CLIENT_OPTIONS: Readonly<Record<string, MethodCase>> = {
  'select({ head: true })': gives(
    (client) => notesOf(client).select('*', { count: 'exact', head: true }),
    [null, 4],
    ({ data, count }) => [data, count],
  ),
  'rpc({ get: true })': gives((client) => client.rpc('contract_add', { a: 5 }, { get: true }), 15),
  'rpc({ head: true })': gives(
    (client) => client.rpc('contract_series', { p_to: 7 }, { head: true, count: 'exact' }),
    7,
    ({ count }) => count,
  ),
  'upsert({ ignoreDuplicates: true })': withRow(
    insertState,
    gives(
      (client) =>
        client
          .from('contract_states')
          .upsert({ label: WRITTEN, count: 9 }, { onConflict: 'label', ignoreDuplicates: true })
          .select('count'),
      [],
    ),
  ),
  'insert({ defaultToNull: false })': {
    ...refused((rows) => rows),
    call: (client) => notesOf(client).insert([{ title: WRITTEN }], { defaultToNull: false }),
  },
  'order({ referencedTable })': refused((rows) => rows.order('count', { referencedTable: 'contract_states' })),
  'limit({ referencedTable })': refused((rows) => rows.limit(1, { referencedTable: 'contract_states' })),
  'or({ referencedTable })': refused((rows) => rows.or('count.eq.1', { referencedTable: 'contract_states' })),
  "schema('private')": {
    ...refused((rows) => rows),
    call: (client) => client.schema('private').from('contract_secret').select(),
    refusal: { status: 406, code: 'PGRST106' },
  },
};
