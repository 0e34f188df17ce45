import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { HighScores } from './high-scores.tsx';
import { Testimonials } from './testimonials.tsx';

afterEach(() => vi.unstubAllGlobals());

function show(settings: Partial<SiteSettings>) {
  const fetched = vi.fn(async () => Response.json({ ...SAMPLE_SETTINGS, ...settings }));
  vi.stubGlobal('fetch', fetched);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <HighScores />
      <Testimonials />
    </QueryClientProvider>,
  );
  return { isKnown: () => vi.waitFor(() => expect(client.getQueryData(['site-settings'])).toBeDefined()) };
}

test('shows no quote and no picture while the site has only samples', async () => {
  const { isKnown } = show({});

  await isKnown();
  expect(screen.queryByRole('region')).toBeNull();
  expect(screen.queryByText('Sample quote')).toBeNull();
});

test('shows no empty section if the operator lists no quotes', async () => {
  const { isKnown } = show({ testimonials: [], samples: { ...SAMPLE_SETTINGS.samples, testimonials: false } });

  await isKnown();
  expect(screen.queryByRole('region')).toBeNull();
});

test('shows the operator’s quotes and pictures with their captions', async () => {
  show({
    testimonials: [{ name: 'Ada', role: 'Student', content: 'What she wrote.', rating: 4 }],
    simulatorPictures: [{ url: '/simulator-pictures/1', text: 'A calm run' }],
    samples: { ...SAMPLE_SETTINGS.samples, testimonials: false },
  });

  const quotes = within(await screen.findByRole('region', { name: 'Testimonials' }));
  expect(quotes.getByText('4 of 5 stars')).toBeDefined();
  const picture = within(screen.getByRole('region', { name: 'High scores' })).getByRole('img', { name: 'A calm run' });
  expect(picture.getAttribute('src')).toBe('/simulator-pictures/1');
});
