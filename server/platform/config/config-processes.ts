import * as z from 'zod/mini';
import type { Refuse } from './setting-values.ts';

export const PROCESS_FIELDS = {
  /**
   * `nats://user:password@host:4222`, comma-separated. A path, as in `nats://host:4222/other`, prefixes all subjects.
   */
  NATS_URL: z.optional(z.string()),
  /** How long a process keeps serving after SIGTERM while /readyz sends visitors elsewhere. */
  DRAIN_MS: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(300_000)), 0),
};

export interface ProcessesConfig {
  /** Null when the process works alone. The address holds a secret. */
  nats: { url: string; prefix: string } | null;
  drainMs: number;
}

interface ProcessSettings {
  NATS_URL?: string | undefined;
  DRAIN_MS: number;
}

/** @param refuse called with a message that omits the address */
export function toProcessesConfig(
  settings: ProcessSettings,
  { hasDatabase }: { hasDatabase: boolean },
  refuse: Refuse,
): ProcessesConfig {
  const { NATS_URL: text, DRAIN_MS: drainMs } = settings;
  if (text === undefined) return { nats: null, drainMs };
  const brokers = text.split(',').map((one) => BROKER.exec(one.trim()));
  const urls = brokers.map((match) => match?.[1] ?? '');
  const prefixes = new Set(brokers.flatMap((match) => match?.[2] ?? []));
  if (!urls.every((url) => URL.parse(url)?.hostname) || prefixes.size > 1)
    refuse(
      'NATS_URL must be a URL such as nats://user:password@host:4222 (or tls://), or several separated by commas. A path sets one prefix for all of them.',
    );
  if (!hasDatabase)
    refuse(
      'NATS_URL connects several server processes, which need DATABASE_URL: the embedded database serves only one.',
    );
  return { nats: { url: urls.join(','), prefix: [...prefixes][0] ?? 'kat' }, drainMs };
}

const BROKER = /^((?:nats|tls):\/\/[^/?#]+)(?:\/([A-Za-z0-9_-]{1,40})?)?$/;
