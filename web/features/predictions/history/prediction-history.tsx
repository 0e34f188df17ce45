/** All saved predictions as one table, with the totals of those that the filters leave. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { counted, groupedCount } from '#domain/format/count.ts';
import { zonedShortMinute } from '#domain/format/zoned-time.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import {
  filterHistory,
  type HistoryFilter,
  type HistoryRow,
  isPathCloser,
  MOST_LISTED,
  NO_FILTER,
  totalsOf,
} from '#domain/record/history/prediction-history.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Select } from '../../../ui/forms/field.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import styles from './prediction-history.module.css';
import { fetchPredictionHistory } from './prediction-history-api.ts';

const STATES: Readonly<Record<HistoryRow['state'], string>> = {
  waiting: 'Running',
  known: 'Known',
  void: 'Not scored',
};
const CHOICES = [
  ['market', 'Market'],
  ['model', 'Model'],
  ['timeframe', 'Candles'],
  ['state', 'Outcome'],
] as const satisfies readonly (readonly [keyof HistoryFilter, string])[];
const CLOSES = 50;
const ALL = 'all';

export function PredictionHistory({ userId }: { userId: string }) {
  const history = useQuery({
    queryKey: ['prediction-history', userId],
    queryFn: ({ signal }) => fetchPredictionHistory(signal),
  });
  // The cards above say that there is none yet.
  if (history.data?.total === 0) return null;
  return (
    <Panel heading="All in one table" isBusy={history.isPending}>
      {history.data !== undefined ? (
        <Filtered rows={history.data.rows} total={history.data.total} />
      ) : history.isError ? (
        <ErrorState
          title="We couldn’t load the table."
          isPart
          onRetry={() => void history.refetch()}
          isRetrying={history.isFetching}
        />
      ) : (
        <Skeleton className={styles.waiting} />
      )}
    </Panel>
  );
}

function Filtered({ rows, total }: { rows: readonly HistoryRow[]; total: number }) {
  const [filter, setFilter] = useState<HistoryFilter>(NO_FILTER);
  const { zone } = useTimeZone();
  const shown = filterHistory(rows, filter);
  return (
    <div className="grid one-column gap-4">
      <div className={styles.filters}>
        {CHOICES.map(([field, label]) => (
          <Choice key={field} field={field} label={label} rows={rows} filter={filter} setFilter={setFilter} />
        ))}
      </div>
      <p role="status">{totalsText(shown)}</p>
      {shown.length > 0 && (
        <Table caption="Saved predictions" columns={columnsIn(zone)} rows={shown} rowKey={({ id }) => id} />
      )}
      {total > rows.length && (
        <p className="muted size-13">{`The newest ${MOST_LISTED} of ${groupedCount(total)}; a download has all.`}</p>
      )}
      <p className="muted size-13 readable-width">
        Closes inside the bands, of 50; about 40 and 47 or 48 are to be expected. Then the mean error of the drawn path
        beside that of a flat line at the last close. The <Link to="/track-record">track record</Link> has the same of
        every forecast that the site makes.
      </p>
    </div>
  );
}

interface ChoiceProps {
  field: keyof HistoryFilter;
  label: string;
  rows: readonly HistoryRow[];
  filter: HistoryFilter;
  setFilter: (filter: HistoryFilter) => void;
}

function Choice({ field, label, rows, filter, setFilter }: ChoiceProps) {
  const values = [...new Set(rows.map((row) => row[field]))].toSorted();
  return (
    <Select
      label={label}
      value={filter[field] ?? ALL}
      options={[{ value: ALL, label: 'All' }, ...values.map((value) => ({ value, label: NAMES[field](value) }))]}
      onChange={({ target }) => setFilter({ ...filter, [field]: target.value === ALL ? null : target.value })}
    />
  );
}

const NAMES: Readonly<Record<keyof HistoryFilter, (value: string) => string>> = {
  market: marketLabel,
  model: modelName,
  timeframe: (timeframe) => timeframe.replace('min', ' min'),
  state: (state) => STATES[state as HistoryRow['state']],
};

function modelName(backendName: string): string {
  const model = modelOfBackendName(backendName);
  return model === null ? backendName : shortName(model.name);
}

function columnsIn(zone: string): readonly Column<HistoryRow>[] {
  return [
    { key: 'when', name: 'Made', cell: ({ madeAt }) => zonedShortMinute(Date.parse(madeAt), zone) },
    { key: 'market', name: 'Market', cell: ({ market }) => NAMES.market(market) },
    { key: 'timeframe', name: 'Candles', cell: ({ timeframe }) => NAMES.timeframe(timeframe) },
    { key: 'model', name: 'Model', cell: ({ model }) => modelName(model) },
    {
      key: 'inside80',
      name: 'In the 80% band',
      isFigure: true,
      cell: ({ inside80, state }) => inside80 ?? noneOf(state),
    },
    { key: 'inside95', name: 'In the 95% band', isFigure: true, cell: ({ inside95 }) => inside95 ?? '–' },
    { key: 'path', name: 'Path off by', isFigure: true, cell: ({ pathErrorBp }) => bpText(pathErrorBp) },
    {
      key: 'last',
      name: 'Last close off by',
      isFigure: true,
      cell: ({ lastCloseErrorBp }) => bpText(lastCloseErrorBp),
    },
    { key: 'closer', name: 'Closer', cell: closerText },
  ];
}

function noneOf(state: HistoryRow['state']): string {
  return state === 'known' ? '–' : STATES[state].toLowerCase();
}

function closerText(row: HistoryRow): string {
  if (row.pathErrorBp === null) return '–';
  return isPathCloser(row) ? 'path' : 'last close';
}

function bpText(bp: number | null): string {
  return bp === null ? '–' : `${bp.toFixed(1)} bp`;
}

/** '12 predictions. Of 10 with an outcome, the 80% band held 41 of 50 closes on average, and the path was closer in 4.' */
function totalsText(rows: readonly HistoryRow[]): string {
  const { judged, inside80, inside95, known, closerPaths } = totalsOf(rows);
  const all = `${counted(rows.length, 'prediction')}.`;
  if (known === 0) return rows.length === 0 ? 'No prediction matches.' : `${all} None has an outcome yet.`;
  const path = `the path was closer than the last close in ${closerPaths} of ${known}.`;
  if (inside80 === null || inside95 === null) return `${all} Of those with an outcome, ${path}`;
  const mean = (share: number) => (CLOSES * share).toFixed(1);
  return `${all} In ${judged} with bands and an outcome, the 80% band held ${mean(inside80)} of 50 closes on average and the 95% band ${mean(inside95)}; ${path}`;
}
