/** The read API's OpenAPI 3.1 document, built from the schemas that parse its requests and check its answers. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { statusOf } from '../../platform/http/calls/http-errors.ts';
import { API_BASE, API_REFUSALS, API_ROUTES, type ApiRoute, ROWS_COST } from './api-routes.ts';

type Json = Record<string, unknown>;

const INTRODUCTION = [
  'Reads forecasts, bands, candles, the public record of forecasts, and your own predictions and watchlist. The record needs no key: all of it is public at /record/*.',
  'A key gives you higher limits, filters and your own data. Create one under Account, Security. Send it as `Authorization: Bearer kat_...`, never in a URL.',
  `A key has 60 points a minute and 5,000 a day, counted separately by each process of the site. A request costs one point, a CSV request ${ROWS_COST}. The RateLimit headers show how many points are left, and Retry-After when to retry.`,
  'JSON answers have an ETag: send it as If-None-Match, and an unchanged answer is 304 without a body.',
].join(' ');

export function openApiDocument(): Json {
  const paths = Object.entries(API_ROUTES).map(([id, route]) => [route.path, { get: operation(id, route) }]);
  return {
    openapi: '3.1.0',
    info: { title: 'Kat read API', version: '1', description: INTRODUCTION },
    servers: [{ url: API_BASE }],
    security: [{ key: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A personal key: kat_ followed by 40 letters and digits.' },
      },
      responses: refusals(),
      headers: {
        'RateLimit-Policy': header(
          'Points (`q`) and length in seconds (`w`) of each window, such as `"minute";q=60;w=60, "day";q=5000;w=86400`.',
          'string',
        ),
        RateLimit: header(
          'Points left (`r`) and seconds until they are restored (`t`) in each window, such as `"minute";r=59;t=60`.',
          'string',
        ),
        ETag: header('Names this answer; see If-None-Match.', 'string'),
        'RateLimit-Limit': header('Point limit of the window with fewer points left.', 'integer'),
        'RateLimit-Remaining': header('Points left in that window after this response.', 'integer'),
        'RateLimit-Reset': header('Seconds until that window resets.', 'integer'),
        'Retry-After': header('Seconds to wait before retrying.', 'integer'),
      },
    },
  };
}

function operation(operationId: string, route: ApiRoute): Json {
  const { name, description, query, params, answer, events } = route;
  return {
    operationId,
    summary: name,
    description,
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), ...headersOf(route)],
    ...(events !== undefined && {
      'x-events': Object.fromEntries(Object.entries(events).map(([event, data]) => [event, jsonSchema(data)])),
    }),
    responses: {
      200: { description: name, headers: answer === undefined ? LIMIT_HEADERS : TAGGED, content: contentOf(route) },
      ...(answer !== undefined && { 304: { description: 'Unchanged: no body.', headers: TAGGED } }),
      ...REFUSAL_REFS,
    },
  };
}

function contentOf({ format, answer }: ApiRoute): Json {
  if (answer !== undefined) return { 'application/json': { schema: jsonSchema(answer) } };
  return { [format === 'csv' ? 'text/csv' : 'text/event-stream']: { schema: { type: 'string' } } };
}

function parametersOf(schema: z.ZodMiniObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: !(part instanceof z.ZodMiniOptional),
    schema: jsonSchema(part),
  }));
}

function headersOf({ format, answer }: ApiRoute): Json[] {
  const schema = { type: 'string' };
  if (format === 'events') return [{ name: 'Last-Event-ID', in: 'header', required: false, schema }];
  return answer === undefined ? [] : [{ name: 'If-None-Match', in: 'header', required: false, schema }];
}

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
const LIMIT_HEADERS = Object.fromEntries(
  ['RateLimit-Policy', 'RateLimit', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    ref(name),
  ]),
);

const TAGGED = { ...LIMIT_HEADERS, ETag: ref('ETag') };

/** A status may have several codes. */
const BY_STATUS = Object.entries(Object.groupBy(API_REFUSALS, (code) => String(statusOf(new AppError(code)))));
const REFUSAL_REFS = Object.fromEntries(
  BY_STATUS.map(([status]) => [status, { $ref: `#/components/responses/Refusal${status}` }]),
);

function refusals(): Json {
  const entries = BY_STATUS.map(([status, codes = []]) => [
    `Refusal${status}`,
    {
      description: codes.map((code) => `\`${code}\`: ${MESSAGES[code]}`).join('\n'),
      ...(status === '429' && { headers: { ...LIMIT_HEADERS, 'Retry-After': ref('Retry-After') } }),
      content: { 'application/json': { schema: refusalSchema(codes) } },
    },
  ]);
  return Object.fromEntries(entries);
}

function refusalSchema(codes: readonly string[]): Json {
  return {
    type: 'object',
    properties: {
      error: { type: 'string', description: 'A message for people. Its wording may change.' },
      code: { type: 'string', enum: codes },
      details: {
        type: 'object',
        description: 'The parameter at fault, the seconds to wait, or the window that is used up.',
      },
    },
    required: ['error', 'code'],
    additionalProperties: false,
  };
}

function header(description: string, type: 'string' | 'integer'): Json {
  return { description, schema: { type } };
}

/** The schema of the output. Dates need no pattern beside their format. */
function jsonSchema(schema: z.core.$ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'output',
    override({ jsonSchema: part }) {
      if (part.format === 'date-time' || part.format === 'date') delete part.pattern;
    },
  });
  return json;
}
