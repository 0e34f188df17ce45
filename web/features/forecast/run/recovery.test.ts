import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredForecast, UnsavedForecast } from '#domain/forecast/stream-message.ts';
import { anUnsaved, aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import type { Remembered } from './forecast-run.ts';
import { type RecoveryPorts, recoverLast } from './recovery.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const STORED: StoredForecast = {
  start: aStart({ sym: 'ETHUSDT.P' }),
  history: candlesUntil(T0, 150),
  forecast: forecastPath(),
  state: 'reserved',
};

/** A server that lists these one after the other, the last one for good. */
function aServer(lists: UnsavedForecast[][]) {
  return {
    loadUnsaved: vi.fn(async () => (lists.length > 1 ? lists.shift() : lists[0]) ?? []),
    loadStored: vi.fn(async (): Promise<StoredForecast | null> => STORED),
    save: vi.fn(async () => null),
    report: vi.fn(),
    memory: { recall: vi.fn((): Remembered | null => null) },
  } satisfies RecoveryPorts;
}

const recover = (ports: RecoveryPorts, signal = new AbortController().signal) => recoverLast('u1', ports, signal);

test('saves the newest forecast that was left, with the candles of the server', async () => {
  const ports = aServer([[anUnsaved({ id: 'new' }), anUnsaved({ id: 'old', label: 'BTC' })]]);

  const recovered = await recover(ports);

  expect(ports.loadStored).toHaveBeenCalledExactlyOnceWith('new', expect.anything());
  expect(ports.save).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ userId: 'u1', model: 'bobcat', symbol: expect.objectContaining({ label: 'ETH' }) }),
    [...STORED.history, ...STORED.forecast],
  );
  expect(recovered?.stored).toBe(STORED);
});

test.each<[string, Partial<UnsavedForecast>]>([
  ['of a symbol that the picker no longer has', { label: 'PEPE' }],
  ['of a removed model', { model: 'kat9' }],
  ['of which no candle was seen, because it costs nothing yet', { candlesSent: 0 }],
])('leaves one %s alone', async (_which, change) => {
  const ports = aServer([[anUnsaved(change)]]);

  expect(await recover(ports)).toBeNull();
  expect(ports.loadStored).not.toHaveBeenCalled();
});

test('leaves one that another tab is still streaming to that tab', async () => {
  const ports = aServer([[anUnsaved({ ageMs: 4000 })], []]);

  const recovering = recover(ports);
  await vi.advanceTimersByTimeAsync(10_999);
  expect(ports.loadUnsaved).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);

  expect(await recovering).toBeNull();
  expect(ports.loadUnsaved).toHaveBeenCalledTimes(2);
  expect(ports.loadStored).not.toHaveBeenCalled();
});

test('takes up one that is still unsaved after 15 seconds, and none that began meanwhile', async () => {
  const ports = aServer([
    [anUnsaved({ id: 'left', ageMs: 4000 })],
    [anUnsaved({ id: 'fresh', ageMs: 2000 }), anUnsaved({ id: 'left', ageMs: 15_000 })],
  ]);

  const recovering = recover(ports);
  await vi.advanceTimersByTimeAsync(11_000);

  expect(await recovering).not.toBeNull();
  expect(ports.loadStored).toHaveBeenCalledExactlyOnceWith('left', expect.anything());
});

test('does not take up one that this tab watches', async () => {
  const watched = {
    reservationId: 'r1',
    userId: 'u1',
    symbolLabel: 'ETH',
    timeframe: '1min',
    model: 'bobcat',
  } as const;
  const ports = aServer([[anUnsaved()]]);
  ports.memory.recall.mockReturnValue(watched);

  expect(await recover(ports)).toBeNull();
  expect(ports.loadStored).not.toHaveBeenCalled();
});

test.each<[string, StoredForecast | null]>([
  ['was saved by another tab meanwhile', { ...STORED, state: 'spent' }],
  ['is no longer stored', null],
])('saves none that %s and reports nothing', async (_what, stored) => {
  const ports = aServer([[anUnsaved()]]);
  ports.loadStored.mockResolvedValue(stored);

  expect(await recover(ports)).toBeNull();
  expect([ports.save.mock.calls, ports.report.mock.calls]).toEqual([[], []]);
});

test.each(['loadUnsaved', 'loadStored', 'save'] as const)(
  'reports a failure of %s and shows nothing else',
  async (port) => {
    const ports = aServer([[anUnsaved()]]);
    ports[port].mockRejectedValue(new Error('503'));

    expect(await recover(ports)).toBeNull();
    expect(ports.report).toHaveBeenCalledOnce();
  },
);

test('requests and reports nothing more once the panel is closed', async () => {
  const ports = aServer([[anUnsaved({ ageMs: 0 })]]);
  const abort = new AbortController();
  const recovering = recover(ports, abort.signal);
  await vi.advanceTimersByTimeAsync(1000);

  abort.abort();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(await recovering).toBeNull();
  expect(ports.loadUnsaved).toHaveBeenCalledOnce();
  expect(ports.report).not.toHaveBeenCalled();
});
