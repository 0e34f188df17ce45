import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { AccountLayout } from './account-layout.tsx';

/** A menu 390 px wide whose six items are 110 px wide each. */
function layOut(): void {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const items = [...document.querySelectorAll('nav a')];
    const index = items.indexOf(this);
    return index < 0 ? new DOMRect(0, 0, 390, 44) : new DOMRect(110 * index, 0, 110, 44);
  });
}

test.each([
  ['/account/predictions', 5 * 110 + 55 - 195],
  ['/account/security', 3 * 110 + 55 - 195],
])('scrolls the menu at %s so that its current item is in the middle', (address, scrollLeft) => {
  layOut();

  render(
    <MemoryRouter initialEntries={[address]}>
      <AccountLayout>page</AccountLayout>
    </MemoryRouter>,
  );

  expect(screen.getByRole('navigation', { name: 'Account' }).scrollLeft).toBe(scrollLeft);
});

test('leads to the six pages of the account', () => {
  layOut();

  render(
    <MemoryRouter initialEntries={['/account']}>
      <AccountLayout>page</AccountLayout>
    </MemoryRouter>,
  );

  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Profile', '/account'],
    ['Subscription', '/account/subscription'],
    ['Notifications', '/account/notifications'],
    ['Security', '/account/security'],
    ['Activity', '/account/activity'],
    ['Predictions', '/account/predictions'],
  ]);
});
