import { describe, expect, test } from 'vitest';
import { type BoardCall, boardRow, boardVerdict, FEWEST_COMPARED, wilson } from './board.ts';

const HOUR_S = 3600;

/** One an hour; `isRight` says for each whether its side came. */
function calls(count: number, isRight: (i: number) => boolean, drawnBp = 4, moveBp = 10): BoardCall[] {
  return Array.from({ length: count }, (_, i) => {
    const actualBp = i % 3 === 0 ? moveBp : -moveBp;
    return { joinS: i * HOUR_S, actualBp, drawnBp: (isRight(i) ? 1 : -1) * Math.sign(actualBp) * drawnBp };
  });
}

describe('one row', () => {
  test('counts who was on the right side, with an interval that holds the coin where it was a coin', () => {
    const row = boardRow(
      'lion',
      calls(100, (i) => i % 2 === 0),
    );

    expect(row).toMatchObject({ who: 'lion', n: 100, sided: 100, right: 50, overlapping: 0, isBetter: false });
    expect(row.share?.value).toBe(0.5);
    expect(row.share?.interval[0]).toBeCloseTo(0.4038, 3);
    expect(row.share?.interval[1]).toBeCloseTo(0.5962, 3);
  });

  test('shows a path’s error beside that of the last close, with the skill and its interval', () => {
    const always = boardRow(
      'you',
      calls(100, () => true),
    );
    const never = boardRow(
      'you',
      calls(100, () => false),
    );
    const half = boardRow(
      'you',
      calls(100, (i) => i % 2 === 0),
    );

    expect(always.path).toMatchObject({ maeBp: 6, lastCloseMaeBp: 10 });
    expect(always.path?.skill).toBeCloseTo(0.4, 12);
    expect(always.isBetter).toBe(true);
    expect(never.path?.skill).toBeCloseTo(-0.4, 12);
    expect(never.isBetter).toBe(false);
    expect(half.path?.interval[0]).toBeLessThan(0);
    expect(half.path?.interval[1]).toBeGreaterThan(0);
  });

  test('counts only the first of predictions whose minutes overlap', () => {
    const own = calls(40, () => true);
    const again = own.flatMap((call) => [
      { ...call, joinS: call.joinS + 2940, drawnBp: -call.drawnBp },
      { ...call, drawnBp: -call.drawnBp },
    ]);

    const row = boardRow('you', [...own, ...again]);

    expect(row).toMatchObject({ n: 40, overlapping: 80, right: 40 });
  });

  test.each([
    ['1min', 40],
    ['5min', 8],
    ['15min', 4],
  ] as const)('counts as overlapping what lies within the 50 bars of %s', (timeframe, n) => {
    // One an hour: 50 bars last 50 minutes, 4 h 10 and 12 h 30.
    const row = boardRow(
      'lion',
      calls(40, () => true),
      timeframe,
    );

    expect([row.n, row.overlapping]).toEqual([n, 40 - n]);
  });

  test('counts no side, and an unchanged price, as neither right nor wrong', () => {
    const flat = calls(40, () => true, 0);
    const still = calls(40, () => true, 4, 0);

    expect(boardRow('lion', flat)).toMatchObject({ n: 40, sided: 0, share: null });
    expect(boardRow('lion', flat).path?.skill).toBe(0);
    expect(boardRow('lion', still)).toMatchObject({ n: 40, sided: 0, share: null, path: null });
  });

  test('gives the crowd a side and no path', () => {
    expect(
      boardRow(
        'crowd',
        calls(100, () => true, 1),
      ).path,
    ).toBeNull();
  });

  test('compares nothing below thirty, however well it went', () => {
    const row = boardRow(
      'you',
      calls(FEWEST_COMPARED - 1, () => true),
    );

    expect(row).toMatchObject({ n: 29, right: 29, share: null, path: null, isBetter: false });
    expect(
      boardRow(
        'you',
        calls(FEWEST_COMPARED, () => true),
      ).share?.value,
    ).toBe(1);
  });

  test('shows a row without calls', () => {
    expect(boardRow('you', [])).toMatchObject({ n: 0, sided: 0, share: null, path: null, isBetter: false });
  });
});

describe('the verdict', () => {
  const coin = boardRow(
    'lion',
    calls(300, (i) => i % 2 === 0),
  );

  test('compares none of too few', () => {
    expect(
      boardVerdict([
        boardRow(
          'you',
          calls(10, () => true),
        ),
      ]),
    ).toMatch(/^Not enough forecasts yet/);
    expect(boardVerdict([])).toMatch(/^Not enough forecasts yet/);
  });

  test('says when no one is clearly better', () => {
    expect(boardVerdict([coin, boardRow('you', [])])).toMatch(/^No one beats the last price over 50 minutes/);
  });

  test('needs more than a 95% interval to call one of ten better', () => {
    // 60 of 100: the 95% interval ends at 50.2%.
    const lucky = boardRow(
      'crowd',
      calls(100, (i) => i % 5 < 3, 1),
    );

    expect(lucky.share?.interval[0]).toBeGreaterThan(0.5);
    expect(lucky.isBetter).toBe(false);
  });

  test('names everyone who is clearly better, without a ranking', () => {
    const good = boardRow(
      'crowd',
      calls(300, (i) => i % 4 !== 0),
    );

    expect(boardVerdict([coin, good])).toBe('Better than chance here: The crowd. One period proves little.');
  });
});

test.each([
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [5, 10, 0.2366, 0.7634],
])('computes Wilson’s interval of %d of %d', (right, n, low, high) => {
  const [from, to] = wilson(right, n, 1.96);
  expect(from).toBeCloseTo(low, 3);
  expect(to).toBeCloseTo(high, 3);
});
