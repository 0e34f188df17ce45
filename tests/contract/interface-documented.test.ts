/** Compares docs/http-api.md with the list of routes used for threats and fuzzing. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isApiPath } from '../../server/api-paths.ts';
import { protocolOf, ROUTES } from '../support/fuzz/routes/routes.ts';
import { supportTable } from '../support/rest/rest-support-table.ts';

const text = readFileSync(new URL('../../docs/http-api.md', import.meta.url), 'utf8');
/** Leaves out the parts that a caller fills in: '/forecast/reservations/{id}' is '/forecast/reservations/'. */
const fixedPart = (path: string) =>
  path
    .replace(/[{@?].*$/, '')
    .replace('/BTC-USD/', '/<id>/')
    .replace(/\d{4}-\d\d-\d\d/, 'DAY')
    .replace(/\/\d+\.json/, '/SEQ.json');
/** Its answer has no end, so it isn't fuzzed: read-api-events.test.ts sends it bad input. */
const ENDLESS = '/api/v1/events';
const FUNCTION = /^\/functions\/v1\//;
/** Excludes the hosted project's protocols, which have their own documents. */
const isOurs = (path: string) => ['own', 'mcp', 'exchange'].includes(protocolOf(path)) && isApiPath(path);

test('documents every route of ours', () => {
  const own = ROUTES.map(({ path }) => fixedPart(path)).filter(isOurs);
  // The document lists functions by name in tables, and calls of the read API below its address.
  const isDocumented = (path: string) => text.includes(path.replace(FUNCTION, '').replace(/^\/api\/v1(?=\/.)/, ''));

  expect(new Set(own).size).toBeGreaterThan(30);
  expect([...new Set(own)].filter((path) => !isDocumented(path))).toEqual([]);
});

test('documents no route that does not exist', () => {
  const documented = [...text.matchAll(/`(?:GET|POST) (\/[\w./-]*)/g)].map(([, path = '']) =>
    path.replace(/(?:\.\.\.|VERSION\.json)$/, ''),
  );
  const ours = documented.filter(isOurs);
  // Skips routes that end in `{name}`, which represent requests to missing paths.
  const known = ROUTES.filter(({ path }) => !/^\/(\w+\/)?\{name\}$/.test(path)).map(({ path }) => fixedPart(path));
  const isRoute = (path: string) => known.some((one) => one === path || (path.endsWith('/') && one.startsWith(path)));

  expect(ours.length).toBeGreaterThan(20);
  expect(ours.filter((path) => !isRoute(path) && path !== ENDLESS)).toEqual([]);
});

// rest-client-methods.test.ts tries every entry. After a change, copy the expected text into the document.
test('lists what the table interface supports and what it refuses with which code', () => {
  const documented = /^\| Part \| Works \| Refused \|\n(?:\|.*\n)+/m.exec(text)?.[0].trim();

  expect(documented).toBe(supportTable());
});
