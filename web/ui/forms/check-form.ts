/** The first message of each field, from a schema. */
import type * as z from 'zod/mini';
import type { Checked, Messages } from './use-form.ts';

export function checkForm<Name extends string, Parsed>(
  schema: z.ZodMiniType<Parsed>,
  values: Record<Name, string>,
  names: readonly Name[],
): Checked<Name, Parsed> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return { form: parsed.data };
  const messages: Messages<Name> = {};
  for (const issue of parsed.error.issues) {
    const name = names.find((candidate) => candidate === issue.path[0]);
    if (name !== undefined) messages[name] ??= issue.message;
  }
  return { messages };
}
