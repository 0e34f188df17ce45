import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Picker } from './picker.tsx';

const onChange = vi.fn();
const onLocked = vi.fn();
const OPTIONS = [
  { value: 'bobcat', label: 'Bobcat' },
  { value: 'panther', label: 'Panther', isLocked: true, title: 'Upgrade to unlock' },
  { value: 'lion', label: 'Lion', detail: 'MEXC' },
] as const;

beforeEach(() => {
  onChange.mockReset();
  onLocked.mockReset();
});

const show = () =>
  render(<Picker label="Model" value="bobcat" options={OPTIONS} onChange={onChange} onLocked={onLocked} />);
const trigger = () => screen.getByRole('combobox', { name: 'Model' });

test('takes its name from its label, shows its value and opens on a click', async () => {
  show();
  expect(trigger().textContent).toBe('Bobcat');
  expect(trigger().getAttribute('aria-expanded')).toBe('false');

  await userEvent.click(trigger());

  expect(screen.getByRole('listbox', { name: 'Model' })).toBeDefined();
  const items = screen.getAllByRole('option');
  expect(items.map((item) => item.textContent)).toEqual(['Bobcat', 'Panther', 'LionMEXC']);
  expect(items.map((item) => item.getAttribute('aria-selected'))).toEqual(['true', 'false', 'false']);
});

test('adds no style element, which the content-security policy would refuse', async () => {
  show();
  const before = document.querySelectorAll('style').length;

  await userEvent.click(trigger());

  expect(screen.getByRole('listbox')).toBeDefined();
  expect(document.querySelectorAll('style')).toHaveLength(before);
});

test('chooses by a click, and returns the focus to the control', async () => {
  show();

  await userEvent.click(trigger());
  await userEvent.click(screen.getByRole('option', { name: /Lion/ }));

  expect(onChange).toHaveBeenCalledExactlyOnceWith('lion');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(document.activeElement).toBe(trigger());
});

test.each(['{ArrowDown}{End}{Enter}', '{Enter}{ArrowDown}{ArrowDown} ', ' l{Enter}'])(
  'chooses by keys alone: %s',
  async (keys) => {
    show();
    trigger().focus();

    for (const key of keys.match(/\{\w+\}|./g) ?? []) {
      await userEvent.keyboard(key);
      // The menu moves the focus for a typed letter only after the key.
      await new Promise((resolve) => setTimeout(resolve));
    }

    expect(onChange).toHaveBeenCalledExactlyOnceWith('lion');
    expect(screen.queryByRole('listbox')).toBeNull();
  },
);

test('explains why a locked option is locked, and changes nothing', async () => {
  show();

  await userEvent.click(trigger());
  await userEvent.click(screen.getByTitle('Upgrade to unlock'));

  expect(onLocked).toHaveBeenCalledExactlyOnceWith('panther');
  expect(onChange).not.toHaveBeenCalled();
});

test('answers keys on a locked option too', async () => {
  show();
  trigger().focus();

  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');

  expect(onLocked).toHaveBeenCalledExactlyOnceWith('panther');
  expect(onChange).not.toHaveBeenCalled();
});

