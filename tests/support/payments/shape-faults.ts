import * as z from 'zod/mini';
import { providerSchema } from './provider-schema.ts';
import { schemaFaults } from './schema-faults.ts';

const MAX_SHOWN = 12;

/** @param path  as it was requested, without the question mark and the query */
export function answerFaults(method: string, path: string, answer: unknown): string[] {
  if (errorSchema.safeParse(answer).success) return faultsBy(providerSchema().$defs.ErrorAnswer, answer);
  const call = callOf(method, path);
  if (call === null) return [`the SDK's declarations were not read for ${method} ${path}`];
  return [...faultsBy(declaredIn('Answers', call), answer), ...eventsIn(answer).flatMap(eventFaults)];
}

/** @param event  whole, as posted or listed */
export function eventFaults(event: unknown): string[] {
  const { type } = eventSchema.parse(event);
  const declared = declaredIn('Events', type);
  if (declared === undefined) return [`the SDK's declarations were not read for the event ${type}`];
  return faultsBy(declared, withWholePast(event)).map((fault) => `${type}${fault}`);
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
  const names = Object.keys(providerSchema().$defs.Answers?.properties ?? {});
  return names.find((name) => new RegExp(`^${name.replaceAll(':id', '[^/]+')}$`).test(`${method} ${path}`)) ?? null;
}

function declaredIn(definition: 'Answers' | 'Events', name: string): unknown {
  return providerSchema().$defs[definition]?.properties?.[name];
}

/** If a part has several possible shapes, the deepest faults are the most useful. */
function faultsBy(declared: unknown, value: unknown): string[] {
  const faults = schemaFaults(declared, value, providerSchema());
  return faults
    .toSorted((a, b) => depth(b.path) - depth(a.path))
    .slice(0, MAX_SHOWN)
    .map(({ path, message }) => `${path} ${message}`);
}

function depth(path: string): number {
  return path.split('/').length;
}
