/** The user's predictions, the crowd's votes and the models, against the same yardsticks: a coin and the last close. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { horizonDuration } from '#domain/forecast/horizon-duration.ts';
import { formatChange, formatPercent, formatPrice, plainPercent } from '#domain/format/price.ts';
import { barUnit } from '#domain/market/timeframe-text.ts';
import { barMinutesOf, DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import {
  BOARD_NAMES,
  type BoardPeriod,
  type BoardRow,
  boardVerdict,
  FEWEST_COMPARED,
} from '#domain/record/figures/board.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { useSession } from '../../session/session.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { Segmented } from '../../ui/forms/segmented.tsx';
import { Evidence } from '../../ui/layout/evidence.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { type Column, Table } from '../../ui/layout/table.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './track-board.module.css';
import { fetchTrackBoard } from './track-board-api.ts';

/** How often the server refreshes the shared figures. */
const FRESH_MS = 5 * 60_000;

const PERIODS = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const satisfies readonly { value: BoardPeriod; label: string }[];

const CANDLES = TIMEFRAMES.map((value) => ({ value, label: `${barMinutesOf(value)} min` }));

/** Renders nothing for visitors, who have no predictions. */
export function TrackBoard() {
  const { user } = useSession();
  return user === null ? null : <OwnBoard key={user.id} userId={user.id} />;
}

function OwnBoard({ userId }: { userId: string }) {
  const [period, setPeriod] = useState<BoardPeriod>('30d');
  const [timeframe, setTimeframe] = useState<Timeframe>(DEFAULT_TIMEFRAME);
  const query = useQuery({
    queryKey: ['track-board', userId, timeframe],
    queryFn: () => fetchTrackBoard(timeframe),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
  // Of the candles that the shown rows are of, also while others load.
  const shown = query.data === undefined ? timeframe : timeframeOfRecord(query.data);
  const rows = query.data?.periods[period].rows;
  return (
    <Panel
      heading="You, the crowd and the models"
      beside={<SourceBadge kind={query.data?.market ?? null} />}
      actions={
        <div className={styles.choices}>
          <Segmented label="Candles" value={timeframe} options={CANDLES} onChange={setTimeframe} />
          <Segmented label="Period" value={period} options={PERIODS} onChange={setPeriod} />
        </div>
      }
    >
      <div className="column gap-3">
        {rows !== undefined ? (
          <>
            <p className="weight-500" role="status">
              {boardVerdict(rows, shown)}
            </p>
            <Table
              caption={`Bitcoin forecasts after ${horizonDuration(shown)}`}
              columns={COLUMNS}
              rows={rows}
              rowKey={rowKey}
              className={styles.table}
            />
          </>
        ) : query.isError ? (
          <ErrorState
            title="We couldn’t load the board"
            text="Your predictions are not affected."
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        ) : (
          <Skeleton className={styles.skeleton} />
        )}
        <Evidence label="How this is measured" isEager>
          <p className={styles.how}>
            {describeMeasuring(shown)} Each forecast of the models has a page: see the{' '}
            <Link to="/track-record#latest">latest forecasts</Link>.
          </p>
        </Evidence>
      </div>
    </Panel>
  );
}

const describeMeasuring = (timeframe: Timeframe): string =>
  `Bitcoin, 50 ${barUnit(timeframe)} after each forecast. Right side: how often the price moved up or down from the last close as forecast; chance is 50%. Skill: how much closer to the outcome the path ended than the last close; below zero, it ended farther away. You: your saved predictions. The crowd: the majority vote of verified accounts in the 24 hours before each hour. The models: their public record at each full hour. Overlapping forecasts count once. Second figures are 95% intervals. With fewer than ${FEWEST_COMPARED} forecasts, nothing is compared.`;

const COLUMNS: readonly Column<BoardRow>[] = [
  { key: 'who', name: 'Who', cell: (row) => <Cell label={{ ...countLabel(row), name: BOARD_NAMES[row.who] }} /> },
  { key: 'share', name: 'Right side (chance: 50%)', isFigure: true, cell: (row) => <Cell label={shareLabel(row)} /> },
  { key: 'error', name: 'Mean error', isFigure: true, cell: (row) => <Cell label={errorLabel(row)} /> },
  { key: 'skill', name: 'Skill', isFigure: true, cell: (row) => <Cell label={skillLabel(row)} /> },
];

const rowKey = ({ who }: BoardRow): string => who;

/** @param label.name  shown above, in the row's head */
function Cell({ label: { figure, detail, name } }: { label: LabelledFigure & { name?: string } }) {
  return (
    <span className={classNames(styles.cell, figure === TOO_FEW && styles.text)}>
      {name !== undefined && <strong>{name}</strong>}
      <span className={name === undefined ? undefined : styles.detail}>{figure}</span>
      {detail !== '' && <span className={styles.detail}>{detail}</span>}
    </span>
  );
}

interface LabelledFigure {
  figure: string;
  detail: string;
}

const TOO_FEW = 'not enough data';
const NONE: LabelledFigure = { figure: '–', detail: '' };

/** '128 scored'; the number left out is shown below. */
function countLabel({ n, overlapping }: BoardRow): LabelledFigure {
  return {
    figure: `${formatPrice(n, 0)} scored`,
    detail: overlapping === 0 ? '' : `${formatPrice(overlapping, 0)} overlap and don’t count`,
  };
}

/** '53%', '44 to 62%'. */
export function shareLabel({ share, sided }: BoardRow): LabelledFigure {
  if (share === null) return { figure: TOO_FEW, detail: `${formatPrice(sided, 0)} with a direction` };
  const [from, to] = share.interval;
  return {
    figure: plainPercent(100 * share.value, 0),
    detail: `${formatPrice(100 * from, 0)} to ${plainPercent(100 * to, 0)}`,
  };
}

/** '18.2 bp', 'last close 17.9 bp'. */
function errorLabel({ path }: BoardRow): LabelledFigure {
  if (path === null) return NONE;
  return {
    figure: `${formatPrice(path.maeBp, 1)} bp`,
    detail: `last close ${formatPrice(path.lastCloseMaeBp, 1)} bp`,
  };
}

/** '−1.7%', '−3.0 to −0.4%'. */
function skillLabel({ path }: BoardRow): LabelledFigure {
  if (path === null) return NONE;
  const [from, to] = path.interval;
  return {
    figure: formatPercent(path.skill, 1),
    detail: `${formatChange(100 * from, 1)} to ${formatPercent(to, 1)}`,
  };
}
