/** The same skill by symbol and by week: tables with whiskers on one scale, good weeks and bad ones alike. */
import { useState } from 'react';
import { percentText, shortName, skillRange } from '#domain/forecast/figure-words.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { groupedCount } from '#domain/format/count.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import type { Estimate, TrackFigures, TrackSummary } from '#domain/record/track-summary.ts';
import { chanceWords, type Finding, findingOf } from '#domain/record/verdict.ts';
import type { IntervalValue } from '../../charts/interval-chart.tsx';
import { Whisker } from '../../charts/whisker.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import section from './section.module.css';
import styles from './skill-breakdown.module.css';
import { BASELINES, type Baseline, percentOf, reachOf } from './track-record-words.ts';

interface Row {
  key: string;
  place: string;
  model: ModelName;
  figures: TrackFigures;
}

const FINDINGS = {
  better: 'better',
  worse: 'worse',
  none: 'no edge shown',
  unknown: 'too little to tell',
} as const satisfies Record<Finding, string>;

export function SkillBreakdown({ summary }: { summary: TrackSummary }) {
  const [baseline, setBaseline] = useState<Baseline>('skillEwma');
  const bySymbol = summary.bySymbol.map(({ sym, ...rest }) => ({ key: `${sym} ${rest.model}`, place: sym, ...rest }));
  const byWeek = summary.byWeek
    .toSorted((a, b) => b.weekS - a.weekS)
    .map(({ weekS, ...rest }) => ({
      key: `${weekS} ${rest.model}`,
      // Weeks of the record are weeks of UTC, whatever zone times are shown in.
      place: zonedDay(weekS * 1000, 'UTC'),
      ...rest,
    }));
  const options = BASELINES.map(({ key, label }) => ({ value: key, label }));
  return (
    <section className={section.section} aria-labelledby="breakdown">
      <SectionHeading
        id="breakdown"
        beside={<Segmented label="Against" value={baseline} options={options} onChange={setBaseline} />}
        lead={`Over all five horizons. ${chanceWords(bySymbol.length + byWeek.length)}`}
      >
        By symbol and week
      </SectionHeading>
      <div className={styles.tables}>
        <SkillTable caption="Skill by symbol" place="Symbol" rows={bySymbol} baseline={baseline} />
        <SkillTable caption="Skill by week" place="Week of" rows={byWeek} baseline={baseline} />
      </div>
    </section>
  );
}

interface SkillTableProps {
  caption: string;
  place: string;
  rows: readonly Row[];
  baseline: Baseline;
}

function SkillTable({ caption, place, rows, baseline }: SkillTableProps) {
  const reach = reachOf(
    rows.map(({ figures }) => figures),
    baseline,
  );
  const columns: Column<Row>[] = [
    { key: 'place', name: place, cell: (row) => row.place },
    { key: 'model', name: 'Model', cell: (row) => shortName(row.model) },
    {
      key: 'whisker',
      name: '0',
      cell: ({ figures }) => <Whisker value={percentOf(figures[baseline])} reach={reach} />,
    },
    { key: 'skill', name: 'Skill', isFigure: true, cell: ({ figures }) => textOf(percentOf(figures[baseline])) },
    { key: 'word', name: 'Shown', cell: ({ figures }) => wordOf(figures[baseline]) },
    { key: 'n', name: 'Scored', isFigure: true, cell: ({ figures }) => groupedCount(figures.n) },
  ];
  return (
    <div>
      <h3 className={styles.title}>{caption}</h3>
      <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row.key} className={styles.frame} />
    </div>
  );
}

function textOf(value: IntervalValue) {
  if (value === null) return '–';
  if (typeof value === 'number') return percentText(value);
  return (
    <>
      {percentText(value[0])} <span className={styles.range}>{skillRange(value)}</span>
    </>
  );
}

function wordOf(skill: Estimate | null) {
  if (skill === null) return 'nothing scored';
  const finding = findingOf(skill);
  return <span className={finding === 'worse' ? styles.worse : undefined}>{FINDINGS[finding]}</span>;
}
