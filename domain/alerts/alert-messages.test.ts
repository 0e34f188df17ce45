import { describe, expect, test } from 'vitest';
import type { AlertFacts } from './alert.ts';
import { describeAlert, placeName } from './alert-messages.ts';

const OF_PREDICTION = {
  sym: 'BTCUSDT.P',
  marketKind: 'live',
  predictionId: '00000000-0000-4000-8000-000000000001',
  model: 'lion',
  joinS: Date.UTC(2026, 10, 20, 14, 31) / 1000,
} as const;
const BREAK: AlertFacts = {
  kind: 'band-broken',
  ...OF_PREDICTION,
  bar: 12,
  close: 101.5,
  lower: 98,
  upper: 100.25,
};
const RESOLVED: AlertFacts = {
  kind: 'prediction-resolved',
  ...OF_PREDICTION,
  voidReason: null,
  pathErrorBp: 12.31,
  lastCloseErrorBp: 11.02,
  isReturned: false,
};
const DISAGREEMENT: AlertFacts = {
  kind: 'models-disagree',
  sym: 'ETHUSDT.P',
  marketKind: 'live',
  slotS: Date.UTC(2026, 10, 20, 9, 5) / 1000,
  costBp: 10.2,
};

const REACHED: AlertFacts = {
  kind: 'chance-reached',
  sym: 'BTCUSDT.P',
  marketKind: 'live',
  model: 'bobcat',
  event: 'touch',
  price: 62_000,
  bar: 15,
  percent: 30,
  chance: 0.336,
  baseline: 0.312,
  livePrice: 61_850.2,
};

const OPENED: AlertFacts = {
  kind: 'market-opens',
  sym: 'MSFT',
  marketKind: 'live',
  openedS: Date.UTC(2026, 10, 20, 14, 30) / 1000,
};

const DUE: AlertFacts = {
  kind: 'release-due',
  ...OF_PREDICTION,
  release: 'US CPI',
  releasedS: Date.UTC(2026, 10, 20, 15, 0) / 1000,
  factor: 1.93,
  known: 1,
  others: 0,
  unaware: 0,
};

