import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { LegalDocument } from './legal-document.tsx';

afterEach(() => vi.unstubAllGlobals());

function show(settings: SiteSettings | null) {
  vi.stubGlobal('fetch', async () => (settings === null ? new Response('', { status: 503 }) : Response.json(settings)));
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <LegalDocument />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('says at the top that it is a template', () => {
  show(null);

  const note = screen.getByRole('complementary', { name: 'About this text' });
  expect(note.textContent).toContain('A template');
  expect(note.compareDocumentPosition(screen.getByRole('navigation', { name: 'Contents' }))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
});

test('leads from every line of the contents to a heading of the same text, with every anchor there once', () => {
  const { container } = show(null);

  const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
  expect(links.length).toBeGreaterThan(15);
  for (const link of links) {
    const targets = container.querySelectorAll(link.getAttribute('href') ?? 'none');
    expect(targets).toHaveLength(1);
    expect(targets[0]?.textContent?.replace(/^\d+\. /, '')).toBe(link.textContent);
  }
});

test('names the operator and the contact of the site settings, and marks samples as samples', async () => {
  show({ ...SAMPLE_SETTINGS, operatorName: 'Ada Research', supportEmail: 'help@ada.example' });

  expect((await screen.findAllByRole('link', { name: 'help@ada.example' })).length).toBeGreaterThan(2);
  expect(screen.getAllByText(/Ada Research/).length).toBeGreaterThan(1);
  expect(screen.getByText(/are samples/)).toBeDefined();
});

test('does not mark an operator who was set as a sample', async () => {
  show({ ...SAMPLE_SETTINGS, samples: { ...SAMPLE_SETTINGS.samples, operator: false } });

  await screen.findAllByRole('link', { name: SAMPLE_SETTINGS.supportEmail });
  expect(screen.queryByText(/are samples/)).toBeNull();
});

test('renders whole while the settings are not known', () => {
  show(null);

  expect(screen.getAllByText(/The operator of this site/).length).toBeGreaterThan(1);
  expect(screen.getAllByText(/the support contact in the footer/).length).toBeGreaterThan(1);
});

test('states prices, limits and the grace of two hours as they are sold', () => {
  show(null);

  expect(screen.getByText(/\$29\.99 a month, 10 predictions a day and 60 a month/)).toBeDefined();
  expect(screen.getByText(/\$69\.99 a month, 15 predictions a day and 300 a month/)).toBeDefined();
  expect(screen.getByText(/for 2 hours after it, the plan stays usable/)).toBeDefined();
});
