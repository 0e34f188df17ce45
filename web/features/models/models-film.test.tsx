import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { ModelsFilm } from './models-film.tsx';

afterEach(() => vi.unstubAllGlobals());

function show(modelsVideo: SiteSettings['modelsVideo'] | null) {
  vi.stubGlobal('fetch', async () =>
    modelsVideo === null ? new Response('', { status: 503 }) : Response.json({ ...SAMPLE_SETTINGS, modelsVideo }),
  );
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ModelsFilm />
    </QueryClientProvider>,
  );
}

const EMBED = { kind: 'embed', url: 'https://player.example/embed/1' } as const;

test('shows our film before any setting is known, with captions, and loads nothing automatically', () => {
  const { container } = show(null);

  const video = container.querySelector('video');
  expect(video?.getAttribute('preload')).toBe('none');
  expect(video?.hasAttribute('controls')).toBe(true);
  expect(video?.getAttribute('poster')).toBe('/films/models-poster.webp');
  expect(video?.querySelector('source')?.getAttribute('src')).toBe('/films/models.mp4');
  expect(video?.querySelector('track[kind="captions"]')?.getAttribute('src')).toBe('/films/models.en.vtt');
});

test('frames a player elsewhere only on request, shut off from this page', async () => {
  const { container } = show(EMBED);
  const button = await screen.findByRole('button', { name: 'Load the film from player.example' });
  expect(container.querySelector('iframe, video')).toBeNull();
  expect(container.innerHTML).not.toContain(EMBED.url);

  fireEvent.click(button);

  const frame = screen.getByTitle('Film about the models');
  expect(frame.getAttribute('src')).toBe(EMBED.url);
  expect(frame.getAttribute('sandbox')).toContain('allow-scripts');
  expect(frame.getAttribute('sandbox')).not.toContain('top-navigation');
});

test('shows neither our poster nor our captions for another file of the operator’s', async () => {
  const { container } = show({ kind: 'file', url: '/films/own.mp4' });

  await screen.findByText('A film about the models.');

  expect(container.querySelector('source')?.getAttribute('src')).toBe('/films/own.mp4');
  expect(container.querySelector('track')).toBeNull();
  expect(container.querySelector('video')?.hasAttribute('poster')).toBe(false);
});
