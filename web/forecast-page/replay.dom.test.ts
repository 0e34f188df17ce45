import { beforeEach, expect, test, vi } from 'vitest';
import { startReplay } from './replay.ts';

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `<svg class="plot" viewBox="0 0 100 50" data-join="40" data-step="10"><rect class="played" width="100"/></svg>
    <div id="replay" hidden><button data-play>Replay</button><input type="range" min="0" max="5" value="5"><select><option value="2" selected>2</option></select><span data-bar></span></div>`;
});

const width = () => document.querySelector('.played')?.getAttribute('width');
const button = () => document.querySelector('button') as HTMLButtonElement;

test('shows itself with the whole outcome, then draws it bar by bar at the chosen speed', () => {
  startReplay(document);
  expect([document.querySelector('#replay')?.hasAttribute('hidden'), width()]).toEqual([false, '100']);

  button().click();
  expect([width(), button().textContent]).toEqual(['40', 'Pause']);
  vi.advanceTimersByTime(1000);
  expect([width(), document.querySelector('[data-bar]')?.textContent]).toEqual(['60', '2 / 5']);
  vi.advanceTimersByTime(1500);
  expect([width(), button().textContent]).toEqual(['100', 'Replay']);
});

test('pauses, and shows the bar that is chosen by hand', () => {
  startReplay(document);
  button().click();
  vi.advanceTimersByTime(500);
  button().click();
  vi.advanceTimersByTime(5000);
  expect([width(), button().textContent]).toEqual(['50', 'Replay']);

  const range = document.querySelector('input') as HTMLInputElement;
  range.value = '3';
  range.dispatchEvent(new Event('input'));
  expect(width()).toBe('70');
});
