import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Field } from './field.tsx';

test('shows a password on request and hides it again, without sending the form or losing what was typed', async () => {
  const onSubmit = vi.fn();
  render(
    <form onSubmit={onSubmit}>
      <Field label="Password" type="password" autoComplete="current-password" />
    </form>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  await userEvent.type(field, 'Secret1!');
  expect(field.type).toBe('password');

  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect([field.type, field.value]).toEqual(['text', 'Secret1!']);

  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect([field.type, field.value]).toEqual(['password', 'Secret1!']);
  expect(onSubmit).not.toHaveBeenCalled();
});

test('has no such button beside other fields', () => {
  render(<Field label="Email" type="email" />);

  expect(screen.queryByRole('button')).toBeNull();
});
