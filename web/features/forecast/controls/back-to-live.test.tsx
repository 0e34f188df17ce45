import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BackToLive } from './back-to-live.tsx';

test.each([
  ['from a card', 'card', true],
  ['from the main part, when the tab of the card is hidden', 'main', true],
  ['from nowhere, when an address was opened', null, false],
])('takes the focus %s', (_from, id, isFocused) => {
  render(
    <main id="main" tabIndex={-1}>
      <article>
        <button id="card" type="button">
          Open in chart
        </button>
      </article>
    </main>,
  );
  if (id !== null) document.getElementById(id)?.focus();

  render(<BackToLive onClick={() => {}} />);

  expect(document.activeElement === screen.getByRole('button', { name: 'Back to live' })).toBe(isFocused);
});
