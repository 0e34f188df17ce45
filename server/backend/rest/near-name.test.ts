import { expect, test } from 'vitest';
import { nearestName } from './near-name.ts';

const NAMES = ['profiles', 'user_predictions', 'watched_pairs', 'changelog_posts', 'x'];

test.each([
  ['profile', 'profiles'],
  ['Profiles', 'profiles'],
  ['user_prediction', 'user_predictions'],
  ['usr_predictions', 'user_predictions'],
  ['watchedpairs', 'watched_pairs'],
  ['x', 'x'],
  ['orders', null],
  ['', null],
  ['p'.repeat(5000), null],
])('finds for %j the name %j', (name, near) => {
  expect(nearestName(name, NAMES)).toBe(near);
  expect(nearestName(name, [])).toBeNull();
});
