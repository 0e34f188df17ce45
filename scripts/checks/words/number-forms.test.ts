import { expect, test } from 'vitest';
import { findNumberForm, percentFaults } from './number-forms.ts';

test.each([
  ['Half of it, 50 %, was right.', '50 %'],
  ['It gained 0.17\u00a0% in a day.', '0.17\u00a0%'],
  ['Renewed on November 23, 2026.', 'November 23'],
  ['Renewed on Nov 23.', 'Nov 23'],
  ['First edition, 22 November 2026', '22 November'],
  ['Renewed on 2026-11-23.', '2026-11-23'],
  ['Renewed on 11/23/2026.', '11/23/2026'],
  ['A spread of 2 bps.', '2 bps'],
  ['Between 60 – 90 minutes.', '60 – 90'],
])('finds the other form in %j', (text, found) => {
  expect(findNumberForm(text)?.found).toBe(found);
});

test.each([
  '80% of closes; 0.17%, 2 bp, 60 to 90 minutes, 62,000 rows.',
  'Renewed on 23 Nov 2026, 14:05 UTC. Measured in March 2025, and in May.',
  'Write an ISO date such as 2025-03-01.',
  'The file kat-2026-11-23.json lies in days/2026-11-23.',
  'It took 3/4 of 20 s in July 20:15.',
])('finds none in %j', (text) => {
  expect(findNumberForm(text)).toBeNull();
});

test('finds a spaced percentage behind an expression, and no remainder of a division', () => {
  const source = [
    'const share = `all but {part} % of it`;',
    '<b>{part} %</b>',
    '<b>{part}&nbsp;%</b>',
    'const rest = (t0 % 60) + (days + 4) % 7 + width % 2;',
    '// Eight of ten are 80%.',
  ].join('\n');

  expect(percentFaults('web/a.tsx', source)).toEqual([
    "web/a.tsx:1: '} %': write 80%, without a space",
    "web/a.tsx:2: '} %': write 80%, without a space",
    "web/a.tsx:3: '}&nbsp;%': write 80%, without a space",
  ]);
});
