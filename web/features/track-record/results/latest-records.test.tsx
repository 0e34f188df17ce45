import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ListedRecord, RecordCard, SealedCard } from '#domain/record/figures/track-summary.ts';
import { recordCard } from '../testing/track-record-fixtures.ts';
import { LatestRecords } from './latest-records.tsx';

const NEWEST = 60;
const fetchMock = vi.fn<(url: string) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock.mockReset());
  return () => vi.unstubAllGlobals();
});

/** A server that holds sixty records, those of even number of ETH by Bobcat. */
const all = Array.from({ length: NEWEST }, (_, i) => cardOf(NEWEST - i));

function cardOf(seq: number): RecordCard {
  return recordCard(seq, seq % 2 === 0 ? { sym: 'ETHUSDT.P', model: 'bobcat' } : {});
}

/** Thirty that still run. */
const SEALED = 30;
const sealed = Array.from({ length: SEALED }, (_, i) => sealedOf(NEWEST + SEALED - i));

function sealedOf(seq: number): SealedCard {
  const { issuedMs, slot, sym, model } = cardOf(seq);
  return { seq, issuedMs, slot, sym, model, state: 'sealed', hash: `${seq}`.padStart(64, 'a') };
}

async function answer(url: string): Promise<Response> {
  const { searchParams: query } = new URL(url, 'http://localhost');
  const [sym, model] = [query.get('sym'), query.get('model')];
  const listed: readonly ListedRecord[] = query.get('sealed') === 'only' ? sealed : all;
  const found = listed.filter(
    (card) =>
      card.seq < Number(query.get('before') ?? Number.POSITIVE_INFINITY) &&
      (sym === null || card.sym === sym) &&
      (model === null || card.model === model),
  );
  return Response.json(found.slice(0, Number(query.get('limit'))));
}

function show(cards: readonly RecordCard[] = all.slice(0, 12)) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <LatestRecords market="simulated" timeframe="1min" cards={cards} sealed={SEALED} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const numbers = () =>
  within(screen.getByRole('table'))
    .getAllByRole('link', { name: /^Check record/ })
    .map((link) => Number(link.textContent));
const pages = () =>
  within(screen.getByRole('table'))
    .getAllByRole('link', { name: /page of record/ })
    .map((link) => link.getAttribute('href'));
const older = () => screen.getByRole('button', { name: 'Show older' });

async function choose(what: string, option: string) {
  await userEvent.click(screen.getByRole('combobox', { name: what }));
  await userEvent.click(screen.getByRole('option', { name: option }));
}

test('loads older forecasts page by page, by keyboard too, none missing and none twice, to the very first', async () => {
  fetchMock.mockImplementation(answer);
  show();
  expect(numbers()).toHaveLength(12);
  expect(fetchMock).not.toHaveBeenCalled();

  older().focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByText('24 shown');
  await userEvent.click(older());
  await screen.findByText('48 shown');
  await userEvent.click(older());

  expect(await screen.findByText('There are no older forecasts.')).toBeDefined();
  expect(numbers()).toEqual(all.map(({ seq }) => seq));
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull();
});

test('links each revealed forecast to its page', () => {
  show();

  expect(pages()).toEqual(all.slice(0, 12).map(({ seq }) => `/f/${seq}`));
});

test('loads older ones of one symbol by one model too, and says where there are none', async () => {
  fetchMock.mockImplementation(answer);
  show();

  await choose('Symbol', 'ETH');
  await screen.findByText('24 shown');
  expect(numbers()).toEqual(all.filter(({ seq }) => seq % 2 === 0 && seq > 12).map(({ seq }) => seq));
  await userEvent.click(older());
  await screen.findByText('There are no older forecasts.');
  expect(numbers()).toHaveLength(30);

  await choose('Model', 'Lion');
  expect(await screen.findByText('The record has no forecasts of ETH by Lion.')).toBeDefined();
  await choose('Symbol', 'All symbols');
  await screen.findByText('24 shown');
  expect(numbers()[0]).toBe(59);

  await choose('Model', 'All models');
  expect(numbers()).toEqual(all.slice(0, 12).map(({ seq }) => seq));
});

