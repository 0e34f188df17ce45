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
  coverage: { bars: 50, within80: 14, within95: 42 },
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

test('shows before the accuracy how many closes its bands held', () => {
  render(<GalleryCard example={EXAMPLE} />);

  const [coverage, accuracy] = [
    screen.getByText('14 of 50 closes inside 80%, 8 outside 95%'),
    screen.getByText(/accuracy/),
  ];
  expect(coverage.compareDocumentPosition(accuracy)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test.each([
  [50, 50, 2],
  [30, 50, 1],
  [50, 49, 0],
  [40, 42, 0],
])('is green nowhere for a forecast that left its 95%% band: %i and %i closes inside', (within80, within95, count) => {
  const { container } = render(
    <GalleryCard example={{ ...EXAMPLE, accuracy: 90, coverage: { bars: 50, within80, within95 } }} />,
  );

  expect(container.querySelectorAll('[class*="up"]')).toHaveLength(count);
});
