import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ModelFigures, UnseenCoins } from '#domain/forecast/model-figures.ts';
import { everyColumn, generatedFigures, generatedGroup } from '#domain/forecast/testing/figure-fixtures.ts';
import { UnseenSection } from './unseen-section.tsx';

const UNSEEN: UnseenCoins = {
  coins: ['ADA', 'BTC'],
  windows: 4000,
  blocks: 250,
  overOwnHarPercent: everyColumn([0.3, 0.212, 0.389]),
  overTrainedPercent: everyColumn([-0.021, -0.033, -0.011]),
  coverage: { pooled80: [78.34, 77.6, 79.2], pooled95: [94.36, 93.8, 94.9] },
  byCoin: {
    BTC: {
      windows: 2000,
      overOwnHarPercent: [0.2, 0.1, 0.3],
      overTrainedPercent: [0, 0, 0],
      within80: 80,
      within95: 95,
    },
    ADA: {
      windows: 2000,
      overOwnHarPercent: [0.4, 0.2, 0.6],
      overTrainedPercent: [0, 0, 0],
      within80: 75.8,
      within95: 94,
    },
  },
};

function show(answer: () => Response) {
  vi.stubGlobal('fetch', async () => answer());
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <UnseenSection />
    </QueryClientProvider>,
  );
}

function lionWith(unseen?: UnseenCoins): ModelFigures {
  const lion = generatedFigures('lion', [generatedGroup('crypto-test')]);
  return { ...lion, figures: lion.figures && { ...lion.figures, ...(unseen && { unseen }) } };
}

test('shows what it costs that a model never saw a coin, with intervals, and how often its bands held', async () => {
  show(() => Response.json({ models: [lionWith(UNSEEN)] }));

  const table = await screen.findByRole('table', { name: 'Figures on coins left out of the training' });

  const cells = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '));
  expect(cells).toEqual(
    expect.arrayContaining([
      '+0.02% [0.01, 0.03]',
      '+0.30% [0.21, 0.39]',
      '78.3 [77.6, 79.2]',
      '94.4 [93.8, 94.9]',
      '75.8 (ADA) to 80.0 (BTC)',
    ]),
  );
  expect(screen.getByText(/At 5 and 15 minutes this was not measured\./)).toBeDefined();
  expect(screen.getByText(/Left out one after the other: ADA and BTC\./)).toBeDefined();
});
