/** What a visitor sees of a closed market. */
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { ClosedMarket } from './closed-market.tsx';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

function showAt(iso: string, name: string) {
  vi.setSystemTime(iso);
  render(<ClosedMarket symbol={symbolNamed(name)} />, { wrapper: MemoryRouter });
}

test('says when it opens, and leads to the sign-in and back to its chart', () => {
  showAt('2026-11-21T15:00:00Z', 'MSFT');

  expect(screen.getByText(/^Opens Mon \d\d:30 \(in 1 d 23 h\)$/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Alert me at the open' }).getAttribute('href')).toBe(
    '/auth/signin?next=%2Fkat%3Fsym%3DMSFT',
  );
});

test('shows nothing while it is open', () => {
  showAt('2026-11-20T15:00:00Z', 'MSFT');

  expect(screen.queryByRole('link')).toBeNull();
});
