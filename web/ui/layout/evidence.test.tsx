import { fireEvent, render, screen } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Evidence } from './evidence.tsx';

test('draws its content when a reader opens it, and keeps it', async () => {
  render(<Evidence>figures</Evidence>);
  expect(screen.queryByText('figures')).toBeNull();

  fireEvent.click(screen.getByText('Show the evidence'));
  expect(await screen.findByText('figures')).toBeDefined();

  fireEvent.click(screen.getByText('Show the evidence'));
  expect(await screen.findByText('figures')).toBeDefined();
});

test('draws its content when it was opened before the scripts of a pre-rendered page ran', async () => {
  const page = document.createElement('main');
  page.innerHTML = renderToString(<Evidence>figures</Evidence>);
  document.body.append(page);
  page.querySelector('details')?.setAttribute('open', '');
  const logged = vi.spyOn(console, 'error');

  const root = hydrateRoot(page, <Evidence>figures</Evidence>);

  expect(await screen.findByText('figures')).toBeDefined();
  expect(page.querySelector('details')?.open).toBe(true);
  expect(logged).not.toHaveBeenCalled();
  root.unmount();
  page.remove();
});

test('has eager content in the page from the start', () => {
  expect(renderToString(<Evidence isEager>text</Evidence>)).toContain('text');
});
