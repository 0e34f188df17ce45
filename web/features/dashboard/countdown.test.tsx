import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { Countdown } from './countdown.tsx';

beforeEach(() => setProfileZone('Asia/Kolkata'));
afterEach(() => vi.useRealTimers());

function showAt(now: string) {
  vi.useFakeTimers({ now: new Date(now) });
  render(<Countdown />);
}
const flag = () => screen.getByRole('status');
const figures = () => screen.queryByRole('timer')?.querySelector('[aria-hidden]')?.textContent;

test('runs by the clock until the second it ends, then raises its flag', () => {
  showAt('2025-07-31T23:59:57Z');
  expect(figures()).toBe('0 d00 h00 min03 s');
  expect(flag().textContent).toBe('');

  act(() => vi.advanceTimersByTime(2000));
  expect(figures()).toBe('0 d00 h00 min01 s');
  expect(flag().textContent).toBe('');

  act(() => vi.advanceTimersByTime(1000));
  expect(flag().textContent).toBe('Done');
  expect(figures()).toBeUndefined();
});

test('does not change what is read out from second to second', () => {
  showAt('2025-07-29T22:00:30Z');
  const spoken = screen.getByText('2 days, 1 hour and 59 minutes left.');

  act(() => vi.advanceTimersByTime(20_000));

  expect(spoken.textContent).toBe('2 days, 1 hour and 59 minutes left.');
  expect(figures()).toBe('2 d01 h59 min10 s');
});

test('says in one line that it is over, since a moment in the reader’s zone', () => {
  showAt('2026-11-22T12:00:00Z');

  const countdown = screen.getByRole('region', { name: 'Countdown' });
  expect(countdown.textContent).toBe('CountdownDoneEnded 1 Aug 2025, 05:30 GMT+5:30');
  expect(countdown.children).toHaveLength(1);
});
