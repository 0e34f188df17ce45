import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { queryClient } from '../../platform/query-client.ts';
import { fakeBackend, json } from '../../platform/testing/fake-backend.ts';

export interface SettingsServer {
  /** Answers with the sample settings and this change. */
  answer(change: Partial<SiteSettings>): void;
  fail(): void;
}

/** Call before each test: a fake server with the site's settings, whose failures the page does not retry on its own. */
export function settingsServer(): SettingsServer {
  const backend = fakeBackend();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  return {
    answer: (change) => backend.on('GET /site.json', () => json({ ...SAMPLE_SETTINGS, ...change })),
    fail: () => backend.on('GET /site.json', () => json({}, 500)),
  };
}

/** @returns the element around what is drawn */
export function showWithSettings(part: ReactNode): HTMLElement {
  return render(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>).container;
}
