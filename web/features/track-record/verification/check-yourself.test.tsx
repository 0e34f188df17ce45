import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SEALED_DAY, type SealedDay, sealedDay } from '../../../testing/sealed-day-fixtures.ts';
import { CheckYourself } from './check-yourself.tsx';

/** An hour and a half. */
const RECORDS = 18;
/** Answers for raw files; the list of signed days is told apart. */
const fetchMock = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
let signedDays: string[] = [];
let day: SealedDay;

beforeAll(async () => {
  day = await sealedDay(RECORDS);
});
beforeEach(() => {
  signedDays = [];
  fetchMock.mockReset();
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url !== '/record/days.json') return fetchMock(url, init);
    const days = signedDays.map((statement) => ({ statement, signature: '', key: '' }));
    return Promise.resolve(Response.json({ days, next: null }));
  });
  vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
});

function open(hash = '') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[`/track-record${hash}`]}>
        <CheckYourself />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

async function checkDay(text: string) {
  fetchMock.mockImplementation(async () => new Response(text));
  open();
  await userEvent.clear(screen.getByLabelText('Day (UTC)'));
  await userEvent.type(screen.getByLabelText('Day (UTC)'), SEALED_DAY);
  await userEvent.click(screen.getByRole('button', { name: 'Check this day' }));
  return result();
}

/** Once something is known. */
async function result(): Promise<HTMLElement> {
  await screen.findByText(/^(Valid\.|Not valid|No problems found|There is no such|Not checked\.)/);
  return screen.getByRole('status', { name: 'Result of the check' });
}

