/** Accepts every mail over SMTP, delivers none. Browsers see it through the site, under /dev/mailbox. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Clock } from '#domain/time/clock.ts';
import { isToLoopback } from '../loopback-host.ts';
import { closeServer, listenOnLoopback } from '../loopback-server.ts';
import { type MailboxAnswer, mailboxAnswer, wrongHost } from './mailbox-routes.ts';
import { type ReceivedMail, readMail, storedMails } from './mails.ts';
import { openSmtpSink } from './smtp-sink.ts';

export interface SandboxMailboxOptions {
  clock: Clock;
  /** 0 or absent: any free port. */
  smtpPort?: number;
  httpPort?: number;
  /** The reply code that refuses a recipient, as a real server may; null accepts it. Absent: all are accepted. */
  refusalOf?: (address: string) => number | null;
}

export interface SandboxMailbox {
  smtpUrl: string;
  /** Base address of the pages, without a trailing slash. */
  url: string;
  /** Newest first. @param to  an address, in any case; absent: all addresses */
  mails(to?: string): ReceivedMail[];
  close(): Promise<void>;
}

const MAX_STORED = 500;

/** @throws Error when a port is taken */
export async function startSandboxMailbox(options: SandboxMailboxOptions): Promise<SandboxMailbox> {
  const mails = storedMails(MAX_STORED);
  const sink = await openSmtpSink({
    port: options.smtpPort ?? 0,
    refusalOf: options.refusalOf,
    async onMail({ raw, to }) {
      const content = await readMail(raw);
      const receivedAt = new Date(options.clock.nowMs()).toISOString();
      for (const recipient of to) mails.add({ id: randomUUID(), to: recipient, ...content, receivedAt });
    },
  });

  function answerTo(request: IncomingMessage): MailboxAnswer {
    if (!isToLoopback(request)) return wrongHost();
    return mailboxAnswer(request.method ?? 'GET', request.url ?? '/', mails, options.clock.nowMs());
  }

  const server = createServer((request, response) => {
    const { status, headers, body } = answerTo(request);
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  const port = await listenOnLoopback(server, options.httpPort);

  return {
    smtpUrl: `smtp://127.0.0.1:${sink.port}`,
    url: `http://127.0.0.1:${port}`,
    mails: (to) => mails.list(to ?? null),
    async close() {
      await sink.close();
      await closeServer(server);
    },
  };
}
