import { expect, test } from 'vitest';
import type { GroupFigures, Interval } from '../../domain/forecast/model-figures.ts';
import type { ModelName } from '../../domain/forecast/models.ts';
import { everyColumn, generatedGroup } from '../../domain/forecast/testing/figure-fixtures.ts';
import { targetLines } from '../../scripts/site/model-targets.ts';
import type { TrainedManifest } from '../../server/forecast/models/manifest.ts';
import { modelCard } from './model-card.ts';

const GROUP = 'crypto-all-test';

function lineOf(model: ModelName, group: GroupFigures, text: string): { reached: string; isMet: boolean } {
  const found = targetLines(model, group).filter(({ target }) => target.includes(text));
  expect(found).toHaveLength(1);
  return found[0] ?? { reached: '', isMet: false };
}

function aSkill(baseline: string, skill: Interval): GroupFigures['skill']['crpsSkillPercent'] {
  const { crpsSkillPercent } = generatedGroup(GROUP).skill;
  return { ...crpsSkillPercent, [baseline]: everyColumn(skill) };
}

test.each<[string, Interval, boolean]>([
  ['above the mark with an interval above 0', [1.31, 0.2, 2], true],
  ['above the mark, but the interval holds 0', [1.31, -0.01, 2], false],
  ['below the mark, however sure', [1.29, 1.2, 1.4], false],
])('describes a skill %s', (_what, skill, isMet) => {
  const group = generatedGroup(GROUP, { crpsSkillPercent: aSkill('ewma-gauss', skill) });

  const line = lineOf('bobcat', group, 'CRPS over ewma-gauss, all horizons together');

  expect(line.isMet).toBe(isMet);
  expect(line.reached).toBe(`${skill[0]} [${skill[1]}, ${skill[2]}]`);
});

test('misses a target by one horizon below it, and shows every horizon', () => {
  const skills = aSkill('ewma-gauss', [1.5, 1.2, 1.8]);
  const crpsSkillPercent = { ...skills, 'ewma-gauss': { ...skills['ewma-gauss'], h25: [0.9, 0.5, 1.3] as Interval } };

  const line = lineOf('bobcat', generatedGroup(GROUP, { crpsSkillPercent }), 'ewma-gauss at every horizon');

  expect(line.isMet).toBe(false);
  expect(line.reached).toContain('h25 0.9 [0.5, 1.3]');
});

test('requires log-HAR of Lion alone, and names a horizon that is clearly worse', () => {
  const skills = aSkill('har-empirical', [0.4, 0.2, 0.6]);
  const worse = { ...skills, 'har-empirical': { ...skills['har-empirical'], h50: [-0.3, -0.5, -0.1] as Interval } };
  const group = generatedGroup(GROUP, { crpsSkillPercent: worse });

  const line = lineOf('lion', group, 'no horizon significantly worse');

  expect(line).toMatchObject({ isMet: false, reached: 'h50 -0.3 [-0.5, -0.1]' });
  expect(lineOf('lion', group, 'har-empirical at h5').isMet).toBe(true);
  expect(targetLines('bobcat', group).some(({ target }) => target.includes('significantly worse'))).toBe(false);
});

test.each<[string, Partial<GroupFigures['skill']>, string, boolean]>([
  [
    '80% band a point off',
    { coverage: { pooled80: [81, 80, 82], pooled95: [95, 94, 96] } },
    '80% band covers, all',
    true,
  ],
  [
    '80% band more than that off',
    { coverage: { pooled80: [81.1, 80, 82], pooled95: [95, 94, 96] } },
    '80% band covers, all',
    false,
  ],
  [
    '95% band too narrow',
    { coverage: { pooled80: [80, 79, 81], pooled95: [94.2, 94, 95] } },
    '95% band covers, all',
    false,
  ],
  ['narrowest third too narrow', {}, '80% band covers, by third', false],
  ['symbols within two points', {}, '80% band covers, by symbol', true],
])('describes coverage: %s', (_what, change, text, isMet) => {
  expect(lineOf('panther', generatedGroup(GROUP, change), text).isMet).toBe(isMet);
});

test('compares drawn candles with the targets one by one', () => {
  const group = generatedGroup(GROUP);
  const realism = {
    ...group.realism,
    ksDistance: 0.031,
    invariantViolations: 1,
    autocorrelation: { drawn: 0.1, real: 0.3 },
  };
  const met = (text: string): boolean => lineOf('bobcat', { ...group, realism }, text).isMet;

  expect([
    met('no broken candle'),
    met('KS distance'),
    met('autocorrelation'),
    met('roughness'),
    met('range, drawn'),
  ]).toEqual([false, false, false, true, true]);
});

