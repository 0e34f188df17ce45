/** Community Sentiment: everyone's votes on Bitcoin, and their history beside its price. */

import { useMemo } from 'react';
import {
  VOTE_GAUGE_MAX,
  VOTE_MESSAGES,
  type VoteDirection,
  type VoteStats,
  voteAngle,
} from '#domain/community/vote.ts';
import { counted } from '#domain/format/count.ts';
import { formatPrice, plainPercent } from '#domain/format/price.ts';
import { Gauge } from '../../charts/plots/gauge.tsx';
import { OverlayChart } from '../../charts/plots/overlay-chart.tsx';
import { SourceBadge } from '../../site/source-badge.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { Retry } from '../../ui/status/quiet.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './sentiment.module.css';
import { describeHistory, describePrice, voteHistory } from './sentiment-history.ts';
import { type SentimentState, useSentiment } from './use-sentiment.ts';

export function Sentiment({ className }: { className?: string | undefined }) {
  const state = useSentiment();
  const { stats, price, isSample } = state;
  return (
    <Panel
      heading="Community Sentiment"
      className={className}
      beside={
        <>
          {isSample && (
            <Badge tone="warning" title="Simulated votes, shown as an example.">
              sample votes
            </Badge>
          )}
          <SourceBadge kind={price.data?.kind ?? null} />
        </>
      }
    >
      <div className={styles.body}>
        <div className={styles.now}>
          <Gauge
            name="Sentiment gauge"
            angle={stats.data === undefined ? null : voteAngle(stats.data)}
            max={VOTE_GAUGE_MAX}
            left="Down"
            right="Up"
            description={describeGauge(stats.data, stats.isError)}
          />
          <div>
            <Side direction="up" stats={stats.data} />
            <Side direction="down" stats={stats.data} />
            <p className={styles.total}>{describeTotal(stats.data, stats.isError)}</p>
          </div>
          <VoteButtons state={state} />
        </div>
        <History state={state} />
        <Note state={state} />
      </div>
    </Panel>
  );
}

function Side({ direction, stats }: { direction: VoteDirection; stats: VoteStats | undefined }) {
  const percent = stats?.[`${direction}_pct`] ?? null;
  return (
    <p className={classNames('figures', styles.side, styles[direction])}>
      <span>
        <span aria-hidden="true">{ARROWS[direction]}</span> {NAMES[direction]}
      </span>
      <strong>{percent === null ? '—' : plainPercent(percent, 1)}</strong>
      <span className={styles.count}>{stats === undefined ? '—' : counted(stats[`${direction}_count`], 'vote')}</span>
    </p>
  );
}

const ARROWS = { up: '▲', down: '▼' } as const;
const NAMES = { up: 'Up', down: 'Down' } as const;
const DIRECTIONS = ['up', 'down'] as const;

function describeTotal(stats: VoteStats | undefined, hasFailed: boolean): string {
  if (stats === undefined) return hasFailed ? VOTE_MESSAGES.gauge : '';
  return stats.total === 0 ? 'No votes yet. Be the first.' : `${counted(stats.total, 'vote')} on BTC in 24 hours`;
}

function describeGauge(stats: VoteStats | undefined, hasFailed: boolean): string {
  if (stats === undefined) return hasFailed ? VOTE_MESSAGES.gauge : 'loading';
  if (stats.up_pct === null || stats.down_pct === null) return 'no votes';
  return `${plainPercent(stats.up_pct, 1)} up, ${plainPercent(stats.down_pct, 1)} down, ${counted(stats.total, 'vote')}`;
}

function VoteButtons({ state }: { state: SentimentState }) {
  const { chosen, isSubmitting, mayVote, nextVote, vote } = state;
  return (
    <>
      <div className={styles.voting}>
        {DIRECTIONS.map((direction) => (
          <button
            key={direction}
            type="button"
            className={classNames(styles.vote, styles[direction])}
            aria-pressed={chosen === direction}
            aria-busy={isSubmitting}
            disabled={!mayVote}
            onClick={() => vote(direction)}
          >
            <span aria-hidden="true">{ARROWS[direction]}</span> Vote {direction}
          </button>
        ))}
      </div>
      <p className={styles.wait}>
        {nextVote === null ? 'One vote every 24 hours.' : `Next vote available: ${nextVote}`}
      </p>
    </>
  );
}

function History({ state }: { state: SentimentState }) {
  const { days, price, nowMs } = state;
  const closes = price.data?.closes;
  const history = useMemo(
    () => (days.data === undefined ? null : voteHistory(days.data, closes ?? [], nowMs)),
    [days.data, closes, nowMs],
  );
  if (history === null) {
    if (days.isError) return <p className={styles.instead}>{VOTE_MESSAGES.history}</p>;
    return (
      <div className={styles.instead} role="status" aria-label="Loading vote history">
        <Skeleton className={styles.waiting} />
      </div>
    );
  }
  return (
    <OverlayChart
      name="Days of the vote history"
      label={describeHistory(history)}
      format={(value) => formatPrice(value, 0)}
      {...history}
    />
  );
}

/** The key to the lines, or the failures with Retry. */
function Note({ state }: { state: SentimentState }) {
  const { stats, days, price } = state;
  const failed = [stats, days, price].filter(({ isError }) => isError);
  return (
    <div className={styles.foot} role={failed.length > 0 ? 'status' : undefined}>
      {failed.length === 0 ? (
        <p>
          <span className={styles.keyVotes} aria-hidden="true" /> Share of up votes, by UTC day.{' '}
          <span className={styles.keyPrice} aria-hidden="true" /> {describePrice(price.data)}
        </p>
      ) : (
        <>
          <p className={styles.failed}>{failed.map(({ error }) => `${error?.message}.`).join(' ')}</p>
          <Retry
            isRetrying={failed.some(({ isFetching }) => isFetching)}
            onRetry={() => {
              for (const { refetch } of failed) void refetch();
            }}
          />
        </>
      )}
    </div>
  );
}
