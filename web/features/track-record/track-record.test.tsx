import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { type TrackSummary, trackSummarySchema } from '#domain/record/figures/track-summary.ts';
import { trackVerdict } from '#domain/record/messages/verdict.ts';
import { recordCard, trackSummary } from './testing/track-record-fixtures.ts';
import { TrackRecord } from './track-record.tsx';

const fetchMock = vi.fn<(url: string) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock.mockReset());
  return () => vi.unstubAllGlobals();
});

function show(summary: TrackSummary) {
  fetchMock.mockImplementation(async () => Response.json(trackSummarySchema.parse(summary)));
  return renderRecord();
}

function renderRecord() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <TrackRecord />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const plain = (text: string | null | undefined): string => (text ?? '').replaceAll('\u00a0', ' ');
const verdict = () => screen.findByRole('region', { name: 'Verdict' });

test('the verdict is said first, in the words that the intervals give, and beside it what is missing or void', async () => {
  const summary = trackSummary('rich');
  show(summary);

  const said = await verdict();

  const sentences = trackVerdict(summary);
  expect(sentences.length).toBeGreaterThan(0);
  for (const sentence of sentences) expect(plain(said.textContent)).toContain(plain(sentence));
  const figures = plain(said.textContent);
  expect(figures).toContain('Missed220');
  expect(figures).toContain('Void140');
  expect(figures).toContain('120 because candles were missing, 20 because the venue changed in between');
});

test.each([
  ['simulated', /made up by a program.*nothing about a real market/],
  ['replayed', /little about the market of today/],
  ['live', /real venues/],
] as const)('a %s market is told as one', async (market, words) => {
  show(trackSummary('rich', { market }));

  const said = await verdict();

  expect(said.textContent).toMatch(words);
  expect(within(said).getByText(market)).toBeDefined();
});

test('worse than the baselines is said as plainly as better', async () => {
  show(trackSummary('worse'));

  const said = await verdict();

  expect(said.textContent).toMatch(/worse/i);
  const table = screen.getByRole('table', { name: 'Skill by symbol' });
  expect(within(table).getAllByText('worse').length).toBeGreaterThan(0);
  expect(within(table).queryByText('better')).toBeNull();
});

test('each model stands against each baseline, by horizon, in words as in the picture', async () => {
  show(trackSummary('rich'));

  const chart = await screen.findByRole('img', { name: /^Bands against log-HAR, by horizon/ });

  expect(plain(chart.getAttribute('aria-label'))).toMatch(/Lion: at 1 minute \+1\.20 % \[0\.60, 1\.80\], at 5 minutes/);
  expect(screen.getByRole('img', { name: /^Drawn path against the last close, by horizon/ })).toBeDefined();
  expect(screen.getByRole('list', { name: 'Bands against the fading-mean walk, in words' }).children).toHaveLength(
    MODEL_NAMES.length,
  );
});

test('the breakdown is asked for against another baseline', async () => {
  show(trackSummary('rich'));
  const row = async () => plain((await screen.findAllByRole('row', { name: /^BTC/ }))[0]?.textContent);
  const before = await row();

  await userEvent.click(screen.getByRole('radio', { name: 'Log-HAR' }));

  expect(await row()).not.toBe(before);
  expect(await row()).toContain('+1.00 % [0.40, 1.60]');
});

test('bands stand as shown and as the model had them, for the model that is chosen', async () => {
  show(trackSummary('rich'));
  const chart = await screen.findByRole('img', { name: /^Closes inside the 80 % band of Lion/ });
  expect(plain(chart.getAttribute('aria-label'))).toContain('as shown: all horizons 79.7 [78.9, 80.5]');
  expect(plain(chart.getAttribute('aria-label'))).toContain('as the model had it: all horizons 76.2 [75.3, 77.1]');

  const words = (band: string) => plain(screen.getByRole('list', { name: `The ${band} % band in words` }).textContent);
  expect(words('80')).toContain('drawn 8 % wider than the model says');
  expect(words('95')).not.toContain('drawn');

  await userEvent.click(screen.getByRole('radio', { name: 'Bobcat' }));

  expect(screen.getByRole('img', { name: /^Closes inside the 95 % band of Bobcat/ })).toBeDefined();
  expect(screen.getByRole('img', { name: /^Reliability of Bobcat.*50 promised, 50\.1 came/ })).toBeDefined();
  expect(screen.getByRole('img', { name: /^Where closes fell in the forecasts of Bobcat/ })).toBeDefined();
});

test('misses come before hits, as many of each, however many came', async () => {
  const { worst, best } = trackSummary('rich');
  show(trackSummary('rich', { worst, best: [...best, recordCard(999)] }));

  const section = await screen.findByRole('region', { name: 'Worst misses and best hits' });

  const titles = within(section).getAllByRole('heading', { level: 3 });
  expect(titles.map((title) => title.textContent)).toEqual(['Worst misses', 'Best hits']);
  const lists = within(section).getAllByRole('list');
  expect(lists.map((list) => list.children.length)).toEqual([worst.length, worst.length]);
  expect(plain(lists[0]?.textContent)).toContain('After 50 minutes the path was 113.0 bp off, the last close 96.0 bp');
});