describe('the text of an alert', () => {
  test('says of a release when it comes, within which forecast, and how much wider the band is for it', () => {
    expect(describeAlert(DUE)).toEqual({
      title: 'BTC: US CPI at 15:00 UTC',
      text: 'It falls within Lion’s forecast from 14:32 UTC, whose band is 1.9 times wider for it by the last bar.',
      path: '/account/predictions',
    });
    expect(describeAlert({ ...DUE, factor: 1.04 }).text).toMatch(
      /whose band is a little wider for it by the last bar\.$/,
    );
    expect(describeAlert({ ...DUE, factor: 2.4, known: 2 }).text).toMatch(
      /whose band is 2\.4 times wider for the 2 releases within it by the last bar\.$/,
    );
  });

  test('says of a release that the forecast didn’t know it, and that its bands are too narrow', () => {
    expect(describeAlert({ ...DUE, release: 'the Fed’s decision', factor: null })).toEqual({
      title: 'BTC: the Fed’s decision at 15:00 UTC',
      text: 'It falls within Lion’s forecast from 14:32 UTC, which didn’t know of it: its bands are too narrow.',
      path: '/account/predictions',
    });
  });

  test.each([
    [1, 0, 'another of your forecasts.'],
    [1, 1, 'another of your forecasts, which didn’t know of it.'],
    [4, 0, '4 more of your forecasts.'],
    [4, 1, '4 more of your forecasts, 1 of which didn’t know of it.'],
    [4, 4, '4 more of your forecasts, none of which knew of it.'],
  ])('counts %d further forecasts with a release, %d of which didn’t know it', (others, unaware, end) => {
    const { text } = describeAlert({ ...DUE, others, unaware });
    expect(text.endsWith(` It also falls within ${end}`)).toBe(true);
  });

  test('says that a market is open, since when, and leads to its chart', () => {
    expect(describeAlert(OPENED)).toEqual({
      title: 'MSFT is open',
      text: 'Trading began at 14:30 UTC. New candles arrive, and forecasts work again. This alert was sent once.',
      path: '/kat?sym=MSFT',
    });
    expect(placeName(describeAlert(OPENED).path)).toBe('AI Prediction');
  });

  test('says of a chance what may happen, by when, the share that was set, and the baseline', () => {
    expect(describeAlert(REACHED)).toEqual({
      title: 'BTC: 34% chance to touch 62,000.0',
      text: 'Bobcat gives 34% within 15 min, a simple baseline 31%. You set 30%. The price was 61,850.2.',
      path: '/kat',
    });
    const below = describeAlert({ ...REACHED, event: 'below', bar: 1, chance: 0.9999 });
    expect(below.title).toBe('BTC: 99% chance to close below 62,000.0');
    expect(below.text).toContain('gives 99% within 1 min,');
  });

  test('says of a broken band which bar, the close against the edge, and how common that is', () => {
    expect(describeAlert(BREAK)).toEqual({
      title: 'BTC closed above the 95% band',
      text: 'Bar 12 of Lion’s forecast from 14:32 UTC closed at 101.5, above the band’s edge at 100.3. A well-calibrated 95% band misses one bar in twenty, so about one such forecast in three has a miss within its 50 bars.',
      path: '/account/predictions',
    });
    const below = describeAlert({ ...BREAK, close: 97.99996 });
    expect(below.title).toBe('BTC closed below the 95% band');
    expect(below.text).toContain('closed at 98.0, below the band’s edge at 98.0');
  });

  test('names a market beside the ten as its page does, with as many decimals as its prices have', () => {
    const pepe = { sym: 'PEPEUSDT.P', close: 0.00001913, lower: 0.00001787, upper: 0.0000191 };

    const reached = describeAlert({ ...REACHED, sym: 'PEPEUSDT.P', price: 0.0000125, livePrice: 0.00001221 });
    expect(reached.title).toBe('PEPE/USDT: 34% chance to touch 0.00001250');
    expect(reached.text).toContain('The price was 0.00001221.');
    const broken = describeAlert({ ...BREAK, ...pepe });
    expect(broken.title).toBe('PEPE/USDT closed above the 95% band');
    expect(broken.text).toContain('closed at 0.00001913, above the band’s edge at 0.00001910');
    expect(describeAlert({ ...RESOLVED, sym: 'LINKUSD' }).title).toBe('LINK/USD: outcome is known');
  });

  test('names a symbol that is no longer in the table by its code', () => {
    expect(describeAlert({ ...DISAGREEMENT, sym: 'OLD1!' }).title).toBe('Models disagree about OLD1!');
  });

  test('names the length of longer candles, and the end of the last one as the start', () => {
    expect(
      describeAlert({ ...BREAK, timeframe: '15min', joinS: Date.UTC(2026, 10, 20, 14, 30) / 1000 }).text,
    ).toContain('Bar 12 of Lion’s 15-minute forecast from 14:45 UTC closed at 101.5');
    expect(
      describeAlert({ ...RESOLVED, timeframe: '5min', joinS: Date.UTC(2026, 10, 20, 14, 30) / 1000 }).text,
    ).toMatch(/^Lion’s 5-minute forecast from 14:35 UTC was off by /);
  });

  test('adds decimals when two prices differ by a hair', () => {
    expect(describeAlert({ ...BREAK, close: 100.26 }).text).toContain(
      'closed at 100.26, above the band’s edge at 100.25',
    );
  });

  test('finds a bar outside the band in one random walk in three', () => {
    const walks = 4000;
    const next = normals();
    let broken = 0;
    for (let run = 0; run < walks; run++) {
      let [place, isOut] = [0, false];
      for (let bar = 1; bar <= 50; bar++) {
        place += next();
        isOut ||= Math.abs(place) > 1.96 * Math.sqrt(bar);
      }
      if (isOut) broken += 1;
    }
    expect(broken / walks).toBeGreaterThan(0.3);
    expect(broken / walks).toBeLessThan(0.36);
  });

  test('says of an outcome the path’s error beside the last close’s, and which was closer', () => {
    expect(describeAlert(RESOLVED)).toEqual({
      title: 'BTC: outcome is known',
      text: 'Lion’s forecast from 14:32 UTC was off by 12.3 bp on average over its 50 bars. A flat line at the last close was off by 11.0 bp. The last close was closer.',
      path: '/account/predictions',
    });
    expect(describeAlert({ ...RESOLVED, pathErrorBp: 11.0 }).text).toContain('The path was closer.');
    expect(describeAlert({ ...RESOLVED, pathErrorBp: 11.02 }).text).toContain('Neither was closer.');
  });

  test('says why there is no outcome, and whether the prediction was returned', () => {
    const message = describeAlert({
      ...RESOLVED,
      voidReason: 'candles-missing',
      pathErrorBp: null,
      lastCloseErrorBp: null,
      isReturned: true,
    });
    expect(message.title).toBe('BTC: not scored');
    expect(message.text).toBe(
      'Lion’s forecast from 14:32 UTC. Not scored: the market has no candle for some of these minutes. It didn’t count against your quota.',
    );
  });

  test('names no model’s own move in a disagreement, which would be a forecast for no quota', () => {
    expect(describeAlert(DISAGREEMENT)).toEqual({
      title: 'Models disagree about ETH',
      text: 'Forecasts from 09:05 UTC point in different directions. After 50 bars, at least one ends higher and one lower, each by more than the assumed cost of a round trip (10.2 bp). They can’t all be right about the direction. This is common: on recorded crypto prices, it happens in a fifth to a half of all slots.',
      path: '/track-record',
    });
  });

  test('says in every kind that prices are not live', () => {
    expect(describeAlert({ ...BREAK, marketKind: 'replayed' }).text).toMatch(/ These are replayed prices\.$/);
    expect(describeAlert({ ...RESOLVED, marketKind: 'simulated' }).text).toMatch(/ These are simulated prices\.$/);
  });

  test('fits a notification into the length that a device shows', () => {
    const longest: AlertFacts = {
      ...DUE,
      release: 'x'.repeat(200),
      sym: 'PEPEUSDT.P',
      timeframe: '15min',
      factor: null,
      others: 44,
      unaware: 44,
    };
    for (const facts of [BREAK, RESOLVED, DISAGREEMENT, REACHED, longest]) {
      const { title, text } = describeAlert({ ...facts, marketKind: 'simulated' });
      expect([title.length <= 100, text.length <= 400]).toEqual([true, true]);
    }
  });
});

/** Seeded, so that a run is like another. */
function normals(): () => number {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
