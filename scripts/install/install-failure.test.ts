import { expect, test } from 'vitest';
import { explainInstallFailure } from './install-failure.mjs';

/** As npm prints them, shortened. */
const lines = (...codes: string[]) =>
  [...codes, 'error A complete log of this run'].map((line) => `npm ${line}\n`).join('');

test.each<[string, string, string]>([
  ['a full disk', lines('error code ENOSPC', 'error syscall write', 'error errno ENOSPC'), 'The disk is full.'],
  ['a read-only folder', lines('error code EROFS', 'error syscall mkdir', 'error errno -30'), 'cannot be written'],
  ['a folder of another user', lines('error code EACCES', 'error syscall mkdir'), 'copy the repository'],
  ['no network', lines('error code ENOTFOUND', 'error errno ENOTFOUND'), 'registry is unreachable'],
  ['a network without an answer', lines('error code EAI_AGAIN'), 'Check the network and the proxy'],
  ['a refusing proxy', lines('error code ECONNREFUSED'), 'registry is unreachable'],
  ['a slow proxy', lines('error code ETIMEDOUT', 'error errno ETIMEDOUT'), 'answers too slowly'],
  ['a slow proxy, in other words', lines('error code ERR_SOCKET_TIMEOUT'), 'answers too slowly'],
  ['a registry that refuses', lines('error code E403'), 'refuses a package'],
  ['a certificate', lines('error code SELF_SIGNED_CERT_IN_CHAIN'), 'cafile'],
  ['a changed package', lines('error code EINTEGRITY'), 'differs from the locked one'],
  ['another lockfile', lines('error code EUSAGE'), 'do not agree'],
  ['an older npm', 'npm ERR! code ENOSPC\n', 'The disk is full.'],
])('explains %s in one line that says what to do', (_what, output, message) => {
  const explained = explainInstallFailure(output, '/kat');

  expect(explained).toMatch(/^The packages could not be installed \(\w+\)\. /);
  expect(explained).toContain(message);
  expect(explained).not.toContain('\n');
});

test('shows npm’s own lines for any other failure', () => {
  const explained = explainInstallFailure('npm error code EODD\nnpm error something odd\n', '/kat');

  expect(explained).toBe(
    "npm error code EODD\nnpm error something odd\nThe packages could not be installed: npm's lines above say why.",
  );
});
