import { useSiteSettingsState } from '../../site/site-settings.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { AsOf } from '../../ui/status/as-of.tsx';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';
import { ChannelLinks } from './channel-links.tsx';
import { ChannelProfile } from './channel-profile.tsx';
import { type ChannelState, useChannel } from './use-channel.ts';
import { VideoList } from './video-list.tsx';

export function Channel({ className }: { className?: string | undefined }) {
  const channel = useChannel();
  const site = useSiteSettingsState();
  const retryAll = () => {
    channel.known.retry();
    if (site.settings === null) site.retry();
  };
  const simulated = channel.known.data?.kind === 'simulated' && (
    <Badge tone="warning" title="Simulated, not from the real video service">
      simulated
    </Badge>
  );
  return (
    <div className={className}>
      <div className="grid gap-4">
        <Panel heading="Channel" isFlush beside={simulated}>
          <ChannelProfile channel={channel} settings={site.settings} />
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

function ChannelAge({ channel: { known, isMissing, queriedAtMs, nowMs } }: { channel: ChannelState }) {
  if (isMissing)
    return (
      <FailureLine role="status">
        {known.failure ?? 'The channel hasn’t responded yet.'} These are default figures, not live counts.
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
