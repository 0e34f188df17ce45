/** Components and public pages render to text without a browser, so that pages can be pre-rendered. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import HomePage from '../pages/home-page.tsx';
import { Button } from '../ui/forms/button.tsx';
import { Picker } from '../ui/forms/picker.tsx';
import { Badge } from '../ui/layout/badge.tsx';
import { Panel } from '../ui/layout/panel.tsx';

function render(page: ReactNode): string {
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
}

test('renders components as plain HTML', () => {
  const html = render(
    <Panel heading="Order Book" beside={<Badge>simulated</Badge>}>
      <Picker label="Symbol" value="BTC" options={[{ value: 'BTC', label: 'BTC' }]} onChange={() => {}} />
      <Button>Save</Button>
    </Panel>,
  );

  expect(typeof window).toBe('undefined');
  for (const text of ['Order Book', 'simulated', 'aria-label="Symbol"', 'BTC', 'Save']) expect(html).toContain(text);
});

test('renders the home page without JavaScript', () => {
  const html = render(<HomePage />);

  expect(html).toContain('At one minute nobody beats the last price.');
  expect(html).toContain('Bobcat (Kat 1)');
  // The forecast's frame is there before its data: heading, range and gauge, without a needle.
  for (const text of ['BTC, this minute’s forecast', 'Expected range in ', 'This path, up or down: Waiting…'])
    expect(html).toContain(text);
  expect(html).not.toContain('data-angle');
});
