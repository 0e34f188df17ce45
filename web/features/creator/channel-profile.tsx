/** Picture, name and figures of the channel. Without a name from the service, it is the operator's, or a sample. */
import { isSampleLink } from '#domain/site/sample-link.ts';
import { KatMark } from '../../brand/marks.tsx';
import type { SiteSettingsState } from '../../site/site-settings.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import styles from './channel.module.css';
import type { ChannelFigure, ChannelState } from './use-channel.ts';

interface ChannelProfileProps {
  channel: ChannelState;
  settings: SiteSettingsState['settings'];
}

export function ChannelProfile({ channel, settings }: ChannelProfileProps) {
  const { data, failure } = channel.known;
  const operator = settings === null || settings.samples.operator ? null : settings.operatorName;
  const isSample = settings !== null && isSampleLink(settings.links.channel);
  const name = data?.title ?? operator;
  const isUnnamed = name === null && settings !== null;
  const isWaiting = data === null && failure === null;
  return (
    <div className={styles.profile}>
      <div className={styles.picture}>
        <KatMark size={44} />
      </div>
      <div className={styles.text}>
        {isWaiting ? (
          <Skeleton className={styles.nameWaiting} />
        ) : (
          <h3 dir="auto" className={styles.name}>
            {name ?? (isUnnamed ? 'Sample channel' : 'Name unavailable')}
          </h3>
        )}
        <p className={styles.about}>
          {(isSample || (isUnnamed && !isWaiting)) && <Badge tone="warning">sample</Badge>}{' '}
          <span>{isSample ? 'The site operator can show their own channel here.' : videosBy(operator)}</span>
        </p>
      </div>
      <dl className={styles.figures}>
        <Count name="Subscribers" figure={channel.subscribers} />
        <Count name="Views" figure={channel.views} />
      </dl>
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

function videosBy(operator: string | null): string | null {
  return operator === null ? null : `Videos by ${operator}.`;
}
