/** The first steps of a new account. Shown if they are known before the dashboard is, so that nothing moves later. */
import { useQuery } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { hasFeature } from '#domain/billing/plans.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { doneSteps, ONBOARDING_STEPS, type OnboardingStep } from '#domain/onboarding/first-steps.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import type { SessionUser } from '../../session/session.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './checklist.module.css';
import { addMarks, knownProgress, progressQuery } from './progress.ts';
import { rememberTour } from './tour-memory.ts';

const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }));

export interface ChecklistProps {
  user: SessionUser;
  /** Moves the focus to the place where the address is verified. */
  onVerify: () => void;
}

export function Checklist({ user, onVerify }: ChecklistProps) {
  const [isKnown] = useState(() => knownProgress(user.id)?.hasChecklist ?? false);
  const { data } = useQuery({ ...progressQuery(user.id), enabled: isKnown });
  const [isTourOpen, setTourOpen] = useState(false);
  const { isLoading, entitlement } = useEntitlement();
  if (!isKnown || data === undefined || !data.hasChecklist) return null;

  const done = doneSteps(data, user.emailConfirmed);
  const isComplete = done.size === ONBOARDING_STEPS.length;
  const next = ONBOARDING_STEPS.find((step) => !done.has(step));
  const steps = stepsFor({
    userId: user.id,
    mayPredict: isLoading || hasFeature(entitlement.plan, 'predictions'),
    onVerify,
    onTour: () => setTourOpen(true),
  });
  const dismiss = () => {
    void addMarks(user.id, ['checklist-dismissed']);
    // The focused button is about to be removed.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const endTour = (isRead: boolean) => {
    setTourOpen(false);
    void addMarks(user.id, isRead ? ['tour-ended', 'bands-read'] : ['tour-ended']).then((isSent) =>
      rememberTour(user.id, isSent),
    );
  };
  return (
    <Panel
      heading={isComplete ? 'You’re all set' : 'Welcome to Kat'}
      beside={<Badge>{`${done.size} of ${ONBOARDING_STEPS.length} done`}</Badge>}
      actions={
        <Button size="small" variant="quiet" onClick={dismiss}>
          {isComplete ? 'Close' : 'Dismiss'}
        </Button>
      }
      isFlush
    >
      <ol className={styles.steps}>
        {ONBOARDING_STEPS.map((step, i) => {
          const isDone = done.has(step);
          return (
            <li key={step} className={styles.step} data-next={step === next || undefined}>
              <span className={styles.mark} data-done={isDone || undefined} aria-hidden="true">
                {isDone ? <Check size={14} /> : i + 1}
              </span>
              <p className={styles.title}>
                <span>{steps[step].title}</span>
                {isDone && <span className="visually-hidden"> (done)</span>}
              </p>
              <p className={styles.text}>{steps[step].text}</p>
              <div className={styles.action}>
                {isDone ? <span className="muted size-13">Done</span> : steps[step].action}
              </div>
            </li>
          );
        })}
      </ol>
      {isTourOpen && (
        <Suspense fallback={null}>
          <Tour timeframe={DEFAULT_TIMEFRAME} onEnd={endTour} />
        </Suspense>
      )}
    </Panel>
  );
}

interface StepOptions {
  userId: string;
  /** False on the free plan. */
  mayPredict: boolean;
  onVerify: () => void;
  onTour: () => void;
}

interface Step {
  title: string;
  text: string;
  action: ReactNode;
}

function stepsFor({ userId, mayPredict, onVerify, onTour }: StepOptions): Record<OnboardingStep, Step> {
  const link = (to: string, label: string, onClick?: () => void) => (
    <LinkButton to={to} size="small" onClick={onClick}>
      {label}
    </LinkButton>
  );
  return {
    verify: {
      title: 'Verify your email',
      text: 'So that alerts and password resets reach you.',
      action: (
        <Button size="small" onClick={onVerify}>
          Verify email
        </Button>
      ),
    },
    model: mayPredict
      ? {
          title: 'Choose a model',
          text: 'Pick one above the chart. The list shows what each was measured at.',
          action: link('/kat', 'Open the chart'),
        }
      : {
          title: 'Choose a model',
          text: 'See what each model was measured at, and which plan includes it.',
          action: link('/ai-models', 'Compare models', () => void addMarks(userId, ['model-chosen'])),
        },
    forecast: mayPredict
      ? {
          title: 'Run a forecast',
          text: 'The next 50 minutes with their bands, saved with your account.',
          action: link('/kat', 'Run a forecast'),
        }
      : {
          title: 'Run a forecast',
          text: 'The Free plan includes none of your own. The shared forecast is open to you.',
          action: link('/account/subscription', 'See the plans'),
        },
    bands: {
      title: 'Read its bands',
      text: 'Three short steps: what the bands mean, and what the path doesn’t.',
      action: (
        <Button size="small" onClick={onTour}>
          Take the tour
        </Button>
      ),
    },
    alert: {
      title: 'Set an alert',
      text: 'Hear from us when a price leaves its band or an outcome is known.',
      action: link('/account/notifications#alerts', 'Set an alert'),
    },
  };
}
