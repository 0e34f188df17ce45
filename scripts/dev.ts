/** `npm run dev`: the server restarting on changes, and the site's sources served and refreshed by Vite before it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { NODE, ROOT } from './steps.ts';

const watched = ['server', 'domain', 'sandbox', 'supabase'].map((name) => `--watch-path=${join(ROOT, name)}`);
const server = spawn(NODE, [...watched, join(ROOT, 'scripts/start.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
const site = await createServer({
  configFile: join(ROOT, 'vite.config.ts'),
  server: { host: '127.0.0.1' },
});
await site.listen();
site.printUrls();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.kill(signal);
    void site.close();
  });
}