test('lists sealed forecasts with their hash and the time when they open, and nothing of what they say', async () => {
  fetchMock.mockImplementation(answer);
  show();

  await userEvent.click(screen.getByRole('radio', { name: 'Sealed (30)' }));

  const table = await screen.findByRole('region', { name: 'Sealed forecasts, newest first' });
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.map((head) => head.textContent)).toEqual([
    ...['Record', 'Slot', 'Symbol', 'Model', 'Page', 'Hash (SHA-256)'],
  ]);
  expect(numbers()).toEqual(sealed.slice(0, 24).map(({ seq }) => seq));
  const [newest] = sealed;
  const row = within(table).getAllByRole('row')[1];
  expect(within(row ?? table).getByTitle(newest?.hash ?? '')).toBeDefined();
  expect(within(row ?? table).getByRole('button', { name: `Copy hash of record ${newest?.seq}` })).toBeDefined();
  const [slotMs, opensMs] = within(row ?? table)
    .getAllByRole('time')
    .map((time) => Date.parse(time.getAttribute('datetime') ?? ''));
  expect((opensMs ?? 0) - (slotMs ?? 0)).toBe(50 * 60_000);
  expect(within(row ?? table).getByText(/^opens at/).textContent).toMatch(/^opens at \d\d:\d\d$/);
  expect(pages()).toEqual(sealed.slice(0, 24).map(({ seq }) => `/f/${seq}`));

  await userEvent.click(screen.getByRole('radio', { name: 'Revealed' }));
  expect(numbers()).toEqual(all.slice(0, 12).map(({ seq }) => seq));
});

test('shows no count and no button for older ones while sealed ones load, at first and again', async () => {
  const first = Promise.withResolvers<Response>();
  fetchMock.mockReturnValueOnce(first.promise);
  show();

  await userEvent.click(screen.getByRole('radio', { name: 'Sealed (30)' }));
  expect(screen.getByRole('status', { name: 'Loading forecasts' })).toBeDefined();
  expect(screen.queryByText(/shown/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull();

  first.resolve(Response.json({}, { status: 500 }));
  expect((await screen.findByRole('alert')).textContent).toContain('We couldn’t load these forecasts.');
  expect(screen.queryByRole('status', { name: 'Loading forecasts' })).toBeNull();
  const second = Promise.withResolvers<Response>();
  fetchMock.mockReturnValueOnce(second.promise);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByRole('status', { name: 'Loading forecasts' })).toBeDefined();
  second.resolve(Response.json(sealed.slice(0, 24)));
  await screen.findByRole('region', { name: 'Sealed forecasts, newest first' });
});

test('begins with the sealed ones while no forecast is revealed yet', async () => {
  fetchMock.mockImplementation(answer);
  show([]);

  expect(await screen.findByRole('region', { name: 'Sealed forecasts, newest first' })).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'Revealed' }));
  expect(screen.getByText('The record has no forecasts.')).toBeDefined();
});

test('keeps what is shown, marked as old, until the choice has loaded', async () => {
  const later = Promise.withResolvers<Response>();
  fetchMock.mockReturnValue(later.promise);
  show();

  await choose('Symbol', 'ETH');

  expect(numbers()).toHaveLength(12);
  expect(screen.getByRole('table').closest('[aria-busy="true"]')).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Show older' })).toHaveProperty('disabled', true);
  later.resolve(await answer('/record/records.json?limit=24&sym=ETHUSDT.P'));
  await screen.findByText('24 shown');
  expect(screen.getByRole('table').closest('[aria-busy="true"]')).toBeNull();
});

test('keeps loaded forecasts when older ones fail, and Retry loads the others', async () => {
  fetchMock.mockImplementationOnce(answer).mockResolvedValueOnce(Response.json({}, { status: 503 }));
  show();
  await userEvent.click(older());
  await screen.findByText('24 shown');

  await userEvent.click(older());
  expect((await screen.findByRole('alert')).textContent).toBe('We couldn’t load older forecasts.');
  expect(numbers()).toHaveLength(24);
  fetchMock.mockImplementation(answer);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await screen.findByText('48 shown');
  expect(numbers()).toEqual(all.slice(0, 48).map(({ seq }) => seq));
});
