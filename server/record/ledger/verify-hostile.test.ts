/**
 * Tests files that were changed or built to do harm: every single change is found, and harmful files end in findings.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordText } from '#domain/record/ledger/ledger.ts';
import { sampleSize } from '../../../tests/support/run/test-size.ts';
import { dayFile } from '../testing/day-fixtures.ts';
import { eveningDays, requireRecord, verify, withBody } from '../testing/verification-fixtures.ts';

const days = await eveningDays();

test('finds any single change of a day’s file', async () => {
  const [{ head, texts }] = days;
  const place = fc.nat({ max: texts.length - 1 });
  const change = fc.oneof(
    fc.record({ kind: fc.constant('byte' as const), place, at: fc.nat(), by: fc.integer({ min: 1, max: 94 }) }),
    fc.record({
      kind: fc.constantFrom('removed' as const, 'doubled' as const, 'inserted' as const),
      place,
      at: place,
      by: fc.constant(0),
    }),
    fc.record({ kind: fc.constant('swapped' as const), place, at: place, by: fc.constant(0) }),
    fc.record({
      kind: fc.constant('re-dated' as const),
      place,
      at: fc.constant(0),
      by: fc.integer({ min: 1, max: 400_000 }),
    }),
    fc.record({
      kind: fc.constantFrom('statement' as const, 'signature' as const),
      place,
      at: fc.nat(),
      by: fc.integer({ min: 1, max: 94 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(change, async ({ kind, place: i, at, by }) => {
      const own = texts[i] ?? '';
      const other = texts[at % texts.length] ?? '';
      if (kind === 'swapped') fc.pre(i !== at);
      const lines = {
        byte: () => texts.with(i, otherByte(own, at, by)),
        removed: () => texts.toSpliced(i, 1),
        doubled: () => texts.toSpliced(at, 0, own),
        inserted: () => texts.toSpliced(at, 0, withBody(own, { rv: 123_456 })),
        swapped: () => texts.with(i, other).with(at, own),
        're-dated': () => texts.with(i, withBody(own, { issued: requireRecord(own).issued - by })),
        statement: () => texts,
        signature: () => texts,
      }[kind]();
      const changedHead =
        kind === 'statement' || kind === 'signature' ? { ...head, [kind]: otherByte(head[kind] ?? '', at, by) } : head;

      expect((await verify(dayFile(changedHead, lines))).isSound).toBe(false);
    }),
    { numRuns: sampleSize(40, 150) },
  );
});

test('reports hostile files as findings instead of crashing', async () => {
  const { head, texts } = days[0];
  const one = requireRecord(texts[0] ?? '');
  const huge = JSON.stringify({ record: (texts[0] ?? '').replace('"seq":1', '"seq":1e999'), score: null });
  const files = [
    '',
    '\n'.repeat(1_000_000),
    'x'.repeat(10_000_000),
    '['.repeat(2_000_000),
    `{"record":${'['.repeat(500_000)}`,
    `${JSON.stringify(head)}\n${'{"record":'.repeat(200_000)}`,
    `${JSON.stringify(head)}\n${'\n'.repeat(300_000)}`,
    `${JSON.stringify(head)}\n${`${huge}\n`.repeat(1000)}`,
    JSON.stringify({ ...head, day: '9'.repeat(100_000) }),
    JSON.stringify({
      ...head,
      keys: Array.from({ length: 9000 }, () => ({ id: 'x', public: 'y', announcement: 'z', signature: null })),
    }),
    JSON.stringify({ ...head, statement: '['.repeat(100_000) }),
    dayFile(head, [recordText({ ...one, issued: Number.MAX_SAFE_INTEGER, slot: -300 })]),
    JSON.stringify({ record: texts[0], hash: null, document: 3, score: null, proof: {}, keys: [] }),
  ];
  for (const text of files) {
    const result = await verify(text);
    expect(result.isSound).toBe(false);
    expect(result.findings.length).toBeLessThanOrEqual(200);
    for (const finding of result.findings) expect(finding.text.length).toBeLessThan(500);
  }
  const flooded = await verify(files[7] ?? '');
  expect(flooded.moreFindings).toBeGreaterThan(700);
});

function otherByte(text: string, at: number, by: number): string {
  const i = at % text.length;
  const code = 32 + ((text.charCodeAt(i) - 32 + by) % 95);
  return text.slice(0, i) + String.fromCharCode(code) + text.slice(i + 1);
}
