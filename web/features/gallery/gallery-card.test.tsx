import { act, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { GalleryExample } from '#domain/record/gallery-example.ts';
import { readTheme, toggleColourBlind, toggleDark } from '../../ui/theme.ts';
import { GalleryCard } from './gallery-card.tsx';

const EXAMPLE: GalleryExample = {
  id: 'sol-lion-202610291932',
  title: 'SOL up 0.73 %',
  dateIso: '2026-10-29T19:32:00.000Z',
  symbol: 'SOL',
  model: 'lion',
  accuracy: 30,
  description: 'A miss.',
  predictionAlt: 'what was forecast',
  outcomeAlt: 'what followed',
};

afterEach(() => {
  localStorage.clear();
  const { isDark, isColourBlind } = readTheme();
  if (isDark !== (document.documentElement.dataset.theme === 'dark')) act(toggleDark);
  if (isColourBlind !== (document.documentElement.dataset.palette === 'colour-blind')) act(toggleColourBlind);
  localStorage.clear();
});

test('an example names its symbol, model, minute and words, and shows both pictures', () => {
  render(<GalleryCard example={EXAMPLE} />);

  const card = within(screen.getByRole('region', { name: 'SOL up 0.73 %' }));
  for (const text of ['Lion', 'SOL', '2026-10-29 19:32 UTC', 'simulated', 'A miss.']) card.getByText(text);
  for (const [name, kind] of [
    ['what was forecast', 'prediction'],
    ['what followed', 'outcome'],
  ]) {
    const picture = card.getByRole('img', { name: name ?? '' });
    expect(picture.getAttribute('src')).toBe(`/gallery/sol-lion-202610291932-${kind}-dark.svg`);
    expect(picture.getAttribute('loading')).toBe('lazy');
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['800', '450']);
  }
});

test.each([
  [90, 'good', 'mostly right'],
  [80, 'good', 'mostly right'],
  [70, 'fair', 'half right'],
  [60, 'fair', 'half right'],
  [50, 'poor', 'mostly wrong'],
])('at %i %% the badge is %s and says %s', (accuracy, grade, words) => {
  render(<GalleryCard example={{ ...EXAMPLE, accuracy }} />);

  expect(screen.getByText(`${accuracy} % accuracy, ${words}`).dataset.grade).toBe(grade);
});

test('the pictures follow theme and palette', () => {
  render(<GalleryCard example={EXAMPLE} />);
  const source = () => screen.getByRole('img', { name: 'what followed' }).getAttribute('src');

  act(toggleDark);
  expect(source()).toMatch(/-outcome-light\.svg$/);
  act(toggleColourBlind);
  expect(source()).toMatch(/-outcome-light-cb\.svg$/);
  act(toggleDark);
  expect(source()).toMatch(/-outcome-dark-cb\.svg$/);
});
