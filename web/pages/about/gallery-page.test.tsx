import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { GALLERY } from '../../content/gallery.ts';
import GalleryPage from './gallery-page.tsx';

function show() {
  render(
    <MemoryRouter>
      <GalleryPage />
    </MemoryRouter>,
  );
}

test('shows five examples with 90, 90, 30, 80 and 90 percent, in that order, each with two described pictures', () => {
  show();

  const badges = screen.getAllByText(/% accuracy, /);
  expect(badges.map((badge) => Number.parseInt(badge.textContent, 10))).toEqual([90, 90, 30, 80, 90]);
  expect(badges.map((badge) => badge.dataset.grade)).toEqual(['good', 'good', 'poor', 'good', 'good']);
  const descriptions = new Set(screen.getAllByRole('img').map((picture) => picture.getAttribute('alt')));
  expect(descriptions.size).toBe(2 * GALLERY.length);
  for (const description of descriptions) expect(description).toMatch(/\d/);
});

test('says that its examples are chosen, simulated and no evidence, and leads on', () => {
  show();

  expect(screen.getByText(/chosen examples.*simulated candles.*not evidence/s)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open AI Prediction' }).getAttribute('href')).toBe('/kat');
  expect(screen.getByRole('link', { name: 'AI Models' }).getAttribute('href')).toBe('/ai-models');
});

test('labels the miss as a miss', () => {
  expect(GALLERY.map(({ description }) => description.startsWith('A miss'))).toEqual(
    GALLERY.map(({ accuracy }) => accuracy < 60),
  );
});
