import { expect, test } from 'vitest';
import { isUsRelease, RELEASE_KINDS, releaseKindOf } from './release-kinds.ts';

test.each([
  ['USD', 'CPI y/y', 'inflation'],
  ['USD', 'Core CPI m/m', 'inflation'],
  ['USD', 'Non-Farm Employment Change', 'jobs'],
  ['USD', 'ADP Non-Farm Employment Change', 'us-other'],
  ['USD', 'Unemployment Rate', 'jobs'],
  ['USD', 'Unemployment Claims', 'claims'],
  ['USD', 'Federal Funds Rate', 'fed-statement'],
  ['USD', 'FOMC Press Conference', 'fed-press-conference'],
  ['USD', 'FOMC Meeting Minutes', 'us-other'],
  ['USD', 'Core PCE Price Index m/m', 'pce'],
  ['USD', 'Core PPI m/m', 'ppi'],
  ['USD', 'Core Retail Sales m/m', 'retail-sales'],
  ['USD', 'ISM Services PMI', 'ism'],
  ['USD', 'Flash Services PMI', 'us-other'],
  ['USD', 'Advance GDP q/q', 'gdp'],
  ['USD', 'Fed Chair Powell Speaks', 'speech'],
  ['CAD', 'Unemployment Rate', 'foreign'],
  ['GBP', 'CPI y/y', 'foreign'],
  ['GBP', 'Official Bank Rate', 'central-bank'],
  ['EUR', 'ECB Press Conference', 'central-bank'],
  ['USD', 'Something of tomorrow', 'us-other'],
  ['XXX', '', 'foreign'],
])('takes %s %j for %s', (currency, title, kind) => {
  expect(releaseKindOf(currency, title)).toBe(kind);
});

test('tells American releases from others', () => {
  expect(RELEASE_KINDS.filter((kind) => !isUsRelease(kind))).toEqual(['central-bank', 'foreign', 'speech']);
});
