/** Names that start with OTEL_ come from the OpenTelemetry standard. */
import * as z from 'zod/mini';
import type { Refuse } from './setting-values.ts';
import { weaknessOf } from './weak-secrets.ts';

const ratio = z.coerce.number().check(z.gte(0), z.lte(1));

export const TELEMETRY_FIELDS = {
  /** Opens /metrics to clients that send it as a bearer token. */
  METRICS_TOKEN: z.optional(z.string()),
  /** Serves /metrics on a separate port: `9464` on this machine alone, `0.0.0.0:9464` for others too. */
  METRICS_LISTEN: z.optional(z.string()),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(z.url()),
  /** `name=value`, several separated by commas, values percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: z.optional(z.string()),
  /** The share of requests that is traced, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z._default(ratio, 0),
};

export interface TelemetryConfig {
  /** Null: the site's own port does not serve /metrics. */
  token: string | null;
  ownPort: { host: string; port: number } | null;
  /** The collector to export to, or null for none. The headers are secret. */
  collector: { url: string; headers: Readonly<Record<string, string>> } | null;
  /** 0 turns tracing off. */
  tracedShare: number;
}

const fieldsSchema = z.object(TELEMETRY_FIELDS);
const MIN_TOKEN = 20;

/** @param isNear whether only this machine can reach a host. @param refuse its message must hold no secret */
export function toTelemetryConfig(
  e: z.output<typeof fieldsSchema>,
  isNear: (host: string) => boolean,
  refuse: Refuse,
): TelemetryConfig {
  const weakness = e.METRICS_TOKEN === undefined ? null : weaknessOf(e.METRICS_TOKEN, MIN_TOKEN);
  if (weakness !== null) refuse(`METRICS_TOKEN ${weakness}.`);
  const ownPort = e.METRICS_LISTEN === undefined ? null : placeOf(e.METRICS_LISTEN, refuse);
  if (ownPort !== null && !isNear(ownPort.host) && e.METRICS_TOKEN === undefined)
    refuse('METRICS_LISTEN is reachable from other machines, so METRICS_TOKEN is also required.');
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: tracedShare } = e;
  if (tracedShare > 0 && endpoint === undefined)
    refuse('OTEL_TRACES_SAMPLER_ARG needs OTEL_EXPORTER_OTLP_ENDPOINT, where traces are sent.');
  return {
    token: e.METRICS_TOKEN ?? null,
    ownPort,
    collector:
      endpoint === undefined
        ? null
        : {
            url: baseOf(endpoint, refuse),
            headers: headersOf(e.OTEL_EXPORTER_OTLP_HEADERS ?? '', refuse),
          },
    tracedShare,
  };
}

function placeOf(text: string, refuse: Refuse): { host: string; port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text.trim()) ?? [];
  if (port === '' || Number(port) > 65_535) refuse('METRICS_LISTEN must be a port, or host:port.');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function baseOf(endpoint: string, refuse: Refuse): string {
  const url = new URL(endpoint);
  const isBase = /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!isBase) refuse('OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://collector:4318.');
  return url.href.replace(/\/+$/, '');
}

function headersOf(text: string, refuse: Refuse): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([\w-]+)\s*=\s*(\S+)\s*$/.exec(pair) ?? [];
      if (name === undefined || value === undefined) return refuse(WRONG_HEADERS);
      try {
        return [name, decodeURIComponent(value)] as const;
      } catch {
        // A per cent sign that starts no escape sequence.
        return refuse(WRONG_HEADERS);
      }
    }),
  );
}

const WRONG_HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, separated by commas.';
