import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Toaster } from '../../ui/overlay/toaster.tsx';
import { Displays } from './displays.tsx';

function show() {
  render(
    <>
      <Displays />
      <Toaster />
    </>,
  );
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const names = () =>
  within(screen.getByRole('table', { name: 'Examples' }))
    .getAllByText(/^Example [A-C]$/)
    .map(({ textContent }) => textContent?.at(-1));

test('sorts the example table by its names and its figures, either way', () => {
  show();
  expect(names()).toEqual(['A', 'B', 'C']);

  click(/^Name/);
  expect(names()).toEqual(['C', 'B', 'A']);
  click(/^Left/);
  const once = names();
  click(/^Left/);

  // By number: as texts, 12 would be before 240 and 3 last.
  expect([once, names()]).toContainEqual(['B', 'C', 'A']);
  expect([once, names()]).toContainEqual(['A', 'C', 'B']);
});

test('opens its dialog, which each of its buttons closes', () => {
  show();
  const question = () => screen.queryByText('You can’t undo this. Buttons say what they do.');

  for (const name of ['Keep it', 'Delete example', 'Close']) {
    click('Open a dialog');
    expect(question()).not.toBeNull();
    click(name);
    expect(question()).toBeNull();
  }
});

test('shows both kinds of toast, and another tab', async () => {
  show();
  click('Show a toast');
  click('Show an error');
  fireEvent.click(screen.getByRole('tab', { name: 'Words' }));

  expect(await screen.findByText('Saved')).toBeDefined();
  expect(screen.getByText('We couldn’t save it.')).toBeDefined();
  expect(screen.getByText('Another panel.')).toBeDefined();
});

test('shows a strip of figures in each state: late, missing, zero, and out of date', () => {
  show();
  const value = (name: string) => screen.getByText(name).nextElementSibling;

  expect(value('Zero')?.textContent).toBe('0');
  expect(value('Not known')?.textContent).toBe('–');
  expect(screen.getAllByText('On its way')).toHaveLength(2);
  expect(screen.getByText('We couldn’t load the figures.')).toBeDefined();
  expect(screen.getByText(/^Shown as of/)).toBeDefined();
});
