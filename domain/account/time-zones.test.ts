import { expect, test } from 'vitest';
import { offsetOf, zoneRegions } from './time-zones.ts';

const WINTER = Date.UTC(2026, 0, 15);
const SUMMER = Date.UTC(2026, 6, 15);

test('lists zones by region and by the place’s name, UTC first', () => {
  const names = ['Europe/Berlin', 'America/New_York', 'America/Argentina/Buenos_Aires', 'Europe/Athens', 'UTC'];

  expect(zoneRegions(names, WINTER)).toEqual([
    { region: 'UTC', zones: [{ zone: 'UTC', place: 'UTC', offset: 'UTC' }] },
    {
      region: 'America',
      zones: [
        { zone: 'America/Argentina/Buenos_Aires', place: 'Buenos Aires (Argentina)', offset: 'UTC−3' },
        { zone: 'America/New_York', place: 'New York', offset: 'UTC−5' },
      ],
    },
    {
      region: 'Europe',
      zones: [
        { zone: 'Europe/Athens', place: 'Athens', offset: 'UTC+2' },
        { zone: 'Europe/Berlin', place: 'Berlin', offset: 'UTC+1' },
      ],
    },
  ]);
});

test.each([
  ['Europe/Berlin', WINTER, 'UTC+1'],
  ['Europe/Berlin', SUMMER, 'UTC+2'],
  ['Asia/Kolkata', WINTER, 'UTC+5:30'],
  ['Africa/Abidjan', WINTER, 'UTC'],
])('gives %s at %d the offset %s', (zone, atMs, offset) => {
  expect(offsetOf(zone, atMs)).toBe(offset);
});

test('lists a place that the browser knows by a former name once, under its present name', () => {
  const zones = zoneRegions(['Asia/Calcutta', 'Europe/Kiev', 'Asia/Saigon', 'Asia/Ho_Chi_Minh'], WINTER).flatMap(
    (region) => region.zones,
  );

  expect(zones.map(({ zone, place, formerly }) => [zone, place, formerly])).toEqual([
    ['UTC', 'UTC', undefined],
    ['Asia/Ho_Chi_Minh', 'Ho Chi Minh', undefined],
    ['Asia/Kolkata', 'Kolkata', 'Asia/Calcutta'],
    ['Europe/Kyiv', 'Kyiv', 'Europe/Kiev'],
  ]);
});
