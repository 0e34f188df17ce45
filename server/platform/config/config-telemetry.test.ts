import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const METRICS_TOKEN = 'wq7Zr-Kp2mX-8vTd4-Lh6sB';
const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/';

test('exports nothing by default', () => {
  expect(readConfig({}).telemetry).toEqual({
    token: null,
    ownPort: null,
    collector: null,
    tracedShare: 0,
  });
});

test('binds its own port to this machine without a token', () => {
  const ownPort = (METRICS_LISTEN: string) => readConfig({ METRICS_LISTEN }).telemetry.ownPort;

  expect(ownPort('9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(ownPort('[::1]:9464')).toEqual({ host: '::1', port: 9464 });
  for (const wrong of ['metrics', '127.0.0.1', '70000']) expect(() => ownPort(wrong)).toThrow(/METRICS_LISTEN must be/);
});

test('requires a token when other machines can reach the port', () => {
  const settings = { METRICS_LISTEN: '0.0.0.0:9464' };
  expect(() => readConfig(settings)).toThrow(/METRICS_TOKEN is also required/);
  expect(readConfig({ ...settings, METRICS_TOKEN }).telemetry).toMatchObject({ token: METRICS_TOKEN });
});

test.each(['short', 'change-me-please-change-me', 'abcdefghijklmnopqrstuvwxyz'])('refuses the token %s', (weak) => {
  expect(() => readConfig({ METRICS_TOKEN: weak })).toThrow(/METRICS_TOKEN (?!.*change-me)/);
});

test('reads a collector’s address and percent-encoded headers', () => {
  const { collector } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-site=kat',
  }).telemetry;
  expect(collector).toEqual({
    url: 'http://collector:4318',
    headers: { authorization: 'Bearer abc', 'x-site': 'kat' },
  });
});

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:secret@collector:4318' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://collector' },
  { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'secret' },
  { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'name=%secret' },
])('refuses %o without repeating a secret', (env) => {
  expect(() => readConfig(env)).toThrow(/OTEL_EXPORTER_OTLP_\w+ must be (?!.*secret)/);
});

test('requires a collector for traces, and a share between 0 and 1', () => {
  expect(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.1' })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
  expect(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: '2', OTEL_EXPORTER_OTLP_ENDPOINT })).toThrow(/not valid/);
  expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.1', OTEL_EXPORTER_OTLP_ENDPOINT }).telemetry.tracedShare).toBe(0.1);
});
