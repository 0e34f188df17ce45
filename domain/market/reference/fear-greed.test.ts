import { expect, test } from 'vitest';
import { fearGreedLabel, fearGreedSchema, fearGreedValue } from './fear-greed.ts';

test.each([
  [100, 'Extreme Greed'],
  [75, 'Extreme Greed'],
  [74, 'Greed'],
  [55, 'Greed'],
  [54, 'Neutral'],
  [45, 'Neutral'],
  [44, 'Fear'],
  [25, 'Fear'],
  [24, 'Extreme Fear'],
  [0, 'Extreme Fear'],
])('labels %d as %s', (value, label) => {
  expect(fearGreedLabel(value)).toBe(label);
});

const answerWith = (value: unknown) => ({ name: 'x', data: [{ value, timestamp: '1777248000' }], metadata: {} });

test.each(['0', '7', '47', '100'])('reads %s, a text', (value) => {
  expect(fearGreedValue(fearGreedSchema.parse(answerWith(value)))).toBe(Number(value));
});

test.each([...[47, '101', '-1', '4.5', 'NaN', '', null].map(answerWith), { data: [] }, { data: null }, '<html>'])(
  'takes %j for no answer',
  (answer) => {
    expect(fearGreedSchema.safeParse(answer).success).toBe(false);
  },
);