test('changes nothing when the value is chosen again', async () => {
  show();

  await userEvent.click(trigger());
  await userEvent.click(screen.getByRole('option', { name: 'Bobcat' }));

  expect(onChange).not.toHaveBeenCalled();
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('closes on Escape and on a click elsewhere, and keeps the value', async () => {
  show();
  await userEvent.click(trigger());
  await userEvent.keyboard('{ArrowDown}{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();

  await userEvent.click(trigger());
  await userEvent.click(document.body);

  expect(screen.queryByRole('listbox')).toBeNull();
  expect(onChange).not.toHaveBeenCalled();
});

test('opens by a tap of a finger and closes by another', async () => {
  show();

  await userEvent.pointer({ keys: '[TouchA]', target: trigger() });
  expect(screen.getByRole('listbox')).toBeDefined();
  await userEvent.pointer({ keys: '[TouchA]', target: trigger() });

  expect(screen.queryByRole('listbox')).toBeNull();
});

test('opens nothing for a finger that goes on to scroll', async () => {
  show();

  await userEvent.pointer([
    { keys: '[TouchA>]', target: trigger() },
    { pointerName: 'TouchA', target: document.body },
    { keys: '[/TouchA]', target: document.body },
  ]);

  expect(screen.queryByRole('listbox')).toBeNull();
});

/** A picker in a page that has not loaded the lists' code. */
async function showUnloaded() {
  vi.resetModules();
  const { Picker: UnloadedPicker } = await import('./picker.tsx');
  render(<UnloadedPicker label="Model" value="bobcat" options={OPTIONS} onChange={onChange} onLocked={onLocked} />);
}

test.each(['{Enter}{ArrowDown}{ArrowDown}{Enter}', '{ArrowDown}{End} ', '{End}{Enter}', 'l{Enter}'])(
  'repeats the keys typed before its code arrived, on the same button: %s',
  async (keys) => {
    await showUnloaded();
    const button = trigger();
    act(() => button.focus());

    for (const key of keys.match(/\{\w+\}|./g) ?? []) fireEvent.keyDown(button, { key: key.replaceAll(/[{}]/g, '') });

    await vi.waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith('lion'));
    expect(trigger()).toBe(button);
    expect(document.activeElement).toBe(button);
  },
);

test('opens for a click that came before its code, and names the highlighted option', async () => {
  await showUnloaded();

  fireEvent.click(trigger());

  const option = await screen.findByRole('option', { name: 'Bobcat' });
  expect(trigger().getAttribute('aria-expanded')).toBe('true');
  expect(trigger().getAttribute('aria-activedescendant')).toBe(option.id);
  expect(trigger().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
});

test('loads its code for a pointer above it, and opens nothing', async () => {
  await showUnloaded();

  await userEvent.hover(trigger());
  await userEvent.click(trigger());

  expect(await screen.findByRole('option', { name: 'Bobcat' })).toBeDefined();
  expect(screen.getAllByRole('listbox')).toHaveLength(1);
});

test('forgets the keys of a user who left before its code arrived', async () => {
  await showUnloaded();
  act(() => trigger().focus());

  fireEvent.keyDown(trigger(), { key: 'Enter' });
  act(() => trigger().blur());
  await act(() => import('./picker-list.tsx').then(() => new Promise((resolve) => setTimeout(resolve))));

  expect(trigger().getAttribute('aria-expanded')).toBe('false');
});

test('stars an option by a click or by Shift and Enter, without choosing it, and says so', async () => {
  const starred = new Set(['lion']);
  const toggle = (name: string) => {
    if (!starred.delete(name)) starred.add(name);
    return `${name} is ${starred.has(name) ? 'starred' : 'not starred'}`;
  };
  const picker = () => (
    <Picker
      label="Model"
      value="bobcat"
      options={OPTIONS.map(({ value, label }) => ({
        value,
        label,
        star: { isOn: starred.has(value), action: `Star ${label}`, state: 'starred', toggle: () => toggle(value) },
      }))}
      onChange={onChange}
    />
  );
  const { rerender } = render(picker());
  await userEvent.click(trigger());
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Bobcat',
    'Panther',
    'Lion, starred',
  ]);

  await userEvent.keyboard('{ArrowDown}{Shift>}{Enter}{/Shift}');
  rerender(picker());

  expect(screen.getByRole('status').textContent).toBe('panther is starred');
  expect(screen.getByRole('option', { name: /Panther/ }).textContent).toBe('Panther, starred');
  await userEvent.click(screen.getByTitle('Star Lion (Shift+Enter)'));
  expect(screen.getByRole('status').textContent).toBe('lion is not starred');
  expect(screen.getByRole('listbox')).toBeDefined();
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(onChange).toHaveBeenCalledExactlyOnceWith('lion');
});
