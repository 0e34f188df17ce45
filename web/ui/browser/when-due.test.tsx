import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { resetPageState } from '../../page-state.ts';
import { lazyWidget } from '../widget.tsx';
import type { Arrival } from './when-due.ts';

const observed: { near(): void }[] = [];

class FakeObserver {
  constructor(notify: (seen: { isIntersecting: boolean }[]) => void) {
    observed.push({ near: () => notify([{ isIntersecting: true }]) });
  }
  observe(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  observed.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', FakeObserver);
});

async function showThree(isSmall: boolean, arrival: Arrival = 'soon'): Promise<void> {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { matches: isSmall && media !== 'print', media }) as MediaQueryList,
  );
  const names = ['one', 'two', 'three'];
  const widgets = names.map((name) => lazyWidget(name, async () => () => <p>{name}</p>, name, { arrival }));
  render(widgets.map((Widget, at) => <Widget key={names[at]} />));
  await pass(100);
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = () => screen.queryAllByText(/one|two|three/, { selector: 'p' }).map((found) => found.textContent);

test('loads all widgets after the first paint on wide screens', async () => {
  await showThree(false);

  expect(shown()).toEqual(['one', 'two', 'three']);
});

test('loads a widget when its place is near on small screens', async () => {
  await showThree(true);
  const before = shown();

  act(() => observed[1]?.near());
  await pass(0);

  expect(before).toEqual([]);
  expect(shown()).toEqual(['two']);
});

test.each([false, true])('loads what is far away only when its place is near (small screen: %s)', async (isSmall) => {
  await showThree(isSmall, 'near');
  await pass(60_000);
  const before = shown();

  act(() => observed[1]?.near());
  await pass(0);

  expect(before).toEqual([]);
  expect(shown()).toEqual(['two']);
});

test('loads everything immediately where nearness cannot be observed', async () => {
  vi.stubGlobal('IntersectionObserver', undefined);

  await showThree(true, 'near');

  expect(shown()).toEqual(['one', 'two', 'three']);
});

test('loads what no one scrolled to later, one after the other, on small screens', async () => {
  await showThree(true);

  await pass(3950);
  const first = shown();
  await pass(250);
  const second = shown();
  await pass(250);

  expect([first, second, shown()]).toEqual([['one'], ['one', 'two'], ['one', 'two', 'three']]);
});

test('loads nothing once the page has ended', async () => {
  await showThree(true);

  await pass(4000);
  resetPageState();
  await pass(60_000);

  expect(shown()).toEqual(['one']);
});
