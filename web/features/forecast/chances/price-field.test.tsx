import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { PriceField } from './price-field.tsx';

const [BTC] = SYMBOLS;

function show(first: number | null, price: number | null = 64_000) {
  const onChange = vi.fn();
  function Line() {
    const [value, setValue] = useState(first);
    const change = (to: number) => {
      onChange(to);
      setValue(to);
    };
    return <PriceField label="Line" value={value} price={price} symbol={BTC} onChange={change} />;
  }
  const { container } = render(<Line />);
  return { onChange, container };
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Line' });

test('moves by the step that its buttons name, and shows how far it is from the price', async () => {
  const { onChange, container } = show(64_000);
  expect(container.textContent).toContain('0.00%');

  fireEvent.click(screen.getByRole('button', { name: 'Line up 32.0' }));
  fireEvent.click(screen.getByRole('button', { name: 'Line down 32.0' }));
  fireEvent.click(screen.getByRole('button', { name: 'Line down 32.0' }));

  expect(onChange.mock.calls).toEqual([[64_032], [64_000], [63_968]]);
  expect(field().value).toBe('63,968.0');
  expect(container.textContent).toContain('−0.05%');
});

test('takes a typed price to the nearest tick, and writes it as a price once it is entered or left', async () => {
  const { onChange } = show(64_000);
  await userEvent.clear(field());
  await userEvent.type(field(), '65,001.26');
  expect([field().value, onChange.mock.lastCall]).toEqual(['65,001.26', [65_001.3]]);

  await userEvent.keyboard('{Enter}');
  expect(field().value).toBe('65,001.3');
  await userEvent.clear(field());
  expect(field().getAttribute('aria-invalid')).toBe('false');
  await userEvent.type(field(), 'abc');
  expect(field().getAttribute('aria-invalid')).toBe('true');
  await userEvent.tab();

  expect([field().value, field().getAttribute('aria-invalid')]).toEqual(['65,001.3', 'false']);
});

test('goes on from the line, not from a text that is no price', () => {
  const { onChange } = show(64_000);
  fireEvent.change(field(), { target: { value: 'abc' } });
  expect(fireEvent.keyDown(field(), { key: 'ArrowUp' })).toBe(false);
  expect(field().value).toBe('64,000.1');
  fireEvent.change(field(), { target: { value: '' } });
  fireEvent.click(screen.getByRole('button', { name: /^Line up/ }));

  expect(onChange.mock.calls).toEqual([[64_000.1], [64_032.1]]);
  expect(field().value).toBe('64,032.1');
});

test('moves nothing until a price is known', () => {
  const { onChange, container } = show(null, null);
  expect([field().value, container.textContent]).toEqual(['', expect.not.stringContaining('%')]);

  fireEvent.click(screen.getByRole('button', { name: /^Line up/ }));
  expect(fireEvent.keyDown(field(), { key: 'ArrowUp' })).toBe(true);

  expect(onChange).not.toHaveBeenCalled();
});
