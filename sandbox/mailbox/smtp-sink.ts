/** An SMTP server on loopback that accepts every mail and delivers none. */
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';

export interface SmtpSinkOptions {
  /** 0: any free port. */
  port: number;
  onMail(mail: { raw: Uint8Array; to: readonly string[] }): Promise<void>;
  /** The reply code that refuses a recipient, as a server does for an unknown one; null accepts it. */
  refusalOf?: ((address: string) => number | null) | undefined;
}

export interface SmtpSink {
  port: number;
  close(): Promise<void>;
}

const MAX_MAIL_BYTES = 2 * 1024 * 1024;
const MAX_CLIENTS = 50;
const SOCKET_TIMEOUT_MS = 30_000;

export async function openSmtpSink(options: SmtpSinkOptions): Promise<SmtpSink> {
  const server = new SMTPServer({
    name: 'mailbox.localhost',
    banner: 'Development mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    rejectOversized: true,
    maxClients: MAX_CLIENTS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    closeTimeout: 1000,
    logger: false,
    onRcptTo(address, _session, answer) {
      const code = options.refusalOf?.(address.address) ?? null;
      answer(code === null ? null : refusal(code));
    },
    onData(stream, session, answer) {
      const to = session.envelope.rcptTo.map((recipient) => recipient.address);
      wholeOf(stream)
        .then((raw) => (stream.sizeExceeded ? undefined : options.onMail({ raw, to })))
        .then(
          () => answer(null),
          () => answer(refusal(554)),
        );
    },
  });
  // A client that disconnects is no error here.
  const ignore = () => undefined;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      server.off('error', reject);
      server.on('error', ignore);
      resolve();
    });
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The mailbox has no port.');
  return {
    port: address.port,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** Reads and drops bytes over the limit, because the client waits for an answer after its last line. */
async function wholeOf(stream: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.byteLength;
    if (size <= MAX_MAIL_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error(`Refused with ${responseCode}`), { responseCode });
}
