/** A browser's requests on its first visit to a page, recorded once: the load repeats them without a browser. */
import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium } from '../../../tests/support/browser/chromium.ts';

export interface VisitRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** True: the server's own code answers; else a file of the site. */
  isCall: boolean;
}

export interface Visit {
  page: string;
  requests: readonly VisitRequest[];
}

const SETTLE_MS = 5000;
const RECORDED_HEADERS = ['apikey', 'authorization', 'content-type', 'accept', 'accept-profile', 'content-profile'];
const FILE = /^\/(?:assets|films|pictures)\/|\.(?:svg|woff2|webp|png|ico|txt|webmanifest)$/;

export async function recordVisits(url: string, pages: readonly string[]): Promise<Visit[]> {
  const browser = await launchChromium();
  try {
    const visits: Visit[] = [];
    for (const page of pages) {
      const context = await browser.newContext({ reducedMotion: 'no-preference' });
      const tab = await context.newPage();
      const requests: VisitRequest[] = [];
      tab.on('request', (request) => {
        const address = new URL(request.url());
        if (address.origin !== url) return;
        const headers = Object.entries(request.headers()).filter(([name]) => RECORDED_HEADERS.includes(name));
        requests.push({
          method: request.method(),
          path: address.pathname + address.search,
          headers: Object.fromEntries(headers),
          body: request.postData(),
          isCall: address.pathname !== page && !FILE.test(address.pathname),
        });
      });
      await tab.goto(url + page);
      await sleep(SETTLE_MS);
      await context.close();
      visits.push({ page, requests });
    }
    return visits;
  } finally {
    await browser.close();
  }
}