const checks = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
const TAMPER: [string, (text: string) => string, RegExp][] = [
  [
    'a changed figure',
    (text) => text.replace('\\"close\\":\\"97120.4\\"', '\\"close\\":\\"97121.4\\"'),
    /root|hash|chain/i,
  ],
  ['a record taken out', (text) => text.split('\n').toSpliced(7, 1).join('\n'), /missing|gap|root|not follow|6|7/i],
  ['two records exchanged', exchanged, /order|follow|6|7/i],
  ['another signature', (text) => text.replace(/"signature":"...../, '"signature":"AAAAA'), /sign/i],
];

function exchanged(text: string): string {
  const lines = text.split('\n');
  return lines
    .with(6, lines[7] ?? '')
    .with(7, lines[6] ?? '')
    .join('\n');
}

test('confirms a day as it was sealed: texts, chain, times, roots and signature, with their numbers', async () => {
  const result = await checkDay(day.dayText);

  expect(fetchMock).toHaveBeenCalledExactlyOnceWith(`/record/days/${SEALED_DAY}.ndjson`, expect.anything());
  expect(result.textContent).toContain('Valid.');
  expect(result.textContent).toContain('18 records, 2 hourly roots, 1 day, 1 signature');
  expect(checks().filter((check) => check.startsWith('checked:'))).toHaveLength(5);
  expect(result.textContent).toContain(day.publicKey);
});

test('offers the newest signed day before any is chosen', async () => {
  signedDays = [day.statement];

  open();

  expect(await screen.findByText(/The newest signed day is 2026-11-21/)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Day (UTC)').value).toBe(SEALED_DAY);
  expect(screen.getByRole('link', { name: `Rows of ${SEALED_DAY} (NDJSON)` })).toBeDefined();
});

test.each(TAMPER)('finds %s', async (_what, tamper, message) => {
  expect(tamper(day.dayText)).not.toBe(day.dayText);

  const result = await checkDay(tamper(day.dayText));

  expect(result.textContent).toContain('Not valid');
  const faults = within(screen.getByRole('list', { name: 'Problems' })).getAllByRole('listitem');
  expect(faults.map(({ textContent }) => textContent).join(' ')).toMatch(message);
  expect(checks().some((check) => check.startsWith('failed:'))).toBe(true);
});

test('follows one record to its signed root, by a typed number', async () => {
  fetchMock.mockImplementation(async () => new Response(day.recordText(14)));
  open();
  await userEvent.click(screen.getByRole('radio', { name: 'A record' }));
  await userEvent.type(screen.getByLabelText('Record number'), '14');

  await userEvent.click(screen.getByRole('button', { name: 'Check this record' }));

  expect((await result()).textContent).toContain('Valid.');
  expect(fetchMock).toHaveBeenCalledExactlyOnceWith('/record/records/14.json', expect.anything());
});

test('starts the check of a linked record', async () => {
  fetchMock.mockImplementation(async () => new Response(day.recordText(3)));

  open('#check-3');

  expect((await result()).textContent).toContain('1 proof');
  expect(fetchMock).toHaveBeenCalledExactlyOnceWith('/record/records/3.json', expect.anything());
  expect(screen.getByRole('link', { name: /The forecast’s page/ }).getAttribute('href')).toBe('/f/3');
});

test('checks a file from the disk without a call', async () => {
  open();
  await userEvent.click(screen.getByRole('radio', { name: 'A file' }));

  await userEvent.upload(screen.getByLabelText(/Choose files/), new File([day.dayText], 'stored.ndjson'));

  expect((await result()).textContent).toContain('stored.ndjson: 18 records');
  expect(fetchMock).not.toHaveBeenCalled();
});

test('finds a history that was rewritten and signed again, for anyone who stored a statement', async () => {
  const other = await sealedDay(RECORDS - 1);
  fetchMock.mockImplementation(async () => new Response(other.dayText));
  open();
  await userEvent.click(screen.getByText('Compare with your own copy'));
  await userEvent.click(screen.getByLabelText('A statement or file that you saved'));
  await userEvent.paste(day.statement);

  await userEvent.click(screen.getByRole('button', { name: 'Check this day' }));

  expect((await result()).textContent).toContain('Not valid');
});

test('requires that a trusted key is the one that signed, and refuses an invalid one before anything loads', async () => {
  const other = await sealedDay(1);
  fetchMock.mockImplementation(async () => new Response(day.dayText));
  open();
  await userEvent.click(screen.getByText('Compare with your own copy'));
  await userEvent.type(screen.getByLabelText('A public key you trust'), 'xyz');
  await userEvent.click(screen.getByRole('button', { name: 'Check this day' }));
  expect(screen.getByText('A key has 64 hexadecimal digits.')).toBeDefined();
  expect(fetchMock).not.toHaveBeenCalled();

  await userEvent.clear(screen.getByLabelText('A public key you trust'));
  await userEvent.type(screen.getByLabelText('A public key you trust'), other.publicKey);
  await userEvent.click(screen.getByRole('button', { name: 'Check this day' }));

  expect((await result()).textContent).toContain('Not valid');
});

test('leaves exactly the signature open where the browser does not know it, and computes all else', async () => {
  vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new DOMException('unknown', 'NotSupportedError'));

  const result = await checkDay(day.dayText);

  expect(result.textContent).toContain('No problems found in what could be checked.');
  expect(result.textContent).toContain('This browser doesn’t support Ed25519, so it couldn’t check the signature');
  expect(checks().filter((check) => /^not checked: .*signed/.test(check))).toHaveLength(1);
  expect(checks().filter((check) => check.startsWith('checked:'))).toHaveLength(4);
});

test('claims nothing where the browser computes no hashes', async () => {
  vi.stubGlobal('crypto', {});

  const result = await checkDay(day.dayText);

  expect(result.textContent).toContain('so nothing was checked');
  expect(fetchMock).not.toHaveBeenCalled();
});

test('blames no fault on the record for a day that is not there', async () => {
  fetchMock.mockImplementation(async () => new Response('', { status: 404 }));
  open();

  await userEvent.click(screen.getByRole('button', { name: 'Check this day' }));

  expect((await result()).textContent).toContain('There is no such file.');
});

test('reports an unavailable server, and counts nothing as checked', async () => {
  vi.stubGlobal('reportError', vi.fn());
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
  open();

  await userEvent.click(screen.getByRole('button', { name: 'Check this day' }));

  expect((await result()).textContent).toContain('Nothing was checked.');
});

test('rejects garbage as no file of the record', async () => {
  const result = await checkDay('<html>hello</html>');

  expect(result.textContent).toContain('Not valid');
  expect(result.textContent).toContain('neither a day’s file nor a record’s file');
});
