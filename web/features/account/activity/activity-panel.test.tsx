/** The activity log: filters, pages and the CSV file, as the server answers them. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { savedFiles } from '../../../ui/testing/saved-files.ts';
import { mountPanel, press } from '../testing/security-panel.tsx';
import { ActivityPanel } from './activity-panel.tsx';

const PATH = '/rest/v1/account_activity';
const aRow = (n: number, change: object = {}) => ({
  id: `event ${n}`,
  at: new Date(Date.parse('2026-11-20T23:30:00Z') - n * 60_000).toISOString(),
  kind: 'sign-in',
  action: 'signed-in',
  details: { user_agent: 'curl/8.5.0', ip: '192.0.2.1' },
  ...change,
});

let backend: FakeBackend;
let rows: (Omit<ReturnType<typeof aRow>, 'details'> & { details: object })[];

/** Filters, pages and counts as the database does. */
function answer({ search, headers }: { search: string; headers: Headers }) {
  const params = new URLSearchParams(search);
  const kind = params.get('kind')?.replace('eq.', '');
  const found = rows.filter((row) => kind === undefined || row.kind === kind);
  const [from, count] = [Number(params.get('offset')), Number(params.get('limit'))];
  expect(headers.get('prefer')).toContain('count=exact');
  if (from > 0 && from >= found.length) return json({ code: 'PGRST103', message: 'past the end' }, 416);
  const page = found.slice(from, from + count);
  return Response.json(page, { headers: { 'content-range': `${from}-${from + page.length - 1}/${found.length}` } });
}

beforeEach(() => {
  backend = fakeBackend();
  backend.on(`GET ${PATH}`, answer);
  storeSession();
  setProfileZone('UTC');
});

const mount = () => mountPanel(<ActivityPanel userId={USER.id} />);
const items = () => screen.findAllByRole('listitem');
const requested = () => backend.to(PATH).map(({ search }) => new URLSearchParams(search));

test('lists entries by day in the reader’s zone, with what happened and where', async () => {
  rows = [
    aRow(0, { kind: 'prediction', action: 'predicted', details: { symbol: 'BTC', model: 'kat2_4' } }),
    aRow(60),
    aRow(120, { kind: 'security', action: 'password-changed', details: {} }),
  ];
  setProfileZone('Asia/Tokyo');
  mount();

  expect((await items()).map((item) => item.textContent)).toEqual([
    'Prediction savedBTC · Lion (Kat 2.4)08:30',
    'Signed incurl (API client) · 192.0.2.107:30',
    'Password changed06:30',
  ]);
  expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('21 Nov 2026');
  expect(screen.getByText('1–3 of 3')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Older' })).toBeNull();
  expect(requested()[0]?.get('user_id')).toBe(`eq.${USER.id}`);
  expect(requested()[0]?.get('order')).toBe('at.desc,id.desc');
});

test('turns pages on the server, and a filter starts at its first page', async () => {
  rows = [...Array.from({ length: 26 }, (_, n) => aRow(n)), aRow(26, { kind: 'plan', action: 'plan-started' })];
  mount();
  expect(await items()).toHaveLength(25);

  await press('Older');
  await screen.findByText('26–27 of 27');
  await waitFor(async () => expect(await items()).toHaveLength(2));
  expect(screen.getByRole('button', { name: 'Older' })).toHaveProperty('disabled', true);

  await userEvent.click(screen.getByRole('radio', { name: 'Plan' }));
  await screen.findByText('1–1 of 1');
  expect(requested().at(-1)?.get('kind')).toBe('eq.plan');
  expect(requested().at(-1)?.get('offset')).toBe('0');
});

test('offers a way on where there is nothing', async () => {
  rows = [];
  mount();
  await screen.findByText('No activity yet');
  expect(screen.getByRole('button', { name: 'Download CSV' })).toHaveProperty('disabled', true);

  rows = [aRow(0)];
  await userEvent.click(screen.getByRole('radio', { name: 'Exports' }));
  await screen.findByText('Nothing under ‘Exports’ in the last 90 days');
  await press('Show all activity');

  expect(await items()).toHaveLength(1);
});

test('reports a log that does not load, and loads again', async () => {
  rows = [aRow(0)];
  backend.on(`GET ${PATH}`, () => json({ message: 'broken' }, 500));
  mount();
  await screen.findByText('We couldn’t load your activity');

  backend.on(`GET ${PATH}`, answer);
  await press('Retry');

  expect(await items()).toHaveLength(1);
});

test('saves every entry of every kind as CSV, and records that', async () => {
  rows = Array.from({ length: 501 }, (_, n) => aRow(n));
  const saved = savedFiles();
  mount();
  await items();

  await press('Download CSV');

  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toMatch(/^kat-activity-\d{4}-\d\d-\d\d\.csv$/);
  expect(saved[0]?.text.trim().split('\r\n')).toHaveLength(502);
  expect(saved[0]?.text).toContain('2026-11-20T23:30:00.000Z,Sign-ins,Signed in,curl (API client) · 192.0.2.1');
  await waitFor(() => expect(backend.to('/rest/v1/rpc/record_export')[0]?.body).toEqual({ p_file: 'activity' }));
});

test('says that a file has only the newest entries of a very long log', async () => {
  rows = Array.from({ length: 10_001 }, (_, n) => aRow(n));
  const saved = savedFiles();
  const shown = vi.spyOn(toast, 'success');
  mount();
  await items();

  await press('Download CSV');

  await waitFor(() => expect(shown.mock.calls[0]?.[0]).toMatch(/^Saved the newest 10,000 entries as /));
  expect(saved[0]?.text.trim().split('\r\n')).toHaveLength(10_001);
});

test('saves no file when part of the log is missing', async () => {
  rows = Array.from({ length: 501 }, (_, n) => aRow(n));
  const saved = savedFiles();
  mount();
  await items();
  backend.on(`GET ${PATH}`, (request) =>
    request.search.includes('offset=500') ? json({ message: 'broken' }, 500) : answer(request),
  );

  await press('Download CSV');

  await screen.findByText('The download failed. No file was saved. Please try again.');
  expect(saved).toEqual([]);
  expect(backend.to('/rest/v1/rpc/record_export')).toEqual([]);
});
