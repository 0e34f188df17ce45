import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import SquareTerminal from 'lucide-react/icons/square-terminal';
import Tablet from 'lucide-react/icons/tablet';
import { useEffect, useRef, useState } from 'react';
import { type DeviceName, deviceName } from '#domain/account/device-name.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import type { Device } from './devices-api.ts';
import styles from './devices-panel.module.css';
import { useDevices } from './use-devices.ts';

const SHOWN_AT_FIRST = 6;

const ICONS = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  program: SquareTerminal,
  unknown: CircleHelp,
} as const satisfies Record<DeviceName['kind'], unknown>;

type PendingSignOut = Device | 'others' | null;

export function DevicesPanel({ userId }: { userId: string }) {
  const { devices, hasFailed, isFetching, retry, end, endOthers, failure } = useDevices(userId);
  const [pending, setPending] = useState<PendingSignOut>(null);
  const device = pending === 'others' ? null : pending;
  const close = () => setPending(null);
  const content = useRef<HTMLDivElement>(null);
  const isEnding = useRef(false);
  const count = devices?.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a removed row took the focus with it
  useEffect(() => {
    if (isEnding.current && document.activeElement === document.body) content.current?.focus();
    isEnding.current = false;
  }, [count]);
  return (
    <Panel
      heading="Signed-in Devices"
      actions={
        devices?.some(({ isCurrent }) => !isCurrent) && (
          <Button size="small" onClick={() => setPending('others')}>
            Sign out all other devices
          </Button>
        )
      }
    >
      {hasFailed ? (
        <ErrorState
          title="We couldn’t load your devices"
          text="They are still signed in. The rest of the page still works."
          onRetry={retry}
          isRetrying={isFetching}
        />
      ) : devices === null ? (
        <div role="status" aria-label="Loading your devices">
          <Skeleton className={styles.waiting} />
        </div>
      ) : devices.length === 0 ? (
        <EmptyState title="No devices listed" text="This one is missing too. Your session may have just ended." />
      ) : (
        <div ref={content} tabIndex={-1} className={access.content}>
          <List devices={devices} onEnd={setPending} />
          {failure !== null && <Failure>{failure}</Failure>}
          <p className="muted size-13 readable-width">
            These times may be up to an hour old. If you don’t recognize a device, sign it out and change your password.
          </p>
        </div>
      )}
      <ConfirmDialog
        isOpen={pending !== null}
        heading={pending === 'others' ? 'Sign out all other devices?' : 'Sign out this device?'}
        verb={pending === 'others' ? 'Sign out all others' : 'Sign out'}
        onClose={close}
        onConfirm={() => {
          isEnding.current = true;
          if (pending === 'others') endOthers();
          else if (device !== null) end(device);
          close();
        }}
      >
        <p>
          {device === null ? <span>Every device except this one</span> : <strong>{deviceLabel(device)}</strong>}
          <span> has to sign in again. Unsaved work there is lost.</span>
        </p>
      </ConfirmDialog>
    </Panel>
  );
}

function List({ devices, onEnd }: { devices: readonly Device[]; onEnd: (device: Device) => void }) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? devices : devices.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul className="grid">
        {shown.map((device) => (
          <Row key={device.id} device={device} onEnd={() => onEnd(device)} />
        ))}
      </ul>
      {shown.length < devices.length && (
        <Button variant="quiet" onClick={() => setExpanded(true)}>
          {`Show all ${devices.length} devices`}
        </Button>
      )}
    </>
  );
}

function Row({ device, onEnd }: { device: Device; onEnd: () => void }) {
  const { zone } = useTimeZone();
  const { label, kind } = deviceName(device.userAgent);
  const Icon = ICONS[kind];
  return (
    <li className={access.row}>
      <Icon size={20} aria-hidden="true" className="muted" />
      <div className="grid gap-1 min-width-0">
        <p className={access.name}>
          <span>{label}</span>
          {device.isCurrent && <Badge tone="up">This device</Badge>}
        </p>
        <dl className={access.facts}>
          <div>
            <dt>Address</dt>
            <dd className="figures">{device.ip ?? 'unknown'}</dd>
          </div>
          <div>
            <dt>Last used</dt>
            <dd>{zonedMinute(device.lastUsedAtMs, zone)}</dd>
          </div>
          <div>
            <dt>Signed in</dt>
            <dd>{zonedMinute(device.signedInAtMs, zone)}</dd>
          </div>
        </dl>
      </div>
      {!device.isCurrent && (
        <Button size="small" aria-label={`Sign out ${deviceLabel(device)}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}

function deviceLabel({ userAgent, ip }: Device): string {
  const { label } = deviceName(userAgent);
  return ip === null ? label : `${label} at ${ip}`;
}
