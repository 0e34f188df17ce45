import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { CandleDials } from './candle-dials.tsx';
import type { WindowAnswer, WindowReading } from './chances-api.ts';
import type { WindowsState } from './use-windows.ts';

const [BTC] = SYMBOLS;
const NOON_MS = Date.UTC(2026, 10, 25, 12);

function aWindow(chance: number, change: Partial<WindowReading> = {}): WindowReading {
  return {
    minutes: 5,
    openMs: NOON_MS,
    endMs: NOON_MS + 5 * 60_000,
    open: 100,
    chance,
    baseline: 0.5,
    similar: null,
    missingMinutes: 0,
    ...change,
  };
}
function aState(answers: readonly WindowAnswer[], change: Partial<WindowsState> = {}): WindowsState {
  const frame = { asOfMs: NOON_MS, price: 101, windows: answers };
  return { frame, offsetMs: 0, isLost: false, problem: null, refusal: null, ...change };
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOON_MS + 60_000 });
  window.localStorage.setItem('timesInUtc', 'true');
});

function show(first: WindowsState) {
  const { rerender, container } = render(<CandleDials windows={first} symbol={BTC} />);
  return {
    container,
    follow: (...answers: WindowAnswer[]) => rerender(<CandleDials windows={aState(answers)} symbol={BTC} />),
  };
}
const dial = (minutes: number) =>
  screen.getByRole('radio', { name: `${minutes} min candle` }).closest('label')?.textContent;
const spoken = () => document.querySelector('[aria-live]')?.textContent;
const later = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('shows the chance and the time left, and a dash for a candle without an answer', () => {
  const { container } = show(aState([aWindow(0.63)]));

  expect(dial(5)).toBe('63%5 min4:00');
  expect(dial(15)).toMatch(/^–15 min/);
  expect(container.textContent).toContain('12:00–12:05: 63% to close above 100.0. Baseline 50%.');
  expect(container.textContent).toContain('Now +1.000% from its open.');
  later(30_000);
  expect(dial(5)).toBe('63%5 min3:30');
});

test('counts by the server’s clock, and says when a candle is closing', () => {
  show(aState([aWindow(0.63)], { offsetMs: 4 * 60_000 - 2000 }));
  expect(dial(5)).toBe('63%5 min0:02');

  later(2000);
  expect(dial(5)).toBe('63%5 minclosing…');
});

test('says how many minutes without a candle a chance leaves out, and how similar ones ended', () => {
  const { container } = show(aState([aWindow(0.63, { missingMinutes: 2, similar: { count: 100, happened: 60 } })]));

  expect(container.textContent).toContain('It leaves out 2 min without a candle.');
  expect(container.textContent).toContain('Of 100 similar chances, 60% came true.');
});

test('says why a candle has no chance, beside its last one or in place of it', () => {
  const message = 'The window has ended or ends this second.';
  const { container, follow } = show(aState([aWindow(0.63), { minutes: 15, message: 'No path reaches its end.' }]));
  fireEvent.click(screen.getByRole('radio', { name: '15 min candle' }));
  expect(container.textContent).toContain('No path reaches its end.');
  expect(container.querySelector('strong')).toBeNull();

  fireEvent.click(screen.getByRole('radio', { name: '5 min candle' }));
  follow({ minutes: 5, message });
  expect(dial(5)).toContain('63%');
  expect(container.querySelector('strong')?.textContent).toBe('63%');
  expect(container.textContent).toContain(message);
  expect(container.textContent).not.toContain('from its open');
});

test('announces why the chosen candle has no chance, in place of the last candle’s', () => {
  const { follow } = show(aState([aWindow(0.5), { minutes: 15, message: 'No path reaches its end.' }]));

  fireEvent.click(screen.getByRole('radio', { name: '15 min candle' }));
  expect(spoken()).toBe('15-minute candle: No path reaches its end.');
  follow(aWindow(0.5), aWindow(0.6, { minutes: 15 }));
  expect(spoken()).toContain('15-minute candle: 60%');
  fireEvent.click(screen.getByRole('radio', { name: '60 min candle' }));
  expect(spoken()).toBe('');
});

test('shows the problem of the market in place of the text, and the last chances as old ones', () => {
  const problem = new CallError('market-halted', 'The market is halted.', 409);
  const { container } = show(aState([aWindow(0.63)], { problem }));

  expect(container.querySelector('.warning')?.textContent).toBe('The market is halted.');
  expect(container.querySelector('.old-figures')?.textContent).toContain('63%');
  expect(container.querySelector('strong')).toBeNull();
});

test('announces a chance again after 15 seconds and a step of five points, or for another candle', () => {
  const { follow } = show(aState([aWindow(0.5)]));
  const first = '5-minute candle: 50% to close above its open, 4 minutes left.';
  expect(spoken()).toBe(first);

  follow(aWindow(0.9));
  expect(spoken()).toBe(first);
  follow(aWindow(0.54));
  later(15_000);
  expect(spoken()).toBe(first);
  follow(aWindow(0.56));
  expect(spoken()).toBe('5-minute candle: 56% to close above its open, 3 minutes 45 seconds left.');
  const openMs = NOON_MS + 5 * 60_000;
  follow(aWindow(0.57, { openMs, endMs: openMs + 5 * 60_000 }));
  expect(spoken()).toBe('5-minute candle: 57% to close above its open, 8 minutes 45 seconds left.');
});
