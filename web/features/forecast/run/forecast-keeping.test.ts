import { expect, test, vi } from 'vitest';
import { CallError } from '../../../platform/calls/call-error.ts';
import { aStart, candlesUntil, forecastPath, T0 } from '../testing/forecast-fixtures.ts';
import { aMachine, candles, REQUEST, start } from '../testing/machine-fixtures.ts';
import type { Remembered } from './forecast-run.ts';

test('reports no failure to save; takes a server’s refusal as final, but not a lost answer', async () => {
  const refusing = aMachine(undefined, {
    save: vi.fn().mockRejectedValue(new CallError('prediction/refused', 'No.', 200)),
  });
  await refusing.machine.predict(REQUEST);
  expect(refusing.machine.state()).toMatchObject({ phase: 'done', isSaved: false, notice: null });
  expect(refusing.ports.notify).not.toHaveBeenCalled();
  expect(refusing.ports.report).toHaveBeenCalledOnce();
  expect(refusing.ports.onEnded).toHaveBeenCalledOnce();
  expect(refusing.recalled()).toBeNull();

  const lost = { name: 'CallError', code: 'network', message: 'No answer.', status: 0 };
  const offline = aMachine(undefined, { save: vi.fn().mockRejectedValue(lost) });
  await offline.machine.predict(REQUEST);
  expect(offline.recalled()).toMatchObject({ reservationId: 'r1', userId: 'u1' });
});

const REMEMBERED: Remembered = {
  reservationId: 'r1',
  userId: 'u1',
  symbolLabel: 'BTC',
  timeframe: '1min',
  model: 'bobcat',
};

const stored = (state: 'reserved' | 'spent') => ({
  start: aStart(),
  history: candlesUntil(T0, 150),
  forecast: forecastPath(),
  state,
});

test('finishes the picture after a reload and saves what was not saved yet', async () => {
  const { machine, ports, feed } = aMachine([], { loadStored: vi.fn(async () => stored('reserved')) });

  await machine.restore(REMEMBERED, REQUEST);

  expect(feed.series()).toMatchObject({ joinS: T0 });
  expect(feed.series().candles).toHaveLength(200);
  expect(ports.save).toHaveBeenCalledOnce();
  expect(machine.state()).toMatchObject({ phase: 'done', isSaved: true });
});

test('resumes after a reload a run whose page was left, but none dropped for another symbol or model', async () => {
  const gate = Promise.withResolvers<void>();
  const { machine, feed, recalled } = aMachine([
    [start(), ...candles(0, 10), gate.promise],
    [start(), ...candles(0, 10)],
  ]);
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));
  machine.close('selection-changed');
  expect(recalled()).toBeNull();

  await machine.predict(REQUEST);
  machine.close('left');

  expect(recalled()).toMatchObject({ reservationId: 'r1' });
});

test('does not forget the next run when a save ends late', async () => {
  const saving = Promise.withResolvers<null>();
  const save = vi.fn().mockReturnValueOnce(saving.promise);
  const next = Promise.withResolvers<void>();
  const { machine, feed, recalled } = aMachine(
    [
      [start(), ...candles()],
      [start({ reservationId: 'r2' }), ...candles(0, 10), next.promise],
    ],
    { save },
  );
  const first = machine.predict(REQUEST);
  await vi.waitFor(() => expect(machine.state().phase).toBe('saving'));
  machine.close('selection-changed');
  void machine.predict(REQUEST);
  await vi.waitFor(() => expect(feed.series().candles).toHaveLength(160));

  saving.resolve(null);
  await first;

  expect(recalled()).toMatchObject({ reservationId: 'r2' });
});

test('does not save twice after a reload, and forgets a deleted forecast', async () => {
  const spent = aMachine([], { loadStored: vi.fn(async () => stored('spent')) });
  await spent.machine.restore(REMEMBERED, REQUEST);
  expect(spent.ports.save).not.toHaveBeenCalled();
  expect(spent.machine.state()).toMatchObject({ phase: 'done', isSaved: true });

  const closed = aMachine([]);
  await closed.machine.restore(REMEMBERED, REQUEST);
  expect(closed.ports.memory.forget).toHaveBeenCalled();
  expect(closed.feed.series().candles).toHaveLength(150);
});
