import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { ExternalLink, ExternalLinkButton } from './external-link.tsx';

test.each([
  [
    'a link',
    <ExternalLink key="a" href="https://other.example/x">
      Patron page
    </ExternalLink>,
  ],
  [
    'a button',
    <ExternalLinkButton key="b" href="https://other.example/x">
      Patron page
    </ExternalLinkButton>,
  ],
])('opens %s to another site in a new tab that learns nothing, and says so', (_what, link) => {
  render(<MemoryRouter>{link}</MemoryRouter>);

  const found = screen.getByRole('link', { name: 'Patron page (opens in a new tab)' });

  expect(found.getAttribute('href')).toBe('https://other.example/x');
  expect([found.getAttribute('target'), found.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
  expect(found.querySelector('svg[aria-hidden="true"]')).not.toBeNull();
});
