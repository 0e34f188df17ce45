/** The table of docs/http-api.md: which parts of the tables' protocol work, and which are refused with which code. */

import {
  MAX_ANSWER_BYTES,
  MAX_DEPTH,
  MAX_FILTERS,
  MAX_LIST_VALUES,
  MAX_NAMES,
  MAX_ORDER_TERMS,
  MAX_PATTERN_LENGTH,
  MAX_PATTERNS,
  MAX_QUERY_LENGTH,
  MAX_ROWS,
  MAX_VALUE_LENGTH,
  MAX_WILDCARDS,
} from '../../../server/backend/rest/query/query-tree.ts';
import { MAX_BODY_BYTES } from '../../../server/backend/rest/rest-request.ts';
import { CLIENT_METHODS, CLIENT_OPTIONS } from './rest-client-methods.ts';
import { code, FEATURES, type Feature } from './rest-features.ts';

type TableEntry = Pick<Feature, 'part' | 'name' | 'refusal'>;

const ofClient: readonly TableEntry[] = [
  ...Object.entries(CLIENT_METHODS).map(([name, { refusal }]) => ({ name: code(`${name}()`), refusal })),
  ...Object.entries(CLIENT_OPTIONS).map(([name, { refusal }]) => ({ name: code(name), refusal })),
].map((one) => ({ part: 'Methods of `supabase-js`', ...one }));

export function supportTable(): string {
  const entries = [...FEATURES, ...ofClient];
  const rows = [...new Set(entries.map(({ part }) => part))].map((part) => {
    const ofPart = entries.filter((one) => one.part === part);
    const works = ofPart.filter(({ refusal }) => refusal === null).map(({ name }) => name);
    return `| ${part} | ${works.join(', ')} | ${refusals(ofPart)} |`;
  });
  return ['| Part | Works | Refused |', '|---|---|---|', ...rows, `| Bounds | ${bounds()} | ${BEYOND} |`].join('\n');
}

function refusals(entries: readonly TableEntry[]): string {
  const byCode = new Map<string, string[]>();
  for (const { name, refusal } of entries) {
    if (refusal === null) continue;
    const key = `${refusal.status} ${code(refusal.code)}`;
    byCode.set(key, [...(byCode.get(key) ?? []), name]);
  }
  return [...byCode].map(([key, names]) => `${key}: ${names.join(', ')}`).join('; ');
}

const BEYOND = `400 ${code('PGRST100')}: what goes beyond in a query; 400 ${code('PGRST102')}: in rows written; 413 ${code('PGRST102')}: a larger body`;

function bounds(): string {
  const n = (figure: number) => figure.toLocaleString('en-US');
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  return [
    `${n(MAX_ROWS)} rows an answer (further ones are left out)`,
    `${mib(MAX_ANSWER_BYTES)} an answer`,
    `${n(MAX_ROWS)} rows and ${mib(MAX_BODY_BYTES)} a body`,
    `${MAX_FILTERS} filters, ${MAX_DEPTH} deep`,
    `${MAX_PATTERNS} patterns of ${MAX_PATTERN_LENGTH} characters and ${MAX_WILDCARDS} wildcards`,
    `${MAX_LIST_VALUES} values a list`,
    `${MAX_ORDER_TERMS} columns to sort by`,
    `${MAX_NAMES} names`,
    `${n(MAX_VALUE_LENGTH)} characters a value`,
    `${n(MAX_QUERY_LENGTH)} a query`,
  ].join('; ');
}
