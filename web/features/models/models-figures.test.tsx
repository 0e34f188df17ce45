import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { GroupFigures, ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { everyColumn, generatedFigures, generatedGroup } from '#domain/forecast/testing/figure-fixtures.ts';
import { ModelsFigures } from './models-figures.tsx';

const fetchMock = vi.fn<(url: string) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock.mockReset());
  return () => vi.unstubAllGlobals();
});

function show(models: ModelFigures[]) {
  fetchMock.mockImplementation(async () => Response.json({ models }));
  return renderBlock();
}

function renderBlock() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const shown = render(
    <QueryClientProvider client={client}>
      <ModelsFigures />
    </QueryClientProvider>,
  );
  openEvidence();
  return shown;
}

const EMPTY: ModelFigures[] = MODEL_NAMES.map((model) => ({
  model,
  state: 'not-trained',
  figures: null,
}));

const openEvidence = () => fireEvent.click(screen.getByText('Show the evidence'));

/** Against HAR, Bobcat shows no difference, and Lion is worse. */
function groupOf(model: ModelName, group: string, change: Partial<GroupFigures['skill']> = {}): GroupFigures {
  const plain = generatedGroup(group).skill.crpsSkillPercent;
  const har = everyColumn(model === 'lion' ? [-0.4, -0.6, -0.2] : [0.1, -0.1, 0.3]);
  const pooled = everyColumn(model === 'lion' ? [0.05, 0.01, 0.09] : [-0.2, -0.3, -0.1]);
  const pairedSkillPercent = model === 'lion' ? { bobcat: everyColumn([0.08, 0.03, 0.12]) } : {};
  const crpsSkillPercent = { ...plain, 'har-empirical': har, 'har-pooled': pooled };
  return generatedGroup(group, { crpsSkillPercent, pairedSkillPercent, ...change });
}

const few = { blocks: 41, windows: 900 };
const TWO: ModelFigures[] = (['bobcat', 'lion'] as const)
  .map((model) => generatedFigures(model, [groupOf(model, 'crypto-test'), groupOf(model, 'shares-test', few)]))
  .toSpliced(1, 0, { model: 'panther', state: 'disabled', figures: null });

const skillTable = () => screen.getByRole('table', { name: 'Skill and coverage of each model' });
const rowOf = (name: RegExp) => within(skillTable()).getAllByRole('row', { name })[0]?.textContent ?? '';
const plain = (text: string | null): string => (text ?? '').replaceAll('\u00a0', ' ');

test('shows on each model’s card what the public record holds of it', async () => {
  const counts = { expected: 9, issued: 9, known: 0, void: 0, waiting: 9 };
  const summary = {
    market: 'simulated',
    period: '30d',
    computedMs: 0,
    fromS: 0,
    firstMs: 0,
    lastMs: 0,
    counts,
    voidReasons: {},
    missReasons: {},
    models: [],
    bySymbol: [],
    byWeek: [],
    latest: [],
    best: [],
    worst: [],
  };
  fetchMock.mockImplementation(async (url) =>
    Response.json(url === '/models.json' ? { models: TWO } : url.startsWith('/record/summary.json') ? summary : null),
  );
  renderBlock();

  const lines = await screen.findAllByText('In the public record of a simulated market: nothing scored yet.');
  expect(lines).toHaveLength(3);
});

test('shows pooled HAR (all coins) beside per-symbol HAR, beneath its chart and in the table', async () => {
  show(TWO);

  const beneath = await screen.findByRole('list', { name: 'Against pooled HAR (all coins), over all 50 horizons' });

  expect(plain(beneath.textContent)).toContain('Bobcat: worse than pooled HAR (all coins), −0.20% [−0.30, −0.10]');
  expect(plain(beneath.textContent)).toContain('Lion: +0.05% over pooled HAR (all coins) [0.01, 0.09]');
  expect(plain(rowOf(/^over pooled HAR \(all coins\)/))).toContain('−0.20% [−0.30, −0.10]worse');
});

test('describes all figures of each chart, and moves through them by the arrow keys', async () => {
  show(TWO);
  const chart = await screen.findByRole('img', { name: /^Skill against per-symbol HAR, by horizon/ });
  expect(plain(chart.getAttribute('aria-label'))).toContain('Lion: at 1 minute −0.40% [−0.60, −0.20], at 5 minutes');

  const slider = screen.getByRole('slider', { name: /^Skill against per-symbol HAR/ });
  expect(plain(slider.getAttribute('aria-valuetext'))).toMatch(/^over all 50 horizons: Bobcat \+0\.10%/);
  slider.focus();
  await userEvent.tab();
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(slider);
  await userEvent.pointer({ keys: '[MouseLeft]', target: columnsOf(chart)[2] ?? chart });

  expect(slider.getAttribute('aria-valuetext')).toMatch(/^at 10 minutes: Bobcat/);
});

