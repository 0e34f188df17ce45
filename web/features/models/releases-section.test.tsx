import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ModelFigures, ReleaseFigures } from '#domain/forecast/model-figures.ts';
import { generatedFigures, generatedGroup } from '#domain/forecast/testing/figure-fixtures.ts';
import { ReleasesSection } from './releases-section.tsx';

const row = (group: 'great' | 'other', bar: number, releases: number): ReleaseFigures[number] => ({
  group,
  bar,
  releases,
  blind: { within80: 27.6, within95: 53.7 },
  known: { within80: [77.81, 70.1, 85.2], within95: [93.2, 88, 97] },
  crpsGainPercent: [14.4, 8.1, 20.2],
});

function show(releases?: ReleaseFigures) {
  const lion = generatedFigures('lion', [generatedGroup('crypto-test')]);
  const entry: ModelFigures = { ...lion, figures: lion.figures && { ...lion.figures, ...(releases && { releases }) } };
  vi.stubGlobal('fetch', async () => Response.json({ models: [entry] }));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ReleasesSection />
    </QueryClientProvider>,
  );
}

test('shows what the band holds without and with the calendar by bar, and of how many releases', async () => {
  show([row('great', 5, 30), row('great', 50, 37), row('other', 50, 210)]);

  const table = await screen.findByRole('table', { name: 'Closes inside the 80% band around releases' });

  const cells = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '));
  const held = '27.6 → 77.8 [70.1, 85.2]';
  expect(cells).toEqual([
    ...['US CPI, jobs, the Fed’s decision', 'Lion', held, '–', '–', held],
    ...['Other US releases', 'Lion', '–', '–', '–', held],
  ]);
  expect(screen.getByText(/37 releases of the first kind and 210 others/)).toBeDefined();
});

test('says that nothing was measured when no manifest has these figures', async () => {
  show();

  expect(await screen.findByText('Not measured yet.')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});
