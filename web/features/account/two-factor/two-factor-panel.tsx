/** Two-factor authentication: the account's authenticator apps, and recovery codes in case one is lost. */
import KeyRound from 'lucide-react/icons/key-round';
import { useEffect, useRef, useState } from 'react';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import type { SessionUser } from '../../../session/session.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { type AuthenticatorApp, makeCodes } from './two-factor-api.ts';
import { CodesLeft, NewCodes } from './two-factor-codes.tsx';
import styles from './two-factor-panel.module.css';
import { TwoFactorRemoval } from './two-factor-removal.tsx';
import { TwoFactorSetUp } from './two-factor-setup.tsx';
import { refetchCodes, refetchTwoFactor, useTwoFactor } from './use-two-factor.ts';

type Step = { kind: 'overview' } | { kind: 'set-up'; isFirst: boolean } | { kind: 'codes'; codes: readonly string[] };

export function TwoFactorPanel({ user }: { user: SessionUser }) {
  const { apps, hasFailed, isFetching, retry } = useTwoFactor(user.id);
  const [step, setStep] = useState<Step>({ kind: 'overview' });
  const overview = useRef<HTMLDivElement>(null);
  const wasInStep = useRef(false);
  useEffect(() => {
    // The focused element was removed, so the keyboard continues from here.
    if (step.kind === 'overview' && wasInStep.current) overview.current?.focus();
    wasInStep.current = step.kind !== 'overview';
  }, [step]);

  const showOverview = () => setStep({ kind: 'overview' });
  const onAdded = async (isFirst: boolean) => {
    toast.success('Authenticator app added');
    const codes = isFirst ? await makeCodes() : null;
    await refetchTwoFactor(user.id);
    // If the codes could not be created, the line that counts them says so and offers a retry.
    if (codes === null || 'message' in codes) showOverview();
    else setStep({ kind: 'codes', codes });
  };

  const isOn = apps !== null && apps.length > 0;
  return (
    <Panel
      heading="Two-factor Authentication"
      beside={apps !== null && <Badge tone={isOn ? 'up' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
    >
      {step.kind === 'set-up' && (
        <TwoFactorSetUp
          isFirst={step.isFirst}
          suggestedName={freeName(apps ?? [])}
          onDone={() => onAdded(step.isFirst)}
          onCancel={showOverview}
        />
      )}
      {step.kind === 'codes' && (
        <NewCodes
          email={user.email}
          codes={step.codes}
          onSaved={() => {
            refetchCodes(user.id);
            showOverview();
          }}
        />
      )}
      {step.kind === 'overview' && hasFailed && (
        <ErrorState
          title="We couldn’t load your second factors"
          text="They still protect your account."
          onRetry={retry}
          isRetrying={isFetching}
        />
      )}
      {step.kind === 'overview' && !hasFailed && (
        <div ref={overview} tabIndex={-1} className={styles.overview}>
          {apps === null ? (
            <div role="status" aria-label="Loading your second factors">
              <Skeleton className={styles.waiting} />
            </div>
          ) : (
            <Known userId={user.id} apps={apps} onStep={setStep} onRemoved={() => overview.current?.focus()} />
          )}
        </div>
      )}
    </Panel>
  );
}

interface KnownProps {
  userId: string;
  apps: readonly AuthenticatorApp[];
  onStep: (step: Step) => void;
  /** The clicked button disappeared with the app. */
  onRemoved: () => void;
}

function Known({ userId, apps, onStep, onRemoved }: KnownProps) {
  if (apps.length === 0)
    return (
      <>
        <p className="readable-width">
          A second factor protects your account even from someone who learns your password. To sign in, you also need a
          6-digit code. An app on your phone shows a new one every 30 seconds.
        </p>
        <div>
          <Button variant="primary" onClick={() => onStep({ kind: 'set-up', isFirst: true })}>
            Set up an authenticator app
          </Button>
        </div>
      </>
    );
  return (
    <>
      <Apps userId={userId} apps={apps} onRemoved={onRemoved} />
      <div>
        <Button size="small" onClick={() => onStep({ kind: 'set-up', isFirst: false })}>
          Add another app
        </Button>
      </div>
      <div className={styles.codes}>
        <CodesLeft userId={userId} onCreated={(codes) => onStep({ kind: 'codes', codes })} />
      </div>
    </>
  );
}

function Apps({ userId, apps, onRemoved }: Omit<KnownProps, 'onStep'>) {
  const { zone } = useTimeZone();
  const [removed, setRemoved] = useState<AuthenticatorApp | null>(null);
  return (
    <>
      <ul className="grid gap-3">
        {apps.map((app) => (
          <li key={app.id} className={styles.app}>
            <KeyRound size={18} aria-hidden="true" className="muted" />
            <div className="min-width-0">
              <p className="weight-500 break-anywhere">{app.name || 'Authenticator app'}</p>
              <p className="muted size-13">{`Added ${zonedMinute(app.addedAtMs, zone)}`}</p>
            </div>
            <Button
              size="small"
              aria-label={`Remove ${app.name || 'authenticator app'}`}
              onClick={() => setRemoved(app)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {removed !== null && (
        <TwoFactorRemoval
          app={removed}
          apps={apps}
          onClose={() => setRemoved(null)}
          onRemoved={() => {
            setRemoved(null);
            toast.success('Authenticator app removed');
            void refetchTwoFactor(userId).then(onRemoved);
          }}
        />
      )}
    </>
  );
}

/** No two apps of an account may have the same name. */
function freeName(apps: readonly AuthenticatorApp[]): string {
  const taken = new Set(apps.map(({ name }) => name));
  const names = Array.from({ length: apps.length + 1 }, (_, n) => `Authenticator app${n === 0 ? '' : ` ${n + 1}`}`);
  return names.find((name) => !taken.has(name)) ?? '';
}
