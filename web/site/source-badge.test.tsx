import { render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PaymentsBadge, SourceBadge } from './source-badge.tsx';

const { dataset } = document.documentElement;
afterEach(() => {
  delete dataset.environment;
});

const textOf = (badge: React.ReactNode) => render(badge).container.textContent;

test('names a source that is not live, and carries its kind for the style sheet', () => {
  const { container } = render(<SourceBadge kind="simulated" />);
  expect(container.textContent).toBe('simulated');
  // Hidden under a bar that says the same: web/ui/styles/base.css.
  expect(container.querySelector('[data-source="simulated"]')).not.toBeNull();
  expect(textOf(<SourceBadge kind={null} />)).toBe('');
});

test.each([
  ['simulated no-money', 'live'],
  ['replayed real-money', 'live'],
  ['live real-money', ''],
  ['unknown', ''],
])('marks, in the environment %s, live data with %o', (environment, shown) => {
  dataset.environment = environment;

  expect(textOf(<SourceBadge kind="live" />)).toBe(shown);
});

test('marks payments without real money only', () => {
  expect(textOf(<PaymentsBadge kind="sandbox" />)).toBe('Test payments – no real money');
  expect(textOf(<PaymentsBadge kind="test" />)).toBe('Test payments – no real money');
  expect(textOf(<PaymentsBadge kind="live" />)).toBe('');
  expect(textOf(<PaymentsBadge kind="none" />)).toBe('');
});
