import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GalleryExample } from '#domain/gallery/gallery-example.ts';
import { GalleryCard } from './gallery-card.tsx';

const EXAMPLE: GalleryExample = {
  id: 'sol-lion-202610291932',
  title: 'SOL up 0.73%',
  dateIso: '2026-10-29T19:32:00.000Z',
  symbol: 'SOL',
  model: 'lion',
  accuracy: 30,
  description: 'A miss.',
  predictionAlt: 'what was forecast',
  outcomeAlt: 'what followed',
};

test('names an example’s symbol, model, minute and verdict, and marks it as simulated', () => {
  render(<GalleryCard example={EXAMPLE} />);

  const card = within(screen.getByRole('region', { name: 'SOL up 0.73%' }));
  for (const text of ['Lion (Kat 2.4)', 'SOL', '29 Oct 2026, 19:32 UTC', 'A miss.']) card.getByText(text);
  expect(card.getByText('simulated').title).toMatch(/simulated market/);
});

test.each([
  ['what was forecast', 'prediction', 'forecast'],
  ['what followed', 'outcome', 'outcome'],
])('holds the picture of %s in every theme, one file each', (alt, kind, label) => {
  render(<GalleryCard example={EXAMPLE} />);

  const pictures = screen.getAllByRole('img', { name: alt });
  expect(pictures.map((picture) => picture.getAttribute('src'))).toEqual(
    ['dark', 'light', 'dark-cb', 'light-cb'].map((theme) => `/gallery/sol-lion-202610291932-${kind}-${theme}.svg`),
  );
  for (const picture of pictures) {
    expect(picture.getAttribute('loading')).toBe('lazy');
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['800', '450']);
  }
  expect(screen.getByText(label).getAttribute('aria-hidden')).toBe('true');
});

test.each([
  [90, 'good', 'mostly right'],
  [80, 'good', 'mostly right'],
  [70, 'fair', 'half right'],
  [60, 'fair', 'half right'],
  [50, 'poor', 'mostly wrong'],
])('shows at %i %% the badge %s and the text %s', (accuracy, grade, label) => {
  render(<GalleryCard example={{ ...EXAMPLE, accuracy }} />);

  expect(screen.getByText(`${accuracy}% accuracy, ${label}`).dataset.grade).toBe(grade);
});
