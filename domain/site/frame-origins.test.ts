import { expect, test } from 'vitest';
import { frameOrigins } from './frame-origins.ts';
import { OWN_FILM_PATH, OWN_PAPER_PATH } from './site-settings.ts';

const OWN_FILM = { kind: 'file', url: OWN_FILM_PATH } as const;

test('needs no origin for our own paper and film', () => {
  expect(frameOrigins({ researchUrl: OWN_PAPER_PATH, modelsVideo: OWN_FILM })).toEqual([]);
});

test('names a document and a player elsewhere once each, by origin alone', () => {
  const elsewhere = { kind: 'embed', url: 'https://player.example/embed/1?autoplay=1' } as const;

  expect(frameOrigins({ researchUrl: 'https://docs.example:8443/d/1', modelsVideo: elsewhere })).toEqual([
    'https://docs.example:8443',
    'https://player.example',
  ]);
  expect(frameOrigins({ researchUrl: 'https://player.example/paper', modelsVideo: elsewhere })).toHaveLength(1);
});

test('frames no film elsewhere', () => {
  const film = { kind: 'file', url: 'https://films.example/a.mp4' } as const;

  expect(frameOrigins({ researchUrl: OWN_PAPER_PATH, modelsVideo: film })).toEqual([]);
});

test.each([
  'http://docs.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://a;script-src *',
  'https://Müller.example/',
  'nonsense',
])('drops what a header must not contain: %s', (researchUrl) => {
  expect(frameOrigins({ researchUrl, modelsVideo: OWN_FILM })).toEqual([]);
});
