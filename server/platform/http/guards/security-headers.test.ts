import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { allowScriptsInside, securityHeaders } from './security-headers.ts';

test('keeps an answer’s own stricter policy and adds every other header', async () => {
  const app = new Hono();
  app.use('*', securityHeaders({ isHttps: false }));
  app.get('/file', (c) => c.body('bytes', 200, { 'content-security-policy': "default-src 'none'; sandbox" }));
  app.get('/page', (c) => c.text('page'));

  const [file, page] = [await app.request('/file'), await app.request('/page')];

  expect(file.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  for (const answer of [file, page]) expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('allows framing only of documents under a framed path, and only by this origin', async () => {
  const app = new Hono();
  app.use('*', securityHeaders({ isHttps: false, framedPaths: ['/paper/'] }));
  app.get('*', (c) => c.text('document'));

  const [paper, page, neighbour] = [
    await app.request('/paper/'),
    await app.request('/legal'),
    await app.request('/papers'),
  ];

  expect(paper.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  expect(paper.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  for (const other of [page, neighbour]) {
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(other.headers.get('x-frame-options')).toBe('DENY');
  }
});

test('lets pages frame the named origins, but not the framed document', async () => {
  const app = new Hono();
  app.use('*', securityHeaders({ isHttps: false, framedPaths: ['/paper/'], frameOrigins: ['https://docs.example'] }));
  app.get('*', (c) => c.text('document'));

  const [page, paper] = [await app.request('/research'), await app.request('/paper/')];

  expect(page.headers.get('content-security-policy')).toContain("frame-src 'self' https://docs.example;");
  expect(paper.headers.get('content-security-policy')).toContain("frame-src 'self';");
});

test('allows a document’s inline scripts by their hash, and none on other answers', async () => {
  const app = new Hono();
  app.use('*', securityHeaders({ isHttps: false }));
  app.get('/page', (c) => {
    allowScriptsInside(c, ['abc=', 'def=']);
    return c.html('page');
  });
  app.get('/other', (c) => c.html('other'));

  const [page, other] = [await app.request('/page'), await app.request('/other')];

  expect(page.headers.get('content-security-policy')).toContain("script-src 'self' 'sha256-abc=' 'sha256-def=';");
  expect(other.headers.get('content-security-policy')).toContain("script-src 'self';");
});

test('allows foreign scripts only on the named pages, beside their own', async () => {
  const app = new Hono();
  const elsewhere = {
    paths: ['/pay'],
    scripts: ['https://js.pay.example'],
    frames: ['https://hooks.pay.example'],
    calls: ['https://api.pay.example'],
  };
  const frameOrigins = ['https://docs.example'];
  app.use('*', securityHeaders({ isHttps: false, elsewhere, frameOrigins, framedPaths: ['/paper/'] }));
  app.get('/pay', (c) => {
    allowScriptsInside(c, ['abc=']);
    return c.html('page');
  });
  app.get('*', (c) => c.html('other'));
  const policyOf = async (path: string) => (await app.request(path)).headers.get('content-security-policy') ?? '';

  const open = await policyOf('/pay');

  expect(open).toContain("script-src 'self' 'sha256-abc=' https://js.pay.example;");
  expect(open).toContain("connect-src 'self' https://api.pay.example;");
  expect(open).toContain("frame-src 'self' https://docs.example https://hooks.pay.example;");
  expect(open).toContain("frame-ancestors 'none'");
  for (const other of ['/', '/payments', '/pay/card', '/paper/', '/account']) {
    expect(await policyOf(other)).not.toContain('pay.example');
  }
});

test('requires https for later requests where the site is reached by https', async () => {
  const headersOf = async (isHttps: boolean) => {
    const app = new Hono();
    app.use('*', securityHeaders({ isHttps }));
    app.get('/page', (c) => c.text('page'));
    return (await app.request('/page')).headers;
  };
  const [encrypted, plain] = [await headersOf(true), await headersOf(false)];

  expect(encrypted.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  expect(encrypted.get('content-security-policy')).toMatch(/; upgrade-insecure-requests$/);
  expect(plain.get('strict-transport-security')).toBeNull();
  expect(plain.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
});

test('disables browser features that this site never uses', async () => {
  const app = new Hono();
  app.use('*', securityHeaders({ isHttps: true }));
  app.get('/page', (c) => c.text('page'));

  const policy = (await app.request('/page')).headers.get('permissions-policy') ?? '';

  for (const name of ['camera', 'microphone', 'geolocation', 'usb', 'display-capture'])
    expect(policy).toContain(`${name}=()`);
  expect(policy).toContain('payment=(self)');
});
