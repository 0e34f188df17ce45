/** The environment settings of monitoring. Names that start with OTEL_ come from the OpenTelemetry standard. */
import * as z from 'zod/mini';
import { weaknessOf } from './weak-secrets.ts';

const ratio = z.coerce.number().check(z.gte(0), z.lte(1));

export const TELEMETRY_FIELDS = {
  /** Opens /metrics to clients that send it as a bearer token. */
  METRICS_TOKEN: z.optional(z.string()),
  /** Serves /metrics on a separate port. */
  METRICS_PORT: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535))),
  METRICS_HOST: z._default(z.string(), '127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(z.url()),
  /** `name=value`, several separated by commas, values percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: z.optional(z.string()),
  OTEL_METRIC_EXPORT_INTERVAL: z._default(z.coerce.number().check(z.int(), z.gte(1000), z.lte(3_600_000)), 60_000),
  OTEL_SERVICE_NAME: z._default(z.string().check(z.regex(/^[\w.-]{1,60}$/)), 'kat'),
  /** The share of requests that is traced, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z._default(ratio, 0),
};

export interface TelemetryConfig {
  /** Null: the site's own port does not serve /metrics. */
  token: string | null;
  /** Null: no separate port. */
  ownPort: { host: string; port: number } | null;
  /** The collector to export to, or null for none. The headers are secret. */
  collector: { url: string; headers: Readonly<Record<string, string>>; intervalMs: number } | null;
  serviceName: string;
  /** 0 turns tracing off. */
  tracedShare: number;
}

const fieldsSchema = z.object(TELEMETRY_FIELDS);
const MIN_TOKEN = 20;

/**
 * @param isNear  whether a host is reachable from this machine only
 * @param refuse  called with a message that holds no secret
 */
export function toTelemetryConfig(
  e: z.output<typeof fieldsSchema>,
  isNear: (host: string) => boolean,
  refuse: (sentence: string) => never,
): TelemetryConfig {
  const weakness = e.METRICS_TOKEN === undefined ? null : weaknessOf(e.METRICS_TOKEN, MIN_TOKEN);
  if (weakness !== null) refuse(`METRICS_TOKEN ${weakness}.`);
  if (e.METRICS_PORT !== undefined && !isNear(e.METRICS_HOST) && e.METRICS_TOKEN === undefined)
    refuse('METRICS_HOST is reached by others than this machine: METRICS_TOKEN is needed too.');
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: tracedShare } = e;
  if (tracedShare > 0 && endpoint === undefined)
    refuse('OTEL_TRACES_SAMPLER_ARG needs OTEL_EXPORTER_OTLP_ENDPOINT, where traces are sent.');
  return {
    token: e.METRICS_TOKEN ?? null,
    ownPort: e.METRICS_PORT === undefined ? null : { host: e.METRICS_HOST, port: e.METRICS_PORT },
    collector:
      endpoint === undefined
        ? null
        : {
            url: baseOf(endpoint, refuse),
            headers: headersOf(e.OTEL_EXPORTER_OTLP_HEADERS ?? '', refuse),
            intervalMs: e.OTEL_METRIC_EXPORT_INTERVAL,
          },
    serviceName: e.OTEL_SERVICE_NAME,
    tracedShare,
  };
}

function baseOf(endpoint: string, refuse: (sentence: string) => never): string {
  const url = new URL(endpoint);
  const isBase = /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!isBase) refuse('OTEL_EXPORTER_OTLP_ENDPOINT must be an address like http://collector:4318.');
  return url.href.replace(/\/+$/, '');
}

function headersOf(text: string, refuse: (sentence: string) => never): Record<string, string> {
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

const WRONG_HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS must be name=value, several apart by commas.';