const columnsOf = (chart: HTMLElement) => [...chart.querySelectorAll('rect')].slice(-6);

test('shows coverage together, by symbol and by width', async () => {
  show(TWO);

  const chart = await screen.findByRole('img', { name: /^Closes inside the 80% band/ });

  expect(plain(chart.getAttribute('aria-label'))).toContain(
    'the target is 80. Bobcat: overall 79.9 [79.2, 80.7], BTC 78.4, ETH 81.1, narrowest third 77.2',
  );
});

test('states limits and spans: direction, volume, what was never evaluated, where the data is', async () => {
  show(TWO);

  expect(screen.getByText(/we promise no hit rate/)).toBeDefined();
  expect(await screen.findByText(/^SOL, DOGE, .*DXY and Oil\.$/)).toBeDefined();
  expect(screen.getByText('before 1 Jan 2025')).toBeDefined();
  expect(screen.getByText('unavailable')).toBeDefined();
  expect(screen.queryByText(/in the group Four pairs/)).toBeNull();
});

test('says so before anything is trained, and shows no figure', async () => {
  show(EMPTY);

  expect(await screen.findByText('No results yet.')).toBeDefined();
  expect(screen.getAllByText('not trained yet')).toHaveLength(EMPTY.length);
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.queryByText('Data behind the figures')).toBeNull();
});

test('draws no figure before a reader opens the evidence', async () => {
  show(TWO);
  await screen.findByText('Lion beats Bobcat by 0.08% [0.03, 0.12].');
  cleanup();
  fetchMock.mockImplementation(async () => Response.json({ models: TWO }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ModelsFigures />
    </QueryClientProvider>,
  );

  await screen.findByText(/^SOL, DOGE, .*DXY and Oil\.$/);
  expect(screen.queryByRole('table')).toBeNull();
});

test('reports a failed call with what still works, and Retry loads the figures', async () => {
  fetchMock.mockResolvedValue(Response.json({ error: 'away' }, { status: 503 }));
  renderBlock();
  await screen.findByText('We couldn’t load the models’ figures.');
  fetchMock.mockImplementation(async () => Response.json({ models: TWO }));

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  fireEvent.click(await screen.findByText('Show the evidence'));

  expect(await screen.findByText('Lion beats Bobcat by 0.08% [0.03, 0.12].')).toBeDefined();
});

test('treats an answer of another shape as a failure, not a picture', async () => {
  fetchMock.mockResolvedValue(
    Response.json({ models: [{ model: 'lion', state: 'ready', figures: { groups: 'many' } }] }),
  );

  renderBlock();

  expect(await screen.findByRole('alert')).toBeDefined();
  expect(screen.getByText(/we promise no hit rate/)).toBeDefined();
});

test('reserves the place of the figures while they load, and announces it', async () => {
  fetchMock.mockReturnValue(new Promise(() => {}));

  renderBlock();

  expect(await screen.findByRole('status', { name: 'Loading the models’ figures' })).toBeDefined();
  expect(screen.getByText(/we promise no hit rate/)).toBeDefined();
});

test('says so for a model that is trained and not measured, and lists no span of data', async () => {
  show([generatedFigures('bobcat', []), ...EMPTY.slice(1)]);

  expect(await screen.findByText(/^Each model’s skill appears here/)).toBeDefined();
  expect(screen.getByText(/^Not evaluated on BTC/)).toBeDefined();
  expect(screen.queryByText('Data behind the figures')).toBeNull();
});

test('shows how often corrected bands held, where that was measured', async () => {
  const shownCoverage: GroupFigures['skill']['shownCoverage'] = {
    pooled80: [79.97, 79.2, 80.7],
    pooled95: [94.9, 94.4, 95.4],
  };
  show([generatedFigures('bobcat', [groupOf('bobcat', 'crypto-test', { shownCoverage })])]);

  await screen.findByRole('table', { name: 'Skill and coverage of each model' });

  expect(plain(rowOf(/^80% band, corrected/))).toContain('80.0 [79.2, 80.7]on target');
  expect(plain(rowOf(/^95% band, corrected/))).toContain('94.9 [94.4, 95.4]on target');
});
