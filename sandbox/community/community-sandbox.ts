/** The stand-in of every community service on loopback: news feeds, video channel, chat invitation, patrons. */
import { createServer } from 'node:http';
import type { Clock } from '#domain/time/clock.ts';

export interface SandboxFeed {
  name: string;
  url: string;
}

export interface CommunitySandboxOptions {
  clock: Clock;
  /** Opens the control of faults: for tests alone. */
  hasFaultControl: boolean;
}

export interface CommunitySandbox {
  newsFeeds: readonly SandboxFeed[];
  youtubeUrl: string;
  discordUrl: string;
  patreonUrl: string;
  /** Where it is broken on purpose; null: it cannot be. */
  faultControlUrl: string | null;
  close(): Promise<void>;
}

export async function startCommunitySandbox(_options: CommunitySandboxOptions): Promise<CommunitySandbox> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The community sandbox has no port.');
  const base = `http://127.0.0.1:${address.port}`;
  return {
    newsFeeds: [],
    youtubeUrl: `${base}/youtube`,
    discordUrl: `${base}/discord`,
    patreonUrl: `${base}/patreon`,
    faultControlUrl: null,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
