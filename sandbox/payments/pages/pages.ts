/** The hosted pages over HTTP: checkout, invoice, portal. Browsers reach them through the site's own address. */
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { PaymentEngine } from '../engine/payment-engine.ts';
import { PaymentRefusal } from '../model/refusal.ts';
import { checkoutPage } from './checkout-page.ts';
import { invoicePage } from './invoice-page.ts';
import { pageMarkup } from './markup.ts';
import { portalPage } from './portal-page.ts';
import { heldCards, type PageAnswer } from './visit.ts';

const MAX_FORM_BYTES = 8 * 1024;
const PAGES = { checkout: checkoutPage, invoice: invoicePage, portal: portalPage } as const;

const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/** @param mount  the path of the pages in a browser */
export function paymentPages({ engine, mount }: { engine: PaymentEngine; mount: string }): Hono {
  const app = new Hono();
  const held = heldCards();
  const stylePath = `${mount}/page.css`;

  function respond(answer: PageAnswer): Response {
    if ('location' in answer)
      return new Response(null, { status: 303, headers: { location: answer.location, 'cache-control': 'no-store' } });
    return new Response(pageMarkup({ ...answer, stylePath }), {
      status: answer.status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    });
  }

  app.get(stylePath, (c) =>
    c.body(style, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-store' }),
  );
  for (const [name, page] of Object.entries(PAGES))
    app.on(['GET', 'POST'], `${mount}/${name}/:id`, async (c) => {
      const form = c.req.method === 'POST' ? await formOf(c.req.raw) : null;
      engine.passTime();
      return respond(page({ engine, held, id: c.req.param('id'), form }));
    });
  app.notFound(() =>
    respond({
      status: 404,
      title: 'Nothing here',
      body: '<p>This page doesn’t exist. Start again on the site.</p>',
    }),
  );
  app.onError((error) => {
    if (!(error instanceof PaymentRefusal)) throw error;
    const body = '<p>This payment page has expired or never existed. Start again on the site.</p>';
    return respond({ status: error.facts.status, title: 'Nothing to pay', body });
  });
  return app;
}

async function formOf(request: Request): Promise<URLSearchParams> {
  const text = await request.text();
  if (text.length > MAX_FORM_BYTES)
    throw new PaymentRefusal({ status: 413, type: 'invalid_request_error', message: 'Too large.' });
  return new URLSearchParams(text);
}
