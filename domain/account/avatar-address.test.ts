import { expect, test } from 'vitest';
import { avatarObjectName, avatarObjectOf, initialOf, ownAvatarPath, publicAvatarPath } from './avatar-address.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const PATH = publicAvatarPath(avatarObjectName(ID, 1_763_700_000_000, 'image/webp'));

test.each([
  [PATH, PATH],
  [`https://kat.example${PATH}`, PATH],
  [`http://127.0.0.1:3000${PATH}?v=2`, `${PATH}?v=2`],
  ['https://lh3.example.com/a/picture=s96-c', null],
  [`https://kat.example/elsewhere${PATH}`, null],
  [`//evil.example${PATH}`, null],
  [`javascript:alert(1)//${PATH}`, null],
  [`/storage/v1/object/public/avatars/${ID}/../../secret`, null],
  ['', null],
  [null, null],
])('maps the address %s to the path %s', (url, path) => {
  expect(ownAvatarPath(url)).toBe(path);
});

test('assigns an object to its owner by its folder alone', () => {
  expect(avatarObjectOf(ID, `https://kat.example${PATH}`)).toBe(`${ID}/1763700000000.webp`);
  expect(avatarObjectOf('22222222-2222-4222-8222-222222222222', PATH)).toBeNull();
  expect(avatarObjectOf(ID, 'https://pictures.example/me.png')).toBeNull();
});

test('names an object by its time, and by the kind of picture that browsers without WebP make', () => {
  expect(avatarObjectName(ID, 1_763_700_000_001, 'image/jpeg')).toBe(`${ID}/1763700000001.jpg`);
});

test.each([
  ['ada lovelace', 'A'],
  ['  élise', 'É'],
  ['😀 smile', '😀'],
  ['', '?'],
  ['مريم', 'م'],
])('gives %j the initial %s, on a colour that stays', (name, letter) => {
  const first = initialOf(name);

  expect(first.letter).toBe(letter);
  expect(first.colour).toBeGreaterThanOrEqual(0);
  expect(first.colour).toBeLessThan(8);
  expect(initialOf(name)).toEqual(first);
});
