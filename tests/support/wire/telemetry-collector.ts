/** A collector of metrics and traces on loopback: receives what a server sends by OTLP over HTTP, as JSON. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';

const valueSchema = z.looseObject({ stringValue: z.optional(z.string()) });
const attributesSchema = z.optional(z.array(z.object({ key: z.string(), value: valueSchema })));
const spanSchema = z.looseObject({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  attributes: attributesSchema,
});
const tracesSchema = z.object({
  resourceSpans: z.array(z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(spanSchema) })) })),
});
const metricsSchema = z.object({
  resourceMetrics: z.array(
    z.looseObject({ scopeMetrics: z.array(z.looseObject({ metrics: z.array(z.looseObject({ name: z.string() })) })) }),
  ),
});
export type CollectedSpan = z.infer<typeof spanSchema>;

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Names of received metrics. */
  figures: Set<string>;
  /** Every body as received, and every `authorization` header. */
  bodies: string[];
  authorizations: Set<string>;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const figures = new Set<string>();
  const bodies: string[] = [];
  const authorizations = new Set<string>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    bodies.push(text);
    authorizations.add(request.headers.authorization ?? '');
    const body: unknown = JSON.parse(text);
    if (request.url === '/v1/traces')
      for (const { scopeSpans } of tracesSchema.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
    else
      for (const { scopeMetrics } of metricsSchema.parse(body).resourceMetrics)
        for (const scope of scopeMetrics) for (const { name } of scope.metrics) figures.add(name);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    figures,
    bodies,
    authorizations,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
