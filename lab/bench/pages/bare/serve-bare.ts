/** Builds the bare page and serves it over loopback, compressed like the site itself. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };
/** The file that Lighthouse requests of every site. */
const ROBOTS = 'User-agent: *\nAllow: /\n';

export interface BareSite {
  url: string;
  close(): void;
}

export async function serveBarePage(): Promise<BareSite> {
  const files = await builtFiles();
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const body = files.get(path);
    const headers = body && { 'content-type': TYPES[extname(path)] ?? 'text/plain', 'content-encoding': 'br' };
    response.writeHead(body ? 200 : 404, headers).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Compressed, by path. */
async function builtFiles(): Promise<Map<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'kat-bare-'));
  try {
    await build({
      configFile: false,
      root: import.meta.dirname,
      mode: 'production',
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true, modulePreload: false, reportCompressedSize: false },
    });
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) in TYPES);
    const built = names.map((name): [string, Buffer] => [`/${name}`, readFileSync(join(folder, name))]);
    built.push(['/robots.txt', Buffer.from(ROBOTS)]);
    return new Map(built.map(([path, bytes]) => [path, brotliCompressSync(bytes)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
