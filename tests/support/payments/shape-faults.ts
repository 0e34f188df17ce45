/** Reports where an answer or an event of the sandbox differs from the SDK's declarations. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import * as z from 'zod/mini';
import { type ProviderSchema, providerSchema } from './provider-schema.ts';

const MAX_TOLD = 12;

interface Checks {
  schema: ProviderSchema;
  of(definition: string, property?: string): ValidateFunction | null;
}

let opened: Checks | null = null;

/** Takes seconds, once per process: call it in a test's setup. */
export function prepareShapeChecks(): void {
  // The shapes refer to each other: compiling one compiles nearly all.
  checks().of('Answers', 'GET /v1/subscriptions/:id');
}

function checks(): Checks {
  if (opened !== null) return opened;
  const schema = providerSchema();
  // Compiled checks run once or twice: optimising them costs more than it saves.
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema(schema, 'provider');
  opened = {
    schema,
    of(definition, property) {
      const place = property === undefined ? '' : `/properties/${pointerPart(property)}`;
      return ajv.getSchema(`provider#/$defs/${definition}${place}`) ?? null;
    },
  };
  return opened;
}

/** @param path  as it was requested, without the question mark and the query */
export function answerFaults(method: string, path: string, answer: unknown): string[] {
  if (errorSchema.safeParse(answer).success) return faultsBy(checks().of('ErrorAnswer'), answer);
  const call = callOf(method, path);
  if (call === null) return [`the SDK's declarations were not read for ${method} ${path}`];
  return [...faultsBy(checks().of('Answers', call), answer), ...eventsIn(answer).flatMap(eventFaults)];
}

/** @param event  whole, as posted or listed */
export function eventFaults(event: unknown): string[] {
  const { type } = eventSchema.parse(event);
  const check = type in (checks().schema.$defs.Events?.properties ?? {}) ? checks().of('Events', type) : null;
  if (check === null) return [`the SDK's declarations were not read for the event ${type}`];
  return faultsBy(check, withWholePast(event)).map((fault) => `${type}${fault}`);
}

const updateSchema = z.looseObject({
  data: z.looseObject({
    object: z.record(z.string(), z.unknown()),
    previous_attributes: z.record(z.string(), z.unknown()),
  }),
});

/** In a group of fields, an update names only the changed members, but the SDK declares all: this adds the others. */
function withWholePast(event: unknown): unknown {
  const update = updateSchema.safeParse(event);
  if (!update.success) return event;
  const { object, previous_attributes: past } = update.data.data;
  const whole = Object.entries(past).map(([name, was]) => [name, merged(object[name], was, name)]);
  return { ...update.data, data: { ...update.data.data, previous_attributes: Object.fromEntries(whole) } };
}

function merged(is: unknown, was: unknown, name: string): unknown {
  const [now, before] = [groupSchema.safeParse(is), groupSchema.safeParse(was)];
  if (!now.success || !before.success) return was;
  const members = Object.entries(before.data).map(([key, value]) => [key, merged(now.data[key], value, key)]);
  const whole = { ...now.data, ...Object.fromEntries(members) };
  if (name !== 'metadata') return whole;
  // A name that did not exist before is reported as null.
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null));
}

const errorSchema = z.object({ error: z.unknown() });
const eventSchema = z.object({ object: z.literal('event'), type: z.string() });
const groupSchema = z.record(z.string(), z.unknown());
const listSchema = z.object({ object: z.literal('list'), data: z.array(z.unknown()) });

function eventsIn(answer: unknown): unknown[] {
  const list = listSchema.safeParse(answer);
  const found = list.success ? list.data.data : [answer];
  return found.filter((one) => eventSchema.safeParse(one).success);
}

/** The name in `provider-shapes.ts`. The first match is right, because fixed names precede `:id`. */
export function callOf(method: string, path: string): string | null {
  const names = Object.keys(checks().schema.$defs.Answers?.properties ?? {});
  return names.find((name) => new RegExp(`^${name.replaceAll(':id', '[^/]+')}$`).test(`${method} ${path}`)) ?? null;
}

function faultsBy(check: ValidateFunction | null, value: unknown): string[] {
  if (check === null) throw new Error('The schema has no such part.');
  if (check(value) === true) return [];
  // If a part has several possible shapes, the deepest errors are the most useful.
  const errors = (check.errors ?? []).toSorted((a, b) => depth(b) - depth(a));
  return errors.slice(0, MAX_TOLD).map(told);
}

function depth({ instancePath }: ErrorObject): number {
  return instancePath.split('/').length;
}

function told({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`;
}

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
