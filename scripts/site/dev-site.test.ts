/** The development site: pages come from their sources, everything else from the started server behind it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SITE_ROUTES } from '#domain/site/routes.ts';
import { isServerPath } from './dev-site.ts';

test('sends no page or source request to the server', () => {
  const sources = ['/main.tsx', '/begin.js', '/@vite/client', '/features/news/news-panel.tsx', '/push-worker.js'];
  const paths = [...SITE_ROUTES.map(({ path }) => path), ...sources, '/gallery/lion-1.webp', '/no-such-page'];

  expect(paths.filter(isServerPath)).toEqual([]);
});

test('sends every address of the HTTP interface to the server', () => {
  const text = readFileSync(new URL('../../docs/http-api.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/`(?:(?:GET|POST|PUT|DELETE) )+(\/[\w./-]*)/g)].map(([, path = '']) => path);
  // A service's tables list its calls without the prefix that is given above them.
  const whole = documented.filter(
    (path) =>
      !/^\/(?:signup|token|otp|verify|reauthenticate|user|logout|authorize|factors|sso|settings|health|bucket|object|\.well-known)\b/.test(
        path,
      ),
  );

  expect(whole.length).toBeGreaterThan(30);
  expect(whole.filter((path) => !isServerPath(path))).toEqual([]);
});

test('sends what only a build creates', () => {
  const paths = ['/research-paper/', '/research-paper', '/assets/inter-latin-wght-normal-Dx4kXJAl.woff2'];

  expect(paths.filter((path) => !isServerPath(path))).toEqual([]);
});
