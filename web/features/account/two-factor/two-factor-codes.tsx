/** Recovery codes: shown once, then only how many are left. */
import Download from 'lucide-react/icons/download';
import { useEffect, useState } from 'react';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { makeCodes } from './two-factor-api.ts';
import styles from './two-factor-codes.module.css';
import { ProblemNotice } from './two-factor-failure.tsx';
import { StepHeading } from './two-factor-step.tsx';
import { useCodesLeft } from './use-two-factor.ts';

/** The server creates this many. */
const ALL = 10;
const FEW = 3;

export interface NewCodesProps {
  email: string | null;
  codes: readonly string[];
  onSaved: () => void;
}

export function NewCodes({ email, codes, onSaved }: NewCodesProps) {
  // Closing the tab would lose the codes.
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  const text = [
    `Recovery codes of ${email ?? 'your account'} at ${window.location.host}`,
    'Each code opens your account once without the authenticator app.',
    '',
    ...codes,
    '',
  ].join('\n');
  return (
    <div className="grid gap-4">
      <StepHeading>Keep these recovery codes</StepHeading>
      <p className="readable-width">
        Phone lost or broken? Each code opens your account once without the app: it removes the app and signs you out
        everywhere else. <strong>We show them only once.</strong> Don’t store them with your password.
      </p>
      <ol className={styles.list} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code} className="figures">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex wrap gap-2">
        <CopyButton text={codes.join('\n')} what="recovery codes" />
        <Button
          size="small"
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() => saveFile('kat-recovery-codes.txt', [text], 'text/plain')}
        >
          Download as text
        </Button>
      </div>
      <div>
        <Button variant="primary" onClick={onSaved}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}

export interface CodesLeftProps {
  userId: string;
  onCreated: (codes: readonly string[]) => void;
}

export function CodesLeft({ userId, onCreated }: CodesLeftProps) {
  const { left, hasFailed, isFetching, retry } = useCodesLeft(userId);
  const { zone } = useTimeZone();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);

  const make = async () => {
    setConfirming(false);
    setBusy(true);
    setProblem(null);
    const created = await makeCodes();
    setBusy(false);
    if ('message' in created) setProblem(created);
    else onCreated(created);
  };

  if (hasFailed)
    return (
      <ErrorState
        title="We couldn’t count your recovery codes"
        text="The codes you saved still work."
        onRetry={retry}
        isRetrying={isFetching}
      />
    );
  if (left === null) return <Skeleton className={styles.waiting} />;
  const hasNone = left.createdAtMs === null;
  return (
    <div className={styles.left}>
      <div className={styles.state}>
        <h3 className="row wrap gap-2 weight-500">
          Recovery codes
          <Badge tone={left.remaining < FEW ? 'warning' : 'neutral'}>
            {hasNone ? 'None' : `${left.remaining} of ${ALL} left`}
          </Badge>
        </h3>
        <p className="muted size-13">
          {left.createdAtMs === null
            ? 'Without them, losing your phone locks you out. Create them now.'
            : `Created ${zonedMinute(left.createdAtMs, zone)}. Each one opens your account once without the app.`}
        </p>
      </div>
      <Button
        size="small"
        isBusy={isBusy}
        className={styles.make}
        onClick={() => (left.remaining === 0 ? void make() : setConfirming(true))}
      >
        {hasNone ? 'Create recovery codes' : 'Create new codes'}
      </Button>
      {problem !== null && (
        <div className={styles.problem}>
          <ProblemNotice problem={problem} />
        </div>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        heading="Create new recovery codes?"
        verb="Create new codes"
        onClose={() => setConfirming(false)}
        onConfirm={() => void make()}
      >
        <p>Your old codes stop working, wherever you saved them.</p>
      </ConfirmDialog>
    </div>
  );
}
