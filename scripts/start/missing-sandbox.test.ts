import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuseMissingSandbox } from './missing-sandbox.ts';

const PRODUCTION = { isProduction: true, allowSandboxInProduction: false };
const ALLOWED = { isProduction: true, allowSandboxInProduction: true };
const DEVELOPMENT = { isProduction: false, allowSandboxInProduction: false };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kat-install-'));
  mkdirSync(join(root, 'node_modules'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('lets production start without the sandbox', () => {
  expect(() => refuseMissingSandbox(PRODUCTION, root)).not.toThrow();
});

test.each([
  ['a setting that allows it in production', ALLOWED, /^ALLOW_SANDBOX_IN_PRODUCTION=1 needs the sandbox/],
  ['a start in development', DEVELOPMENT, /NODE_ENV=production needs the sandbox/],
])('refuses %s while its folder or its packages are missing', (_what, config, message) => {
  expect(() => refuseMissingSandbox(config, root)).toThrow(message);
  mkdirSync(join(root, 'sandbox'));
  expect(() => refuseMissingSandbox(config, root)).toThrow(message);
  mkdirSync(join(root, 'node_modules/oidc-provider'));
  expect(() => refuseMissingSandbox(config, root)).not.toThrow();
});

test('finds the sandbox in this repository', () => {
  expect(() => refuseMissingSandbox(DEVELOPMENT)).not.toThrow();
});
