import BellOff from 'lucide-react/icons/bell-off';
import BellRing from 'lucide-react/icons/bell-ring';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { MOST_PUSH_DEVICES } from '#domain/push/push-subscription.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Button } from '../../ui/forms/button.tsx';
import access from '../../ui/layout/access-list.module.css';
import { Badge } from '../../ui/layout/badge.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Failure } from '../../ui/status/failure.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import type { PushDevice, PushObstacle, PushOn } from './push-api.ts';
import styles from './push-panel.module.css';
import { usePush } from './use-push.ts';

const OBSTACLES: Readonly<Record<PushObstacle, string>> = {
  site: 'This site sends no notifications at the moment. Your alerts still appear on its pages.',
  insecure: 'This page isn’t encrypted. Browsers only show notifications from https:// addresses.',
  browser: 'This browser doesn’t support site notifications, or they’re turned off.',
  'not-installed':
    'On iPhone and iPad, only sites on the Home Screen show notifications. Add this one with Share, then Add to Home Screen, and open it there.',
};

type Push = ReturnType<typeof usePush>;

export function PushPanel({ userId }: { userId: string }) {
  const push = usePush(userId);
  const { state, hasFailed, isFetching, retry } = push;
  return (
    <Panel heading="Notifications on this device" id="notifications">
      {hasFailed ? (
        <ErrorState
          title="We couldn’t check notifications on this device"
          text="What you turned on stays on. Please try again."
          onRetry={retry}
          isRetrying={isFetching}
        />
      ) : state === null ? (
        <div role="status" aria-label="Checking this device">
          <Skeleton className={styles.waiting} />
        </div>
      ) : (
        <div ref={push.content} tabIndex={-1} className={classNames(access.content, styles.content)}>
          {state.here.state === 'impossible' ? (
            <Notice title="Not available here. ">
              <p>{OBSTACLES[state.here.obstacle]}</p>
            </Notice>
          ) : (
            <ThisDevice here={state.here} devices={state.devices} push={push} />
          )}
          <div role="status">{push.result?.tone === 'done' && <p className="size-13">{push.result.message}</p>}</div>
          {push.result?.tone === 'failed' && <Failure>{push.result.message}</Failure>}
          <Others devices={state.devices.filter(({ isHere }) => !isHere)} push={push} />
        </div>
      )}
    </Panel>
  );
}

interface ThisDeviceProps {
  here: { config: PushOn; isBlocked: boolean };
  devices: readonly PushDevice[];
  push: Push;
}

function ThisDevice({ here, devices, push }: ThisDeviceProps) {
  const own = devices.find(({ isHere }) => isHere) ?? null;
  const isSandbox = here.config.kind === 'sandbox';
  if (here.isBlocked)
    return (
      <Notice tone="warning" title="Blocked in this browser. ">
        <p>Your browser blocks notifications from this site. To allow them, change its settings for this site.</p>
      </Notice>
    );
  return (
    <>
      <div className={styles.here}>
        {own === null ? <BellOff {...ICON} /> : <BellRing {...ICON} />}
        <p className={access.name}>
          <span>This device</span> <Badge tone={own === null ? 'neutral' : 'up'}>{own === null ? 'Off' : 'On'}</Badge>
          {isSandbox && <Badge tone="info">Sandbox</Badge>}
        </p>
        <div className={styles.actions}>
          {own === null ? (
            <Button
              size="small"
              isBusy={push.busy === 'asking'}
              disabled={push.busy !== null || devices.length >= MOST_PUSH_DEVICES}
              onClick={() => void push.turnOn(here.config)}
            >
              Turn on
            </Button>
          ) : (
            <>
              <Button
                size="small"
                isBusy={push.busy === 'testing'}
                disabled={push.busy !== null}
                onClick={() => void push.test(own, isSandbox ? SENT_TO_SANDBOX : SENT)}
              >
                Send a test
              </Button>
              <Button
                size="small"
                isBusy={push.busy === `removing ${own.id}`}
                disabled={push.busy !== null}
                onClick={() => void push.remove(own)}
              >
                Turn off
              </Button>
            </>
          )}
        </div>
      </div>
      {own !== null && push.isMuted && (
        <Notice tone="warning" title="Muted. ">
          <p>Push notifications are switched off for your account. Tests arrive here, alerts do not.</p>
        </Notice>
      )}
      {push.busy === 'asking' && (
        <p role="status" className="muted size-13 readable-width">
          Answer your browser’s prompt to allow notifications from this site.
        </p>
      )}
      <p className="muted size-13 readable-width">
        Alerts with notifications turned on arrive here, even when no page of the site is open. They also show on a
        locked screen and continue after you sign out. If you share this device, turn them off here first.
      </p>
      {isSandbox && (
        <p className="muted size-13 readable-width">
          This server has no push service. Its notifications appear in the <a href="/dev/push">sandbox</a>.
        </p>
      )}
    </>
  );
}

const ICON = { size: 20, 'aria-hidden': true, className: 'muted' } as const;
const SENT = 'The test is on its way. If nothing arrives within a minute, check your system’s notification settings.';
const SENT_TO_SANDBOX = 'The test is on its way to the sandbox.';

function Others({ devices, push }: { devices: readonly PushDevice[]; push: Push }) {
  const { zone } = useTimeZone();
  if (devices.length === 0) return null;
  return (
    <ul className={classNames('grid', styles.others)} aria-label="Your other devices with notifications">
      {devices.map((device) => (
        <li key={device.id} className={access.row}>
          <BellRing {...ICON} />
          <div className="grid gap-1 min-width-0">
            <p className={access.name}>{device.label}</p>
            <p className="muted size-13 readable-width">
              Turned on {zonedMinute(device.createdAtMs, zone)};{' '}
              {device.lastUsedAtMs === null
                ? 'nothing sent yet'
                : `last sent ${zonedMinute(device.lastUsedAtMs, zone)}`}
            </p>
          </div>
          <Button
            size="small"
            aria-label={`Turn off ${device.label}`}
            isBusy={push.busy === `removing ${device.id}`}
            disabled={push.busy !== null}
            onClick={() => void push.remove(device)}
          >
            Turn off
          </Button>
        </li>
      ))}
    </ul>
  );
}
