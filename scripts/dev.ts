/** `npm run dev`: restarts the server on changes; Vite in front of it serves and refreshes the site's sources. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openSite } from './site/build-site.ts';
import { openDevSite } from './site/dev-site.ts';
import { NODE, ROOT } from './steps.ts';

/** In watch mode, Node reports each import of a worker thread to its parent, among the thread's own messages. */
const NO_REPORTS = 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES';

// Built once, not on each restart: the paper and the record's program come from it, pages do not.
const { siteDir, pendingDocs } = await openSite(process.env.SITE_DIR ?? null);
pendingDocs?.start();
const port = process.env.PORT ?? '3000';
/** Beside the server's if that was chosen; `0` chooses any. */
const pagesPort = Number(process.env.PORT ?? 0) === 0 ? undefined : Number(port) + 1;
const { url, site } = await openDevSite(`http://127.0.0.1:${port}`, pagesPort);
const watched = ['server', 'domain', 'sandbox', 'supabase'].map((name) => `--watch-path=${join(ROOT, name)}`);
// SIGTERM would wait for open pages to disconnect.
const flags = [...watched, '--watch-kill-signal=SIGINT', '--watch-preserve-output', `--import=${NO_REPORTS}`];
const server = spawn(NODE, [...flags, join(ROOT, 'scripts/start.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  // Sign-in, mails and payments redirect to the pages' address.
  env: { PUBLIC_URL: url, ...process.env, SITE_DIR: siteDir },
});
console.log(`\n  Pages:         ${url}, as their sources are; the server behind them starts`);

const stop = (signal: NodeJS.Signals) => {
  server.kill(signal);
  void site.close();
  void pendingDocs?.stop();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
// The launcher was killed. Waiting for that keeps nothing alive.
process.on('disconnect', () => stop('SIGINT'));
process.channel?.unref();
