/** Checks the container files by parsing them. It needs no container engine; try-image.ts runs them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { ROOT } from '../site/site-cache.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const UID = 10_001;

describe('the Dockerfile', () => {
  const lines = read('Dockerfile')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const of = (instruction: string, among = lines) => among.filter((line) => line.startsWith(`${instruction} `));

  test('runs as a user with a separate number, which is not root', () => {
    expect(of('USER', lastStage)).toEqual([`USER ${UID}:${UID}`]);
    expect(lastStage.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
      lastStage.findIndex((line) => line.startsWith('ENTRYPOINT ')),
    );
  });

  test('fetches nothing but the locked packages, and copies only files that are named', () => {
    expect(of('ADD')).toEqual([]);
    expect(lines.filter((line) => /https?:\/\/|curl|wget|apt-get|npm (?:install|i)\b|COPY \. /.test(line))).toEqual([]);
    for (const line of of('RUN').filter((one) => one.includes('npm'))) expect(line).toContain('npm ci ');
    for (const [, name = ''] of lines.flatMap((line) => [...line.matchAll(/^COPY (?!--from)(\S+)/g)]))
      expect(existsSync(join(ROOT, name)), name).toBe(true);
  });

  test('holds no secret: none is an argument or a variable, and the registry’s stays in its step', () => {
    const named = [...of('ARG'), ...of('ENV')].join('\n');
    expect(named).not.toMatch(/SECRET|PASSWORD|TOKEN|_KEY|_URL/i);
    expect(lines.join('\n')).toContain('--mount=type=secret,id=npmrc');
    expect(lines.filter((line) => /^COPY .*(?:keys\.json|\.env\b(?!\.example)|secrets)/.test(line))).toEqual([]);
  });

  test('has a health check by its own Node, and packages that run alone', () => {
    expect(of('HEALTHCHECK', lastStage).join()).toContain('CMD ["node", "scripts/image/is-ready.mjs"]');
    expect(lastStage.filter((line) => line.includes('--from='))).toEqual([
      'COPY --from=packages /app/node_modules ./node_modules',
      'COPY --from=site /app/site ./site',
    ]);
    expect(lines.find((line) => line.includes('--omit=dev'))).toBeDefined();
  });

  test('sends the builder nothing by default', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
    for (const state of ['!.data', '!.env', '!.git', '!secrets']) expect(ignored).not.toContain(state);
  });
});

const serviceSchema = z.object({
  image: z.string(),
  user: z.optional(z.string()),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.optional(z.array(z.string())),
  security_opt: z.array(z.string()),
  environment: z.optional(z.record(z.string(), z.string())),
  secrets: z.optional(z.array(z.string())),
  ports: z.optional(z.array(z.string())),
  networks: z.optional(z.array(z.string())),
  depends_on: z.optional(z.record(z.string(), z.object({ condition: z.string() }))),
  healthcheck: z.optional(z.object({ test: z.array(z.string()) })),
  deploy: z.object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) }),
});

describe('compose.yaml', () => {
  const compose = z
    .object({
      services: z.record(z.string(), serviceSchema),
      networks: z.record(z.string(), z.nullable(z.object({ internal: z.literal(true) }))),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
    })
    .parse(parse(read('compose.yaml'), { merge: true }));
  const services = Object.entries(compose.services);

  test('gives every service a read-only root, no capability beyond the listed ones, and limits', () => {
    expect(services.map(([name]) => name)).toEqual(['keys', 'kat-1', 'kat-2', 'balancer', 'database', 'nats']);
    for (const [name, service] of services) {
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
      expect(service.cap_add ?? [], name).toEqual(name === 'balancer' ? ['NET_BIND_SERVICE'] : []);
      if (name !== 'balancer') expect(Number(service.user?.split(':')[0]), name).toBeGreaterThan(0);
      if (name !== 'keys') expect(service.healthcheck, name).toBeDefined();
    }
  });

  test('opens only the balancer to the outside, and puts the database on an isolated network', () => {
    expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['balancer']);
    expect(compose.networks).toMatchObject({ back: { internal: true } });
    for (const name of ['database', 'nats']) expect(compose.services[name]?.networks).toEqual(['back']);
  });

  test('stores secrets in files, the same for both servers', () => {
    for (const [name, { environment = {}, secrets = [] }] of services) {
      for (const secret of secrets) expect(Object.keys(compose.secrets), name).toContain(secret);
      for (const [key, value] of Object.entries(environment))
        if (/URL|PASSWORD|SECRET|KEY/.test(key) && key !== 'PUBLIC_URL')
          expect(value, `${name} ${key}`).toMatch(/^\/run\/secrets\//);
    }
    expect(compose.services['kat-1']).toEqual(compose.services['kat-2']);
    expect(read('.gitignore').split('\n')).toContain('/secrets/');
  });

  test('starts servers after keys, database and broker, and the balancer after the servers', () => {
    expect(compose.services['kat-1']?.depends_on).toEqual({
      keys: { condition: 'service_completed_successfully' },
      database: { condition: 'service_healthy' },
      nats: { condition: 'service_healthy' },
    });
    expect(compose.services.balancer?.depends_on).toEqual({
      'kat-1': { condition: 'service_healthy' },
      'kat-2': { condition: 'service_healthy' },
    });
    for (const name of ['kat-1', 'kat-2']) expect(read('deploy/Caddyfile')).toContain(`${name}:3000`);
  });
});

describe('deploy/kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'));
  const kinds = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) });
  const confined = z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  });
  const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
  const container = z.object({
    securityContext: confined,
    resources: z.object({ requests: z.object({ memory: z.string() }), limits: z.object({ memory: z.string() }) }),
    volumeMounts: z.array(z.object({ name: z.string() })),
  });
  const deployment = z.object({
    spec: z.object({
      replicas: z.literal(2),
      template: z.object({
        metadata: z.object({ labels: z.record(z.string(), z.string()) }),
        spec: z.object({
          automountServiceAccountToken: z.literal(false),
          terminationGracePeriodSeconds: z.number(),
          securityContext: z.object({
            runAsNonRoot: z.literal(true),
            runAsUser: z.literal(UID),
            fsGroup: z.literal(UID),
          }),
          initContainers: z.array(container),
          containers: z.tuple([
            z.extend(container, {
              readinessProbe: probe,
              livenessProbe: probe,
              startupProbe: probe,
              lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }),
            }),
          ]),
          volumes: z.array(z.object({ name: z.string() })),
        }),
      }),
    }),
  });
  const of = (kind: string): unknown =>
    documents.map((one): unknown => one.toJS()).find((one) => kinds.parse(one).kind === kind);

  test('reads every document, with a kind and a name', () => {
    for (const one of documents) expect(one.errors).toEqual([]);
    expect(documents.map((one) => kinds.parse(one.toJS()).kind)).toEqual([
      ...['ServiceAccount', 'ConfigMap', 'Deployment', 'Service'],
      ...['PodDisruptionBudget', 'HorizontalPodAutoscaler', 'NetworkPolicy'],
    ]);
  });

  test('confines the pod, drains it from the balancer before it stops, and never kills it for what others lack', () => {
    const { template } = deployment.parse(of('Deployment')).spec;
    const [kat] = template.spec.containers;
    expect(kat.readinessProbe.httpGet.path).toBe('/readyz');
    expect(kat.livenessProbe.httpGet.path).toBe('/healthz');
    expect(kat.startupProbe.httpGet.path).toBe('/healthz');
    expect(kat.lifecycle.preStop.exec.command).toEqual(['/usr/bin/sleep', '5']);
    const volumes = template.spec.volumes.map(({ name }) => name);
    for (const one of [...template.spec.initContainers, kat])
      for (const { name } of one.volumeMounts) expect(volumes).toContain(name);
  });

  test('exposes no secret among the settings', () => {
    const { data } = z.object({ data: z.record(z.string(), z.string()) }).parse(of('ConfigMap'));
    for (const [key, value] of Object.entries(data))
      if (/SECRET|PASSWORD|TOKEN|DATABASE|SMTP|NATS_URL|_KEY/.test(key) && !key.includes('PUBLIC'))
        expect(value, key).toMatch(/^\/run\/secrets\//);
  });
});
