/** The environment settings of a server that runs as one of several processes. */
import * as z from 'zod/mini';

export const PROCESS_FIELDS = {
  /** The broker between processes: `nats://user:password@host:4222`, several separated by commas. */
  NATS_URL: z.optional(z.string()),
  /** Prefix of all subjects, because one broker may serve several sites. */
  NATS_PREFIX: z._default(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/)), 'kat'),
  /** How long a process keeps serving after SIGTERM while /readyz sends visitors elsewhere. */
  DRAIN_MS: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(300_000)), 0),
};

export interface ProcessesConfig {
  /** Null when the process works alone. The address holds a secret. */
  nats: { url: string; prefix: string } | null;
  drainMs: number;
}

interface Given {
  NATS_URL?: string | undefined;
  NATS_PREFIX: string;
  DRAIN_MS: number;
}

/** @param refuse  called with a message that omits the address */
export function toProcessesConfig(
  given: Given,
  { hasDatabase }: { hasDatabase: boolean },
  refuse: (sentence: string) => never,
): ProcessesConfig {
  const { NATS_URL: url, NATS_PREFIX: prefix, DRAIN_MS: drainMs } = given;
  if (url === undefined) return { nats: null, drainMs };
  if (!url.split(',').every(isBroker))
    refuse('NATS_URL must be an address like nats://user:password@host:4222 (or tls://), several apart by commas.');
  if (!hasDatabase)
    refuse('NATS_URL joins many server processes, which need DATABASE_URL: the embedded database serves one alone.');
  return { nats: { url, prefix }, drainMs };
}

function isBroker(text: string): boolean {
  const url = URL.parse(text.trim());
  return (
    url !== null && /^(nats|tls):$/.test(url.protocol) && url.hostname !== '' && url.search === '' && url.hash === ''
  );
}
