/** `npm run dev`: the server restarting on changes, and the site's sources served and refreshed by Vite before it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openSite } from './site/build-site.ts';
import { openDevSite } from './site/dev-site.ts';
import { NODE, ROOT } from './steps.ts';

/** The watching Node tells every import of a thread to whoever started it, among the thread's own messages. */
const UNTOLD = 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES';

// Once, not with each restart: the paper and the record's program are taken from it, pages are not.
const { siteDir } = await openSite(process.env.SITE_DIR ?? null);
const { url, site } = await openDevSite(`http://127.0.0.1:${process.env.PORT ?? '3000'}`);
const watched = ['server', 'domain', 'sandbox', 'supabase'].map((name) => `--watch-path=${join(ROOT, name)}`);
// SIGTERM would wait for whoever has a page open.
const flags = [...watched, '--watch-kill-signal=SIGINT', '--watch-preserve-output', `--import=${UNTOLD}`];
const server = spawn(NODE, [...flags, join(ROOT, 'scripts/start.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  // Sign-in, mails and payments come back to where the pages are.
  env: { PUBLIC_URL: url, ...process.env, SITE_DIR: siteDir },
});
console.log(`\n  Pages:         ${url}, as their sources are; the server behind them starts`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.kill(signal);
    void site.close();
  });
}
