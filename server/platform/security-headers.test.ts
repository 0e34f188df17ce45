import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

test('an answer keeps a stricter policy of its own and gets every other header', async () => {
  const app = new Hono();
  app.use('*', securityHeaders({ isHttps: false }));
  app.get('/file', (c) => c.body('bytes', 200, { 'content-security-policy': "default-src 'none'; sandbox" }));
  app.get('/page', (c) => c.text('page'));

  const [file, page] = [await app.request('/file'), await app.request('/page')];

  expect(file.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  for (const answer of [file, page]) expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});
