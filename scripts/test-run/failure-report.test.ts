import { expect, test } from 'vitest';
import { describeLeftBehind, fileNameOf } from '../../tests/support/failures/failure-report.ts';
import { describeLoad, machineLoad } from '../../tests/support/failures/machine-load.ts';

const MACHINE = {
  cores: 2,
  averages: [25.84, 26.4, 17.77],
  pressure: 'some avg10=31.40 avg60=20.00 avg300=10.00 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
  freeBytes: 3 * 1024 ** 3,
  totalBytes: 23.5 * 1024 ** 3,
};

test('reports page, errors, the server’s last lines and the load after a failed browser test', () => {
  const page = {
    address: 'http://127.0.0.1:1/about#donate',
    text: '  Donate\n\nCopy   BTC address ',
    errors: ['TypeError: x is not a function'],
    screenshot: '/tmp/failures/about-1.png',
  };
  const log = `${Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n')}\n`;

  const report = describeLeftBehind({
    test: 'about.test.ts > copies',
    pages: [page],
    servers: [{ url: 'http://127.0.0.1:1', log }],
    machine: MACHINE,
  });

  expect(report.split('\n')).toEqual([
    'After the failure of: about.test.ts > copies',
    'page: http://127.0.0.1:1/about#donate',
    '  screenshot: /tmp/failures/about-1.png',
    '  text: Donate Copy BTC address',
    '  error: TypeError: x is not a function',
    'server: http://127.0.0.1:1, its last lines',
    ...Array.from({ length: 20 }, (_, line) => `  line ${line + 10}`),
    'machine: load 25.8, 26.4, 17.8 on 2 cores, 31% of the last 10 s waiting for one, 3.0 of 23.5 GB free',
  ]);
});

test('shortens a long text in its middle, and says that a page does not answer', () => {
  const hung = { address: 'http://127.0.0.1:1/', text: null, errors: [], screenshot: null };
  const long = { ...hung, text: `first${'.'.repeat(5000)}last` };

  const report = describeLeftBehind({ test: 'one', pages: [hung, long], servers: [], machine: MACHINE });

  expect(report).toContain('  screenshot: none\n  text: the page does not answer\n');
  expect(report).toMatch(/ {2}text: first\.+ … \.+last\n/);
  expect(report.length).toBeLessThan(2000);
});

test('names a file by its test, and reads the load of this machine', () => {
  expect(fileNameOf('about.test.ts the copy’s “end”')).toBe('about-test-ts-the-copy-s-end');
  expect(describeLoad({ ...machineLoad(), pressure: null })).toMatch(
    /^machine: load [\d.]+, [\d.]+, [\d.]+ on \d+ cores, [\d.]+ of [\d.]+ GB free$/,
  );
});
