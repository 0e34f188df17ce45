import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type ChanceSummary, chanceSummarySchema } from '#domain/record/chances/chance-summary.ts';
import { chanceSummary } from '../testing/chance-summaries.ts';
import { ChancesSection } from './chances-section.tsx';

const fetchMock = vi.fn<(url: string) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock.mockReset());
  return () => vi.unstubAllGlobals();
});

function renderSection() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <ChancesSection period="7d" />
    </QueryClientProvider>,
  );
}

function show(summary: ChanceSummary) {
  fetchMock.mockImplementation(async () => Response.json(chanceSummarySchema.parse(summary)));
  return renderSection();
}

const plain = (text: string | null | undefined): string => (text ?? '').replaceAll('\u00a0', ' ');
const section = () => screen.findByRole('region', { name: 'Chances' });

test('states first whether chances beat the baseline, and which deciles are off', async () => {
  show(chanceSummary('rich'));
  const table = await screen.findByRole('table', { name: 'Scores by minute of the window' });
  const text = plain((await section()).textContent);

  expect(text).toContain(
    'Over the last 7 days: better than the EWMA-Gauss baseline by 1.2% (0.7 to 1.7%), by the Brier score.',
  );
  expect(text).toContain('9 of 10 measured deciles happened as often as stated; 80 to 90% was too low.');
  expect(plain(table.textContent)).toContain('After 3 minutes8,000');
  expect(plain(table.textContent)).toContain('0.1936 / 0.1960');
});

test('counts what is missed and what cannot be scored, with the reasons', async () => {
  show(chanceSummary('rich'));
  await screen.findByText(/36 because candles of the window were missing, 4 because the market was halted/);
  const text = plain((await section()).textContent);
  expect(text).toContain('Unscorable40');
  expect(text).toContain('Of these: 12 because the last candle arrived too late.');
});

test('gives the reliability of each decile as picture, by key, and as a table', async () => {
  show(chanceSummary('rich'));
  const chart = await screen.findByRole('img', {
    name: /^Reliability of Lion’s chances in 5-minute windows: 0 to 10% stated /,
  });
  expect(plain(chart.getAttribute('aria-label'))).toContain(
    '80 to 90% stated 1,600 times, happened 87.0 of 100 (85.8 to 88.2%)',
  );

  const slider = screen.getByRole('slider', { name: /Reliability of Lion/ });
  fireEvent.change(slider, { target: { value: '0' } });
  expect(plain(slider.getAttribute('aria-valuetext'))).toContain('chances of 0 to 10%');

  const table = screen.getByRole('table', { name: 'Reliability by decile' });
  expect(within(table).getAllByRole('row')).toHaveLength(11);
  expect(plain(within(table).getByRole('row', { name: /^80 to 90%/ }).textContent)).toBe(
    '80 to 90%1,60085.087.0 [85.8, 88.2]stated too low',
  );
});

test('opens scores by market and by week on request', async () => {
  show(chanceSummary('rich'));
  await userEvent.click(await screen.findByText('Show chances by market and week'));
  const markets = await screen.findByRole('table', { name: 'Chances by market' });
  expect(
    within(markets)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent?.slice(0, 4)),
  ).toEqual(['BTC4', 'DOGE', 'ETH4', 'SOL4']);
  expect(within(screen.getByRole('table', { name: 'Chances by week' })).getAllByRole('row')).toHaveLength(3);
});

test('requests the other window, and says which moments it has', async () => {
  show(chanceSummary('rich'));
  await screen.findByText(/sealed 1 and 3 minutes in/);
  await userEvent.click(screen.getByRole('radio', { name: '15 minutes' }));

  await screen.findByText(/sealed 3, 8 and 12 minutes in/);
  expect(fetchMock).toHaveBeenLastCalledWith('/record/chances.json?period=7d&window=15', expect.anything());
});

test('gives scores without intervals while there is little data', async () => {
  show(chanceSummary('little'));
  await screen.findByText(
    'Not enough data yet: 160 chances scored in 2 six-hour blocks. A comparison needs 12 blocks.',
  );
  expect(screen.getAllByText('not enough data').length).toBeGreaterThan(5);
});

test('shows a failure of this part alone, and loads it again', async () => {
  fetchMock.mockRejectedValue(new TypeError('offline'));
  renderSection();
  await screen.findByText('We couldn’t load the record of chances.');

  fetchMock.mockImplementation(async () => Response.json(chanceSummary('rich')));
  await userEvent.click(screen.getByRole('button', { name: /try again|retry/i }));
  await screen.findByText(/better than the EWMA-Gauss baseline/, { selector: 'p' });
});

test('announces that it is loading', async () => {
  fetchMock.mockImplementation(() => new Promise(() => {}));
  renderSection();
  expect(await screen.findByRole('status', { name: 'Loading the record of chances' })).toBeDefined();
});