test('without intervals no difference is called', async () => {
  const summary = trackSummary('little');
  show(summary);

  const table = await screen.findByRole('table', { name: 'Skill by symbol' });

  expect(within(table).getAllByText('too little to tell')).toHaveLength(summary.bySymbol.length);
  expect(table.textContent).not.toMatch(/better|worse|no edge/);
});

test('a record that has just begun says when the next slot opens, and shows no figure', async () => {
  show(trackSummary('empty'));

  const said = await verdict();

  expect(said.textContent).toMatch(/next slot opens in \d\d:\d\d/);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.queryByRole('table')).toBeNull();
});

test('while nothing is scored the wait is told, and the forecasts that wait are listed', async () => {
  show(trackSummary('waiting'));

  expect(await screen.findByText(/first scores come about an hour/)).toBeDefined();

  const rows = within(screen.getByRole('table', { name: 'Latest forecasts, newest first' })).getAllByRole('row');
  expect(rows).toHaveLength(5);
  expect(rows[1]?.textContent).toContain('not scored yet');
  expect(screen.queryByText('Skill by horizon')).toBeNull();
});

test('a record that is mostly void says so with its share and every reason', async () => {
  show(trackSummary('void-heavy'));

  const said = await verdict();

  expect(plain(said.textContent)).toContain('64.8 % of issued');
  expect(said.textContent).toContain('400 because the venue changed in between');
});

test('reasons that this page does not know yet are counted all the same', async () => {
  show(trackSummary('void-heavy', { voidReasons: { 'candles-missing': 5, 'new-reason': 7 } }));

  expect((await verdict()).textContent).toContain('Void: 5 because candles were missing, 7 for other reasons.');
});

test('why forecasts are missing is told as far as a server saw it, and the others as what nobody saw', async () => {
  show(trackSummary('rich'));
  expect(plain((await verdict()).textContent)).toContain(
    'Of these: 90 because no venue answered, 10 because the minute was over before they were made, 120 while no server ran.',
  );
});

test('where every missing forecast has its reason, and where none is missing, nothing more is said', async () => {
  show(trackSummary('rich', { missReasons: { 'forecast-failed': 219, 'new-reason': 1 } }));
  const said = plain((await verdict()).textContent);
  expect(said).toContain('Of these: 219 because the model failed, 1 for other reasons.');
  cleanup();

  show(trackSummary('waiting'));
  expect((await verdict()).textContent).not.toContain('Of these');
});

test('figures beyond all measure, and cards without figures, are drawn without a number that is none', async () => {
  const rich = trackSummary('rich');
  const [model] = rich.models;
  if (model === undefined) throw new Error('no model');
  const wild = { value: -1e300, interval: [-1e301, 1e300] satisfies [number, number] };
  const bare = { pathBp: [], band80Bp: [], band95Bp: [], actualBp: [] };
  show({
    ...rich,
    models: [{ ...model, all: { ...model.all, skillEwma: wild, cover80: null }, bars: [], pit: [0, 0], rvError: null }],
    best: [recordCard(1, bare)],
    worst: [recordCard(2, { pathBp: [1e12, 0, 0, 0, -1e12] })],
    latest: [recordCard(3, bare)],
  });

  await screen.findByRole('region', { name: 'Worst misses and best hits' });

  const drawn = [...document.querySelectorAll('svg *')].flatMap((part) =>
    [...part.attributes].map(({ value }) => value),
  );
  expect(drawn.filter((value) => /NaN|Infinity/.test(value))).toEqual([]);
  expect(document.body.textContent).not.toMatch(/NaN|Infinity/);
});

test('another period is fetched, and the figures shown stay until it has come', async () => {
  show(trackSummary('rich'));
  await verdict();
  const later = Promise.withResolvers<Response>();
  fetchMock.mockReturnValue(later.promise);

  await userEvent.click(screen.getByRole('radio', { name: '30 days' }));

  expect(fetchMock).toHaveBeenLastCalledWith('/record/summary.json?period=30d', expect.anything());
  expect(screen.getByRole('region', { name: 'Verdict' })).toBeDefined();
  later.resolve(Response.json(trackSummary('void-heavy', { period: '30d' })));
  expect(await screen.findByText(/1,200 because candles were missing/)).toBeDefined();
});

test('a failed call says what still works, and Retry brings the figures', async () => {
  fetchMock.mockResolvedValue(Response.json({ error: 'away' }, { status: 503 }));
  renderRecord();
  await screen.findByText('The record’s figures did not load.');
  fetchMock.mockImplementation(async () => Response.json(trackSummary('rich')));

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await verdict()).toBeDefined();
});

test('shadow models stand apart from those that users see', async () => {
  const rich = trackSummary('rich');
  const shadows = rich.models.slice(0, 1).map((one) => ({ ...one, role: 'shadow' as const }));
  show({ ...rich, models: [...rich.models, ...shadows] });
  const words = () => plain(screen.getByRole('list', { name: 'Bands against log-HAR, in words' }).textContent);
  await verdict();
  expect(words()).not.toContain('shadow');

  await userEvent.click(screen.getByRole('radio', { name: 'Shadows, run unseen' }));

  expect(words()).toMatch(/^Bobcat, shadow: /);
});
