import { expect, test } from 'vitest';
import { arrivalFigures } from './trace-figures.ts';

const URL = 'http://127.0.0.1/kat';
const MAIN = { pid: 7, tid: 7 };

const navigation = { ...MAIN, name: 'navigationStart', ts: 1000, args: { data: { documentLoaderURL: URL } } };
const task = (ts: number, tdur?: number) => ({ ...MAIN, name: 'RunTask', ts, ...(tdur === undefined ? {} : { tdur }) });

test('sums the processor time of the main thread’s tasks since the navigation', () => {
  const trace = [
    task(900, 50_000),
    navigation,
    task(1100, 2000),
    task(4000, 7000),
    { ...task(5000, 90_000), tid: 8 },
    { ...task(5000, 90_000), pid: 8 },
  ];

  expect(arrivalFigures(trace, URL)).toMatchObject({ cpuMs: 9, longestMs: 7, tasks: 2 });
});

test('counts frames, requests and the bytes of their answers', () => {
  const trace = [
    navigation,
    task(1100, 2000),
    { ...MAIN, name: 'Commit', ts: 1200 },
    { ...MAIN, name: 'ResourceSendRequest', ts: 1200, args: { data: { url: `${URL}.js` } } },
    { ...MAIN, name: 'ResourceSendRequest', ts: 1300, args: { data: { url: `${URL}.css` } } },
    { ...MAIN, name: 'ResourceFinish', ts: 1400, args: { data: { encodedDataLength: 2048 } } },
    { ...MAIN, name: 'ResourceFinish', ts: 1500, args: { data: { encodedDataLength: 1024 } } },
  ];

  expect(arrivalFigures(trace, URL)).toMatchObject({ frames: 1, requests: 2, kilobytes: 3 });
});

test('leaves out the task during which the trace ends', () => {
  expect(arrivalFigures([navigation, task(1100, 2000), task(1200)], URL)).toMatchObject({ cpuMs: 2, tasks: 1 });
});

test.each([
  [
    'another address',
    [{ ...navigation, args: { data: { documentLoaderURL: 'http://127.0.0.1/' } } }, task(1100, 2000)],
  ],
  ['no processor time', [navigation, task(1100)]],
])('refuses a trace with %s', (_what, trace) => {
  expect(() => arrivalFigures(trace, URL)).toThrow('The trace has no');
});
