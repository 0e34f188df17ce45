import { isSampleLink } from '#domain/site/sample-link.ts';
import { KatMark } from '../../brand/marks.tsx';
import { useSiteSettingsState } from '../../site/site-settings.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { AsOf } from '../../ui/status/as-of.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';
import styles from './channel.module.css';
import { ChannelLinks } from './channel-links.tsx';
import { type ChannelFigure, type ChannelState, useChannel } from './use-channel.ts';
import { VideoList } from './video-list.tsx';

export function Channel({ className }: { className?: string | undefined }) {
  const channel = useChannel();
  const site = useSiteSettingsState();
  const { data, failure } = channel.known;
  const operator = site.settings === null || site.settings.samples.operator ? null : site.settings.operatorName;
  const isSample = site.settings !== null && isSampleLink(site.settings.links.channel);
  const name = data?.title ?? operator;
  const hasNoOperator = name === null && site.settings !== null;
  const isWaiting = data === null && failure === null;
  const retryAll = () => {
    channel.known.retry();
    if (site.settings === null) site.retry();
  };
  const simulated = data?.kind === 'simulated' && (
    <Badge tone="warning" title="Simulated, not from the real video service">
      simulated
    </Badge>
  );
  return (
    <div className={className}>
      <div className="grid gap-4">
        <Panel heading="Channel" isFlush beside={simulated}>
          <div className={styles.profile}>
            <div className={styles.picture}>
              <KatMark size={44} />
            </div>
            <div className={styles.text}>
              {isWaiting ? (
                <Skeleton className={styles.nameWaiting} />
              ) : (
                <h3 dir="auto" className={styles.name}>
                  {name ?? (hasNoOperator ? 'Sample channel' : 'Name not known')}
                </h3>
              )}
              <p className={styles.about}>
                {(isSample || (hasNoOperator && !isWaiting)) && <Badge tone="warning">sample</Badge>}{' '}
                {isSample
                  ? 'The site operator can show their own channel here.'
                  : operator !== null && `Videos by ${operator}.`}
              </p>
            </div>
            <dl className={styles.figures}>
              <Count name="Subscribers" figure={channel.subscribers} />
              <Count name="Views" figure={channel.views} />
            </dl>
          </div>
          <ChannelLinks site={site} hasRetry={!channel.isMissing} />
          <PanelNote lastData={channel.known} nowMs={channel.nowMs} phoneLines={3}>
            <ChannelAge channel={channel} />
          </PanelNote>
        </Panel>
        <VideoList channel={channel} simulated={simulated} hasLinks={site.settings !== null} onRetry={retryAll} />
      </div>
    </div>
  );
}

function Count({ name, figure }: { name: string; figure: ChannelFigure }) {
  return (
    <div className={styles.figure} data-default={figure.isDefault || undefined}>
      <dt>{name}</dt>
      <dd>
        {figure.text === null ? (
          <Skeleton className={styles.figureWaiting} />
        ) : (
          <span className={`figures ${styles.value}`}>{figure.text}</span>
        )}
        <span className={styles.beside}>{figure.beside}</span>
      </dd>
    </div>
  );
}

function ChannelAge({ channel: { known, isMissing, queriedAtMs, nowMs } }: { channel: ChannelState }) {
  if (isMissing)
    return (
      <FailureLine role="status">
        {known.failure ?? 'The channel has not answered yet.'} Default figures, not the live count.
      </FailureLine>
    );
  if (queriedAtMs === null) return <p role="status">Loading the channel.</p>;
  return (
    <p>
      {known.data?.kind === 'simulated' ? 'Simulated counts.' : 'Counts from the service.'}{' '}
      <AsOf label="Updated" timeMs={queriedAtMs} nowMs={nowMs} smallest="m" />
    </p>
  );
}
