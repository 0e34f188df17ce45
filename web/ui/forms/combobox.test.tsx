/** The long list that is narrowed by typing, by keys and by pointer. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FormEvent, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Combobox } from './combobox.tsx';

const option = (value: string, region: string) => ({
  value,
  label: value,
  searchText: `${value} ${region}`.toLowerCase(),
});
const GROUPS = [
  { heading: 'Europe', options: ['Berlin', 'Bern', 'Rome'].map((place) => option(place, 'europe')) },
  { heading: 'Asia', options: [option('Tokyo', 'asia')] },
];

function Places() {
  const [value, setValue] = useState('');
  return (
    <>
      <Combobox
        label="Place"
        listLabel="Places"
        clearLabel="Anywhere"
        noneFound="No such place"
        value={value}
        groups={GROUPS}
        onChange={setValue}
      />
      <button type="button">After</button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Place' });
const options = () => screen.queryAllByRole('option').map((one) => one.textContent);
const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;

test('shows all options in their groups once it is opened', async () => {
  render(<Places />);
  expect(field().getAttribute('aria-expanded')).toBe('false');

  await userEvent.click(field());

  expect(field().getAttribute('aria-expanded')).toBe('true');
  expect(options()).toEqual(['Berlin', 'Bern', 'Rome', 'Tokyo']);
  expect(screen.getByRole('group', { name: 'Asia' })).toBeDefined();
});

test('narrows the list by typing, moves by arrows within what is left and around its ends, and chooses by Enter', async () => {
  render(<Places />);

  await userEvent.type(field(), 'be');
  expect([options(), active()]).toEqual([['Berlin', 'Bern'], 'Berlin']);
  await userEvent.keyboard('{ArrowDown}');
  expect(active()).toBe('Bern');
  await userEvent.keyboard('{ArrowDown}{ArrowUp}{Enter}');

  expect(field().value).toBe('Bern');
  expect(options()).toEqual([]);
});

test('takes a value written in full as that option, in whatever case', async () => {
  render(<Places />);

  await userEvent.type(field(), 'tokyo');

  expect(field().value).toBe('Tokyo');
});

test('leaves no list in the way of an option written in full, or of nothing at all', async () => {
  render(<Places />);

  await userEvent.type(field(), 'Bern');
  expect(options()).toEqual([]);
  await userEvent.clear(field());

  expect([field().value, options()]).toEqual(['', []]);
});

test('fills in the only option that fits on leaving, and keeps the typed text where several fit', async () => {
  render(<Places />);

  await userEvent.type(field(), 'tok');
  await userEvent.click(screen.getByRole('button', { name: 'After' }));
  expect(field().value).toBe('Tokyo');

  await userEvent.clear(field());
  await userEvent.type(field(), 'ber');
  await userEvent.click(screen.getByRole('button', { name: 'After' }));
  expect(field().value).toBe('ber');
});

test('reports what is not in the list, and keeps it as typed on leaving', async () => {
  render(<Places />);

  await userEvent.type(field(), 'atlantis');
  expect(screen.getAllByText('No such place')).not.toHaveLength(0);
  await userEvent.tab();
  await userEvent.tab();

  expect(field().value).toBe('atlantis');
  expect(field().getAttribute('aria-expanded')).toBe('false');
});

test('closes the list and keeps the text on Escape, chooses an option by click, and empties the field by the cross', async () => {
  render(<Places />);
  await userEvent.type(field(), 'ro');
  await userEvent.keyboard('{Escape}');
  expect([field().value, options()]).toEqual(['ro', []]);

  await userEvent.keyboard('{ArrowDown}');
  await userEvent.click(screen.getByRole('option', { name: 'Rome' }));
  expect(field().value).toBe('Rome');
  expect(document.activeElement).toBe(field());

  await userEvent.click(screen.getByRole('button', { name: 'Anywhere' }));
  expect(field().value).toBe('');
});

test('opens the list without a choice by an arrow, moves the caret by Home, and changes nothing under a passing pointer', async () => {
  render(<Places />);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}');
  expect([options().length, active()]).toEqual([4, null]);

  await userEvent.keyboard('be');
  await userEvent.hover(screen.getByRole('option', { name: 'Bern' }));
  await userEvent.unhover(screen.getByRole('option', { name: 'Bern' }));
  await userEvent.keyboard('{ArrowDown}{Home}');

  expect([active(), field().selectionStart]).toEqual(['Bern', 0]);
});

test('sends the form on Enter unless it chooses an option', async () => {
  const onSubmit = vi.fn((event: FormEvent) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Places />
    </form>,
  );

  await userEvent.type(field(), 'be{Enter}');
  expect([field().value, onSubmit.mock.calls.length]).toEqual(['Berlin', 0]);
  await userEvent.clear(field());
  await userEvent.type(field(), 'atlantis{Enter}');

  expect([field().value, onSubmit.mock.calls.length]).toEqual(['atlantis', 1]);
});
