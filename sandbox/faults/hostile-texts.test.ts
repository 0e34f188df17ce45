import { expect, test } from 'vitest';
import { HOSTILE_TEXTS, withHostileTexts } from './hostile-texts.ts';

test('replaces titles and descriptions at any depth, and nothing else', () => {
  const message = { items: [{ id: 'a', snippet: { title: 'A', description: 'B', publishedAt: 'C' }, views: '7' }] };

  expect(withHostileTexts(message)).toEqual({
    items: [
      {
        id: 'a',
        snippet: { title: `${HOSTILE_TEXTS[0]}\u0000`, description: `${HOSTILE_TEXTS[1]}\u0000`, publishedAt: 'C' },
        views: '7',
      },
    ],
  });
});

test('leaves a feed well-formed with any of the texts', () => {
  const item = '<item><title>A</title><link>https://a.example/</link></item>';
  const feed = `<rss><channel>${item.repeat(HOSTILE_TEXTS.length)}</channel></rss>`;

  const corrupt = String(withHostileTexts(feed));

  expect(corrupt.match(/<title>[^<>]*<\/title><link>https:\/\/a\.example\/<\/link>/g)).toHaveLength(
    HOSTILE_TEXTS.length,
  );
  expect([...corrupt].every((character) => character >= ' ' || '\r\n\t'.includes(character))).toBe(true);
});

test('leaves a JSON feed valid', () => {
  const corrupt: unknown = JSON.parse(String(withHostileTexts('{"items":[{"title":"A","url":"u"}]}')));

  expect(corrupt).toEqual({ items: [{ title: `${HOSTILE_TEXTS[0]}\u0000`, url: 'u' }] });
});
