/** Issue forms, workflows and the development container: mistakes that only their host would report. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ROOT } from '../steps.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const text = z.string().check(z.minLength(1));
const formSchema = z.strictObject({
  name: text,
  description: text,
  labels: z.array(text),
  body: z.array(
    z.union([
      z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
      z.strictObject({
        type: z.enum(['input', 'textarea', 'dropdown', 'checkboxes']),
        id: z.string().check(z.regex(/^[a-z-]+$/)),
        attributes: z.looseObject({ label: text, options: z.optional(z.array(z.unknown())) }),
        validations: z.optional(z.strictObject({ required: z.boolean() })),
      }),
    ]),
  ),
});
const containerSchema = z.looseObject({
  build: z.object({ dockerfile: text }),
  forwardPorts: z.array(z.int()),
  postCreateCommand: text,
});

test.each(globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT }).filter((file) => !file.endsWith('config.yml')))(
  'has a valid form in %s',
  (file) => {
    const { body } = formSchema.parse(parse(read(file)));
    const ids = body.flatMap((field) => ('id' in field ? [field.id] : []));

    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
    for (const field of body)
      if (field.type === 'dropdown' || field.type === 'checkboxes')
        expect(field.attributes.options?.length).toBeGreaterThan(0);
  },
);

test('offers a form for bugs, for wrong figures and for ideas', () => {
  const names = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT }).map((file) => file.split('/').at(-1));

  expect(names.sort()).toEqual(['bug.yml', 'config.yml', 'idea.yml', 'wrong-figure.yml']);
});

test('forwards the ports of npm start and npm run dev from a container with a Node that the launcher accepts', () => {
  const container = containerSchema.parse(JSON.parse(read('.devcontainer/devcontainer.json')));
  const [, major] = /^FROM \S*node:(\d+)-bookworm$/m.exec(read(`.devcontainer/${container.build.dockerfile}`)) ?? [];

  const ports = [/^#PORT=(\d+)$/m.exec(read('.env.example')), /port = (\d+)/.exec(read('scripts/site/dev-site.ts'))];

  expect(container.forwardPorts).toEqual(ports.map((found) => Number(found?.[1])));
  expect(container.postCreateCommand).toContain('npm ci');
  expect(Number(major)).toBeGreaterThanOrEqual(24);
});
