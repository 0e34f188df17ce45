import { beforeEach, expect, test, vi } from 'vitest';
import { renewWhileRunning } from './renew.ts';

const fetchMock = vi.fn<() => Promise<Response>>();
const options = { onRenewed: vi.fn(), reload: vi.fn() };
let isHidden = false;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock.mockReset());
  isHidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  options.onRenewed.mockReset();
  options.reload.mockReset();
  return () => {
    vi.clearAllTimers();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const part = (state: string, verdict: string): string =>
  `<div id="forecast" data-state="${state}"><p>${verdict}</p><details><summary>Table</summary></details></div>`;

function open(state: string, verdict = 'Running.'): void {
  document.body.innerHTML = `<h1>BTC</h1>${part(state, verdict)}`;
  renewWhileRunning(document, options);
}

const serve = (state: string, verdict: string) =>
  fetchMock.mockImplementation(async () => new Response(`<!doctype html><h1>Other</h1>${part(state, verdict)}`));
const shown = () => document.querySelector('p')?.textContent;
const later = (periods = 1) => vi.advanceTimersByTimeAsync(periods * 15_000);

test('shows the server’s newest every 15 seconds, and leaves the rest of the page', async () => {
  open('running');
  serve('running', '3 of 50 bars.');
  await vi.advanceTimersByTimeAsync(14_999);
  expect(fetchMock).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect(fetchMock).toHaveBeenCalledExactlyOnceWith(document.location.pathname, { headers: { accept: 'text/html' } });
  expect([shown(), document.querySelector('h1')?.textContent]).toEqual(['3 of 50 bars.', 'BTC']);
  expect(options.onRenewed).toHaveBeenCalledOnce();
});

test('leaves the page alone while the server sends the same, though scripts changed it', async () => {
  open('running');
  serve('running', 'Running.');
  document.querySelector('p')?.setAttribute('data-bar', '12');
  await later(3);

  expect(fetchMock).toHaveBeenCalledTimes(3);
  expect(document.querySelector('p')?.getAttribute('data-bar')).toBe('12');
  expect(options.onRenewed).not.toHaveBeenCalled();
});

test('leaves a table open that the reader opened', async () => {
  open('running');
  serve('running', '3 of 50 bars.');
  const table = document.querySelector('details') as HTMLDetailsElement;
  table.open = true;
  await later();

  expect(shown()).toBe('3 of 50 bars.');
  expect(document.querySelector('details')?.open).toBe(true);
});

test.each(['known', 'void'])('stops once the forecast is %s', async (state) => {
  open('waiting');
  serve(state, 'Over.');
  await later();
  expect(shown()).toBe('Over.');

  await later(4);
  expect(fetchMock).toHaveBeenCalledOnce();
});

test.each(['known', 'void'])('requests nothing for a forecast that is already %s', async (state) => {
  open(state);
  await later(4);

  expect(fetchMock).not.toHaveBeenCalled();
});

test('loads the whole page when a sealed forecast opens, since its seal and files change too', async () => {
  open('sealed', 'Sealed.');
  serve('sealed', 'Sealed, 10 bars left.');
  await later();
  expect(options.reload).not.toHaveBeenCalled();

  serve('known', 'Inside both bands.');
  await later();
  expect(options.reload).toHaveBeenCalledOnce();
  expect(shown()).toBe('Sealed, 10 bars left.');
});

test('loads the whole page when its owner stopped sharing it', async () => {
  open('running');
  fetchMock.mockResolvedValue(new Response('<p>Not found</p>', { status: 404 }));
  await later();

  expect(options.reload).toHaveBeenCalledOnce();
  expect(shown()).toBe('Running.');
});

test('leaves what is shown while the server fails or cannot be reached, and tries again', async () => {
  open('running');
  fetchMock
    .mockResolvedValueOnce(new Response(part('running', 'an error page'), { status: 503 }))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValueOnce(new Response('<p>no such part</p>'));
  await later(3);
  expect(shown()).toBe('Running.');

  serve('running', '3 of 50 bars.');
  await later();
  expect(shown()).toBe('3 of 50 bars.');
});

test('requests nothing while the tab is hidden', async () => {
  open('running');
  serve('running', '3 of 50 bars.');
  isHidden = true;
  await later(3);
  expect(fetchMock).not.toHaveBeenCalled();

  isHidden = false;
  await later();
  expect(shown()).toBe('3 of 50 bars.');
});
