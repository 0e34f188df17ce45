/** The only module that uses the library's traces, loaded only when enabled. A span holds what its step reports. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Logger } from './log.ts';
import { EXPORT_TIMEOUT_MS, resourceOf, type Service, sendInTime } from './metrics.ts';
import type { Step, StepWatcher } from './steps.ts';

export interface TracesOptions {
  service: Service;
  collector: { url: string; headers: Readonly<Record<string, string>> };
  /** Share of the traces that start here. A trusted proxy's decision takes precedence. */
  share: number;
  log: Logger;
}

export interface Traces extends StepWatcher {
  /** Sends pending spans, unless that takes too long. */
  close(): Promise<void>;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Steps that get a span only as part of another. */
const BARE = new Set(['statement', 'transaction']);
const SPAN_KINDS: Readonly<Record<string, SpanKind>> = {
  request: SpanKind.SERVER,
  feed: SpanKind.CLIENT,
  payment: SpanKind.CLIENT,
  statement: SpanKind.CLIENT,
};

export async function openTraces({ service, collector, share, log }: TracesOptions): Promise<Traces> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${collector.url}/v1/traces`,
    headers: { ...collector.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes(resourceOf(service)),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer(service.name);
  const contexts = new AsyncLocalStorage<Context>();

  return {
    async watch(step, work) {
      const around = contexts.getStore();
      // An unsampled trace records no further spans; its id stays available for the log.
      if (around !== undefined && !isSampled(around)) return work();
      const above = around ?? contextOf(step.parent);
      // Jobs constantly poll for work, so statements without a parent would be most of all traces.
      if (above === ROOT_CONTEXT && BARE.has(step.kind)) return work();
      const kind = SPAN_KINDS[step.kind] ?? SpanKind.INTERNAL;
      const span = tracer.startSpan(spanName(step), { kind }, above);
      try {
        const result = await contexts.run(trace.setSpan(above, span), work);
        end(span, step);
        return result;
      } catch (error) {
        // Only the code, because a message may quote user input.
        span.setAttribute(
          'error.type',
          isAppError(error) ? error.code : error instanceof Error ? error.name : 'unknown',
        );
        end(span, step, true);
        throw error;
      }
    },
    traceId() {
      const context = contexts.getStore();
      return context === undefined ? undefined : trace.getSpanContext(context)?.traceId;
    },
    close: () => sendInTime(provider.shutdown(), log),
  };
}

function end(span: Span, step: Step, hasFailed = false): void {
  // A request knows its path pattern only once it is answered.
  span.updateName(spanName(step));
  if (step.outcome !== undefined) span.setAttribute('kat.outcome', step.outcome);
  if (hasFailed || step.outcome === '5xx') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function isSampled(context: Context): boolean {
  return ((trace.getSpanContext(context)?.traceFlags ?? TraceFlags.NONE) & TraceFlags.SAMPLED) !== 0;
}

function spanName({ kind, name }: Step): string {
  return kind === 'request' ? name : `${kind} ${name}`;
}

/** The root context, unless a trusted caller sent a valid header. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
