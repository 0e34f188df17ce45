/** One byte about TLS, before any login: needs no statement, disk or free session, and a pooler answers it too. */
import { connect } from 'node:net';
import postgres from 'postgres';

/** SSLRequest of the protocol: its length and its number. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
/** No process listens there, or it hangs up. The machine itself reports both, so it is reachable. */
const ANSWERS = new Set(['ECONNREFUSED', 'ECONNRESET']);

/** @returns whether anything responded before the signal; with several hosts, any of them counts. Never rejects. */
export function postgresAnswers(url: string, signal: AbortSignal): Promise<boolean> {
  // Parses the address like the driver does; this opens no connection.
  const { host, port, path } = postgres(url, { max: 1 }).options;
  const places = path
    ? [{ path: String(path) }]
    : host.map((name, nth) => ({ host: name, port: port[nth] ?? port[0] ?? 5432 }));
  return Promise.any(places.map((place) => placeAnswers(place, signal))).catch(() => false);
}

function placeAnswers(place: { path: string } | { host: string; port: number }, signal: AbortSignal): Promise<true> {
  return new Promise((resolve, reject) => {
    const socket = connect(place);
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    socket.once('connect', () => socket.write(TLS_REQUEST));
    socket.once('data', () => {
      resolve(true);
      end();
    });
    socket.once('end', () => resolve(true));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (ANSWERS.has(error.code ?? '')) resolve(true);
    });
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      reject(new Error('no response'));
    });
  });
}