test('shows misses in bold, before the figures', () => {
  const card = modelCard(aManifest([generatedGroup(GROUP), generatedGroup('shares-test')]));

  const [reached = '', figures = ''] = card.split('\n## Figures\n');
  expect(reached).toContain(
    '| CRPS over ewma-gauss, all horizons together: at least 1.3%, interval above 0 | 0.92 [0.7, 1.2] | **missed** |',
  );
  expect(reached).toContain('- Sample shares-test:\n');
  expect(figures).toContain('### Sample shares-test');
});

test('shows how many forecasts were withheld, none as well', () => {
  const group = generatedGroup(GROUP);

  expect(modelCard(aManifest([group]))).toContain('No forecast was withheld.');
  expect(modelCard(aManifest([{ ...group, withheld: 3 }]))).toContain(
    '3 forecasts were withheld as implausible; their windows are excluded from all figures.',
  );
});

test('says what bands hold around releases without and with the calendar, and that other figures are without', () => {
  const releases: TrainedManifest['releases'] = [
    {
      group: 'great',
      bar: 5,
      releases: 37,
      blind: { within80: 27.6, within95: 53.7 },
      known: { within80: [77.8, 70.1, 85.2], within95: [93.2, 88, 97] },
      crpsGainPercent: [14.4, 8.1, 20.2],
    },
  ];

  const card = modelCard({ ...aManifest([generatedGroup(GROUP)]), releases });

  expect(card).toContain(
    '| US CPI, jobs, the Fed’s decision | 5 | 37 | 27.6 → 77.8 [70.1, 85.2] | 53.7 → 93.2 [88, 97] | 14.4 [8.1, 20.2]% |',
  );
  expect(card).toContain("(see 'Around scheduled releases')");
  expect(modelCard(aManifest([generatedGroup(GROUP)]))).not.toContain('## Around scheduled releases');
});

test('describes a model of longer bars with separate targets and blocks', () => {
  const group = generatedGroup(GROUP, {
    harderSkillPercent: {
      'ewma-8-gauss': everyColumn([4, 3, 5]),
      'ewma-20-gauss': everyColumn([0.7, 0.5, 0.9]),
      'har-week': everyColumn([0.2, 0.1, 0.3]),
    },
    pairedSkillPercent: { bobcat: everyColumn([0.3, -0.1, 0.6]) },
  });
  const lineAt = (timeframe: '5min' | '15min', text: string) =>
    targetLines('lion', group, timeframe).find(({ target }) => target.includes(text));

  const card = modelCard({ ...aManifest([group]), timeframe: '15min', training: { members: 'the mean of five' } });

  // Of three walks the best counts, at each horizon.
  expect(lineAt('5min', 'the best of EWMA')).toMatchObject({ isMet: true, reached: expect.stringContaining('h1 0.7') });
  expect(lineAt('15min', 'the best of EWMA')?.isMet).toBe(false);
  expect(lineAt('15min', 'time of day and weekday, all')).toMatchObject({ isMet: true, reached: '0.2 [0.1, 0.3]' });
  expect(lineAt('15min', 'CRPS over Bobcat')?.isMet).toBe(false);
  expect(card).toContain('# Lion (Kat 2.4), bars of 15 minutes\n');
  expect(card).toContain('Lion is one graph: the mean of five.\n');
  expect(card).toContain('| CRPS against har-week | 0.2 [0.1, 0.3] |');
  expect(card).toContain('blocks of a day');
  expect(card).not.toContain('six-hour');
  expect(card).toContain('npm run lab -- train lion --data DIR --timeframe 15min');
  expect(modelCard(aManifest([group]))).not.toContain('blocks of a day');
});

function aManifest(figures: GroupFigures[]): TrainedManifest {
  const sha256 = '0'.repeat(64);
  return {
    model: 'lion',
    streamVersion: 214,
    state: 'trained',
    kind: 'neural',
    modelVersion: 'lion-0000000000',
    parameters: 1_234_567,
    network: { file: 'model.onnx', sha256 },
    paths: { file: 'paths.json', sha256 },
    input: {
      lookbackBars: 450,
      minLookbackBars: 120,
      names: ['statics'],
      staticNames: [],
      minuteChannels: [],
      aheadChannels: [],
    },
    output: { horizonBars: 50, quantileLevels: [], paths: 64 },
    spans: { fit: 'long ago' },
    windows: { fit: { crypto: 3 } },
    training: {},
    data: [{ file: 'AAA-1m.csv.gz', sha256, firstS: 0, lastS: 60, rows: 2 }],
    notEvaluated: ['index', 'energy'],
    figures,
  };
}
