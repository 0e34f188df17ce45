import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Picker } from './picker.tsx';
import { keyAction } from './picker-keys.ts';

const onChange = vi.fn();
const onLocked = vi.fn();
const OPTIONS = [
  { value: 'bobcat', label: 'Bobcat' },
  { value: 'panther', label: 'Panther', isLocked: true, title: 'Upgrade to unlock' },
  { value: 'lion', label: 'Lion' },
] as const;

beforeEach(() => {
  onChange.mockReset();
  onLocked.mockReset();
  render(<Picker label="Model" value="bobcat" options={OPTIONS} onChange={onChange} onLocked={onLocked} />);
});

const combobox = () => screen.getByRole('combobox', { name: 'Model' });

test('shows its value and opens on a click', async () => {
  expect(combobox().textContent).toBe('Bobcat');
  expect(combobox().getAttribute('aria-expanded')).toBe('false');

  await userEvent.click(combobox());

  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Bobcat', 'Panther', 'Lion']);
  expect(screen.getByRole('option', { name: 'Bobcat' }).getAttribute('aria-selected')).toBe('true');
});

test('is chosen from by keys alone', async () => {
  combobox().focus();
  await userEvent.keyboard('{ArrowDown}{End}{Enter}');

  expect(onChange).toHaveBeenCalledExactlyOnceWith('lion');
  expect(screen.queryByRole('option')).toBeNull();
});

test('a locked option is clickable, says why, and changes nothing', async () => {
  await userEvent.click(combobox());
  await userEvent.click(screen.getByTitle('Upgrade to unlock'));

  expect(onLocked).toHaveBeenCalledExactlyOnceWith('panther');
  expect(onChange).not.toHaveBeenCalled();
});

test('closes on Escape and on a press elsewhere, with the value kept', async () => {
  await userEvent.click(combobox());
  await userEvent.keyboard('{ArrowDown}{Escape}');
  expect(screen.queryByRole('option')).toBeNull();

  await userEvent.click(combobox());
  await userEvent.click(document.body);

  expect(screen.queryByRole('option')).toBeNull();
  expect(onChange).not.toHaveBeenCalled();
});

const OPEN = { isOpen: true, active: 1, labels: ['BTC', 'ETH', 'SOL', 'Silver'] };
test.each([
  ['ArrowUp', { type: 'move', index: 0 }],
  ['ArrowDown', { type: 'move', index: 2 }],
  ['Home', { type: 'move', index: 0 }],
  ['End', { type: 'move', index: 3 }],
  ['s', { type: 'move', index: 2 }],
  ['b', { type: 'move', index: 0 }],
  ['Tab', { type: 'leave' }],
  ['Enter', { type: 'choose' }],
  ['x', null],
])('open, the key %s', (key, expected) => {
  expect(keyAction({ key, altKey: false, ctrlKey: false, metaKey: false }, OPEN)).toEqual(expected);
});

test('a letter goes round through the labels that start with it', () => {
  const pressed = { key: 's', altKey: false, ctrlKey: false, metaKey: false };

  expect(keyAction(pressed, { ...OPEN, active: 2 })).toEqual({ type: 'move', index: 3 });
  expect(keyAction(pressed, { ...OPEN, active: 3 })).toEqual({ type: 'move', index: 2 });
  expect(keyAction({ ...pressed, ctrlKey: true }, OPEN)).toBeNull();
});
