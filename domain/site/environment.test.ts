import { expect, test } from 'vitest';
import { environmentAttribute, marketOf, UNKNOWN_ENVIRONMENT } from './environment.ts';

const attributeValue = (attribute: string) => /^data-environment="(.*)"$/.exec(attribute)?.[1];

test.each(['live', 'replayed', 'simulated'] as const)('names the market %s and whether money is real', (market) => {
  expect(attributeValue(environmentAttribute(market, true))?.split(' ')).toEqual([market, 'real-money']);
  expect(attributeValue(environmentAttribute(market, false))?.split(' ')).toEqual([market, 'no-money']);
  expect(marketOf(attributeValue(environmentAttribute(market, false)))).toBe(market);
});

test('knows no market from a document that no server filled in', () => {
  expect(marketOf(attributeValue(UNKNOWN_ENVIRONMENT))).toBeNull();
  expect(marketOf(undefined)).toBeNull();
});
