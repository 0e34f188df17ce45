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

test('counts the closes inside the bands of each example before anything else', () => {
  show();

  const badges = [...document.querySelectorAll<HTMLElement>('[data-coverage]')];
  expect(badges.map(({ textContent }) => textContent)).toEqual([
    '50 of 50 closes inside 80%',
    '48 of 50 closes inside 80%',
    '14 of 50 closes inside 80%, 8 outside 95%',
    '47 of 50 closes inside 80%',
    '41 of 50 closes inside 80%, 7 outside 95%',
  ]);
  expect(badges.map((badge) => badge.dataset.coverage)).toEqual(['held', 'held', 'missed', 'held', 'missed']);
});

test('says that its examples are chosen, simulated and no evidence, and leads on', () => {
  show();

  expect(screen.getByText(/chosen examples.*simulated candles.*not evidence/s)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open AI Prediction' }).getAttribute('href')).toBe('/kat');
  expect(screen.getByRole('link', { name: 'AI Models' }).getAttribute('href')).toBe('/ai-models');
});

test('labels the miss as a miss', () => {
  expect(GALLERY.map(({ description }) => description.includes('A miss'))).toEqual(
    GALLERY.map(({ accuracy }) => accuracy < 60),
  );
});
