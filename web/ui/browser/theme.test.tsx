import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { useTheme } from './theme.ts';

function mount() {
  function Toggle() {
    const { isDark, toggleDark, toggleColourBlind } = useTheme();
    return (
      <>
        <button type="button" onClick={toggleDark}>
          {isDark ? 'dark' : 'light'}
        </button>
        <button type="button" onClick={toggleColourBlind}>
          palette
        </button>
      </>
    );
  }
  render(<Toggle />);
}

function preferLight(isLight: boolean) {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget(), {
      matches: isLight && query.includes('light'),
      media: query,
      onchange: null,
      addListener: () => {},
      removeListener: () => {},
    }),
  );
}

test.each([
  ['nothing stored, no preference', null, false, 'dark'],
  ['nothing stored, the system prefers light', null, true, 'light'],
  ['light stored, the system prefers dark', 'false', false, 'light'],
  ['dark stored, the system prefers light', 'true', true, 'dark'],
])('starts with the right theme: %s', (_when, stored, prefersLight, expected) => {
  if (stored !== null) window.localStorage.setItem('darkMode', stored);
  preferLight(prefersLight);

  mount();

  expect(screen.getByRole('button', { name: expected })).toBeTruthy();
  expect(document.documentElement.dataset.theme).toBe(expected);
});

test('remembers the choice under darkMode, and follows another tab’s choice', async () => {
  mount();
  await userEvent.click(screen.getByRole('button', { name: 'dark' }));
  expect(window.localStorage.getItem('darkMode')).toBe('false');

  window.localStorage.setItem('darkMode', 'true');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'darkMode', newValue: 'true' })));

  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('remembers the one switch of colours for colour-blind readers', async () => {
  mount();

  await userEvent.click(screen.getByRole('button', { name: 'palette' }));

  expect(document.documentElement.dataset.palette).toBe('colour-blind');
  expect(window.localStorage.getItem('colourBlind')).toBe('true');
});
