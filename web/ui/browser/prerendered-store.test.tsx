import { act, render, screen } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useIsKnown, usePrerenderedStore } from './prerendered-store.ts';

function createStore(value: string) {
  const listeners = new Set<() => void>();
  return {
    current: () => value,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(next: string) {
      value = next;
      for (const listener of listeners) listener();
    },
  };
}

const store = createStore('now');
const rendered: string[] = [];

function Shown() {
  const value = usePrerenderedStore(store.subscribe, store.current, 'before');
  const isKnown = useIsKnown();
  rendered.push(`${value} ${isKnown}`);
  return (
    <p>
      {value}, {isKnown ? 'known' : 'unknown'}
    </p>
  );
}

test('hydrates with what was rendered, then shows the present value and follows it', async () => {
  store.set('now');
  const host = document.body.appendChild(document.createElement('div'));
  host.innerHTML = renderToString(<Shown />);
  const errors: unknown[] = [];
  rendered.length = 0;

  const root = await act(async () =>
    hydrateRoot(host, <Shown />, { onRecoverableError: (error) => errors.push(error) }),
  );
  const corrected = host.textContent;
  act(() => store.set('later'));

  expect(errors).toEqual([]);
  expect(rendered[0]).toBe('before false');
  expect(corrected).toBe('now, known');
  expect(host.textContent).toBe('later, known');
  act(() => root.unmount());
});

test('shows the present value from the first render of a page that was not pre-rendered', () => {
  store.set('now');
  rendered.length = 0;

  render(<Shown />);

  expect(screen.getByText('now, known')).toBeTruthy();
  expect(rendered).not.toContain('before false');
});
