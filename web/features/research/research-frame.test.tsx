import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { copyForPrint, ResearchFrame } from './research-frame.tsx';

test('shows our paper in a frame 4800 px high that is not shut off from us', () => {
  render(<ResearchFrame address="/research-paper/" />);

  const frame = screen.getByTitle('Kat research paper');
  expect(frame.getAttribute('height')).toBe('4800');
  expect(frame.getAttribute('src')).toBe('/research-paper/');
  expect(frame.hasAttribute('sandbox')).toBe(false);
  expect(screen.getByText(/^The paper continues inside the frame/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'open the paper on its own' }).getAttribute('href')).toBe('/research-paper/');
});

test('sandboxes a document elsewhere, which learns nothing of the page and cannot lead it away', () => {
  render(<ResearchFrame address="https://docs.example/paper" />);

  const frame = screen.getByTitle('Research document');
  expect(frame.getAttribute('height')).toBe('4800');
  expect(frame.getAttribute('sandbox')).toContain('allow-scripts');
  expect(frame.getAttribute('sandbox')).not.toContain('top-navigation');
  expect(frame.getAttribute('referrerpolicy')).toBe('no-referrer');
  expect(screen.queryByText(/continues inside the frame/)).toBeNull();
});

test('claims no copy for print where nothing can be copied', () => {
  render(<ResearchFrame address="https://docs.example/paper" />);
  const into = document.createElement('div');
  const frame = screen.getByTitle<HTMLIFrameElement>('Research document');

  expect(copyForPrint(frame, into)).toBe(false);
  expect(into.hasAttribute('data-filled')).toBe(false);
});
