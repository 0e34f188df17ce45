/** Skill by symbol and by week: one cell per model, whiskers on one scale, good weeks and bad ones alike. */

import { useState } from 'react';
import { shortName, skillRange } from '#domain/forecast/figures/figure-messages.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { groupedCount } from '#domain/format/count.ts';
import { percentChange } from '#domain/format/price.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import type { TrackFigures, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { type BaselineFinding, describeChance, findingOf } from '#domain/record/messages/verdict.ts';
import { Whisker } from '../../../charts/plots/whisker.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { BASELINES, percentOf, reachOf, type SkillBaseline } from '../track-record-labels.ts';
import styles from './skill-breakdown.module.css';

interface Entry {
  place: string;
  model: ModelName;
  figures: TrackFigures;
}

const FINDINGS = {
  better: 'better',
  worse: 'worse',
  none: 'no edge shown',
  unknown: 'not enough data',
} as const satisfies Record<BaselineFinding, string>;

export function SkillBreakdown({ summary }: { summary: TrackSummary }) {
  const [baseline, setBaseline] = useState<SkillBaseline>('skillEwma');
  const bySymbol = summary.bySymbol.map(({ sym, ...rest }) => ({ place: marketLabel(sym), ...rest }));
  const byWeek = summary.byWeek
    .toSorted((a, b) => b.weekS - a.weekS)
    // Weeks of the record are UTC weeks, whatever zone times are shown in.
    .map(({ weekS, ...rest }) => ({ place: zonedDay(weekS * 1000, 'UTC'), ...rest }));
  const options = BASELINES.map(({ key, label }) => ({ value: key, label }));
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="breakdown">
      <SectionHeading
        id="breakdown"
        beside={<Segmented label="Against" value={baseline} options={options} onChange={setBaseline} />}
        lead={`Over all five horizons. The line in the middle of each cell is the baseline; right of it is better. ${describeChance(bySymbol.length + byWeek.length)}`}
      >
        By symbol and week
      </SectionHeading>
      <div className={styles.tables}>
        <SkillTable caption="Skill by symbol" place="Symbol" entries={bySymbol} baseline={baseline} />
        <SkillTable caption="Skill by week" place="Week of" entries={byWeek} baseline={baseline} />
      </div>
    </section>
  );
}

interface SkillTableProps {
  caption: string;
  place: string;
  entries: readonly Entry[];
  baseline: SkillBaseline;
}

type Row = [place: string, entries: readonly Entry[]];

function SkillTable({ caption, place, entries, baseline }: SkillTableProps) {
  const rows: Row[] = [...Map.groupBy(entries, (entry) => entry.place)];
  const models = MODEL_NAMES.filter((name) => entries.some(({ model }) => model === name));
  const reach = reachOf(
    entries.map(({ figures }) => figures),
    baseline,
  );
  const columns: Column<Row>[] = [
    {
      key: 'place',
      name: place,
      cell: ([name, ofPlace]) => (
        <>
          {name}
          <span className={styles.count}>{groupedCount(ofPlace.reduce((sum, { figures }) => sum + figures.n, 0))}</span>
        </>
      ),
    },
    ...models.map((name) => ({
      key: name,
      name: shortName(name),
      cell: ([, ofPlace]: Row) => {
        const found = ofPlace.find(({ model }) => model === name);
        return found === undefined ? '–' : <SkillCell figures={found.figures} baseline={baseline} reach={reach} />;
      },
    })),
  ];
  return (
    <div>
      <h3 className={styles.title}>{caption}</h3>
      <Table caption={caption} columns={columns} rows={rows} rowKey={([name]) => name} className={styles.frame} />
    </div>
  );
}

interface SkillCellProps {
  figures: TrackFigures;
  baseline: SkillBaseline;
  reach: number;
}

function SkillCell({ figures, baseline, reach }: SkillCellProps) {
  const value = percentOf(figures[baseline]);
  const finding = findingOf(figures[baseline]);
  return (
    <div className={styles.cell}>
      <Whisker value={value} reach={reach} />
      {value !== null && (
        <span className="figures size-12">
          <span>{percentChange(typeof value === 'number' ? value : value[0])}</span>{' '}
          {typeof value !== 'number' && <span className={styles.range}>{skillRange(value)}</span>}
        </span>
      )}
      <span className={finding === 'worse' ? styles.worse : styles.finding}>
        {value === null ? 'nothing scored' : FINDINGS[finding]}
      </span>
    </div>
  );
}
