import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { generatedFigures, generatedGroup } from '#domain/forecast/testing/figure-fixtures.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { ModelGuide } from './model-guide.tsx';
import { WarningBox } from './warning-box.tsx';

test('renders the warning as a labelled region on what is for research only and what is not forecast', () => {
  render(<WarningBox />);

  const box = screen.getByRole('complementary', { name: 'What these forecasts can’t do' });
  expect(box.textContent).toContain(RESEARCH_ONLY);
  expect(box.textContent).toContain('do not say whether a price will rise or fall');
});

test.each([
  ['Bobcat (Kat 1)', '9,972 parameters', 'the Bobcat and Lion plans'],
  ['Panther (Kat 2.2)', '118,332 parameters', 'the Lion plan'],
  ['Lion (Kat 2.4)', '533,412 parameters', 'the Lion plan'],
])('shows %s with a picture, its size and the plans that include it', (name, size, plans) => {
  renderGuide(async () => Response.json({ models: [] }));

  const item = screen.getByRole('heading', { name }).closest('li');
  if (item === null) throw new Error('no item');
  expect(item.querySelector('svg')).not.toBeNull();
  expect(within(item).getByText(size, { exact: false })).toBeDefined();
  expect(within(item).getByText(`Included in ${plans}.`)).toBeDefined();
  for (const term of ['Reads', 'Good at', 'Weak at']) expect(within(item).getByText(term)).toBeDefined();
});

test('shows the verdict on each model once its figures are there', async () => {
  const models = [generatedFigures('bobcat', [generatedGroup('crypto-test')])];
  renderGuide(async () => Response.json({ models }));

  expect(await screen.findByText(/^Its range is 0\.9% more accurate than a random walk’s/)).toBeDefined();
});

function renderGuide(answer: () => Promise<Response>) {
  vi.stubGlobal('fetch', vi.fn(answer));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ModelGuide />
    </QueryClientProvider>,
  );
}
