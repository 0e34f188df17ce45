import type { LucideIcon } from 'lucide-react';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePause from 'lucide-react/icons/circle-pause';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Clock from 'lucide-react/icons/clock';
import LogIn from 'lucide-react/icons/log-in';
import WifiOff from 'lucide-react/icons/wifi-off';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { PLAN_LABELS, PLANS, type PlanName } from '#domain/billing/plans.ts';
import { isActiveStatus, type SubscriptionRow } from '#domain/billing/subscription.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { useSession } from '../../session/session.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { CheckoutFrame } from './checkout-frame.tsx';
import styles from './checkout-success.module.css';
import { type Confirmation, useConfirmation } from './use-confirmation.ts';

export function CheckoutSuccess() {
  const [params] = useSearchParams();
  const { confirmation, recheck } = useConfirmation(params.get('session_id') || null);
  switch (confirmation.kind) {
    case 'confirming':
      return <CheckoutFrame heading="Confirming your purchase..." text={<Waiting />} />;
    case 'paid':
      return (
        <CheckoutFrame
          heading="Payment Successful!"
          Icon={CircleCheck}
          tone="good"
          text={<p>You’re all set. Your plan is active.</p>}
          facts={<PurchaseFacts name="Product" plan={confirmation.plan} row={confirmation.row} />}
          actions={
            <>
              <LinkButton to="/kat" variant="primary">
                Run a prediction
              </LinkButton>
              <LinkButton to="/dashboard">Dashboard</LinkButton>
              <LinkButton to="/account/subscription">Manage subscription</LinkButton>
            </>
          }
        />
      );
    case 'signed-out':
      return <SignedOut />;
    default:
      return <Other kind={confirmation.kind} message={messageOf(confirmation)} onRecheck={recheck} />;
  }
}

type OtherKind = Exclude<Confirmation['kind'], 'confirming' | 'paid' | 'signed-out'>;

interface Content {
  heading: string;
  Icon: LucideIcon;
  text: string;
  /** Whether checking again may help: as the first action, or as another one. */
  recheck?: 'first' | 'also';
}

const CONTENT: Readonly<Record<OtherKind, Content>> = {
  nothing: {
    heading: 'No payment to show',
    Icon: CircleHelp,
    text: 'This page shows a payment after checkout. Its address is incomplete.',
  },
  late: {
    heading: 'Payment received',
    Icon: Clock,
    text: 'We received your payment, but your plan is taking longer than usual to start. You do not need to pay again.',
    recheck: 'first',
  },
  over: {
    heading: 'This subscription has ended',
    Icon: CirclePause,
    text: 'The payment was made, but its subscription has since ended.',
  },
  open: {
    heading: 'Not paid yet',
    Icon: Clock,
    text: 'This checkout is still open: no charges were made so far.',
    recheck: 'also',
  },
  expired: {
    heading: 'This checkout has expired',
    Icon: CirclePause,
    text: 'It was not paid in time. No charges were made.',
  },
  refused: {
    heading: 'No payment to show',
    Icon: CircleHelp,
    text: 'It may belong to another account, or its address is incomplete.',
  },
  unreachable: {
    heading: 'Not confirmed yet',
    Icon: WifiOff,
    text: 'We couldn’t check your payment. You may already have paid, so check again before you pay.',
    recheck: 'first',
  },
};

function Other({ kind, message, onRecheck }: { kind: OtherKind; message: string | null; onRecheck: () => void }) {
  const { heading, Icon, text, recheck } = CONTENT[kind];
  const recheckButton = recheck && (
    <Button variant={recheck === 'first' ? 'primary' : 'secondary'} isBlock onClick={onRecheck}>
      Check again
    </Button>
  );
  return (
    <CheckoutFrame
      heading={heading}
      Icon={Icon}
      text={
        <>
          {message !== null && <p>{message}</p>}
          <p>{text}</p>
        </>
      }
      facts={kind !== 'nothing' && <PlanInForce />}
      actions={
        <>
          {recheck === 'first' && recheckButton}
          <LinkButton to="/account/subscription" variant={recheck === 'first' ? 'secondary' : 'primary'}>
            Subscription
          </LinkButton>
          {recheck === 'also' && recheckButton}
          <LinkButton to="/dashboard">Dashboard</LinkButton>
          <LinkButton to="/kat">AI Prediction</LinkButton>
        </>
      }
    />
  );
}

function messageOf(confirmation: Confirmation): string | null {
  return confirmation.kind === 'refused' ? confirmation.message : null;
}

/** The account's active plan, shown whatever the outcome of this payment. */
function PlanInForce() {
  const { user } = useSession();
  const { entitlement, subscription } = useEntitlement();
  if (user === null || entitlement.plan === 'free' || subscription === null) return null;
  return <PurchaseFacts name="Your plan" plan={entitlement.plan} row={subscription} />;
}

function SignedOut() {
  const { pathname, search } = useLocation();
  return (
    <CheckoutFrame
      heading="Sign in to see your payment"
      Icon={LogIn}
      text={<p>A payment is shown to the account that made it. It stays there until you sign in.</p>}
      actions={
        <>
          <LinkButton to={`/auth/signin?next=${encodeURIComponent(pathname + search)}`} variant="primary">
            Sign In
          </LinkButton>
          <LinkButton to="/">Home</LinkButton>
        </>
      }
    />
  );
}

/** After this time, a note says that the user need not stay. */
const LONG_MS = 8000;

function Waiting(): ReactNode {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p>
      {isLong
        ? 'This is taking longer than usual. You can leave this page; nothing is lost.'
        : 'We are checking with the payment service.'}
    </p>
  );
}

interface PurchaseFactsProps {
  /** Label of the plan: just bought, or already active. */
  name: 'Product' | 'Your plan';
  plan: PlanName;
  row: SubscriptionRow;
}

function PurchaseFacts({ name, plan, row }: PurchaseFactsProps) {
  const { zone } = useTimeZone();
  const { nowS } = useEntitlement();
  const isActive = isActiveStatus(row, nowS);
  const endMs = row.current_period_end === null ? null : row.current_period_end * 1000;
  return (
    <dl className="full-width border-top">
      <Fact name={name}>{PLAN_LABELS[plan]}</Fact>
      <Fact name="Price">
        <span className="figures">${(PLANS[plan].priceCents / 100).toFixed(2)}</span> per month
      </Fact>
      <Fact name="Status">
        <Badge tone={isActive ? 'up' : 'warning'}>{isActive ? 'Active' : 'Inactive'}</Badge>
      </Fact>
      {endMs !== null && (
        <Fact name={row.cancel_at_period_end === true ? 'Ends on' : 'Next billing date'}>
          <time dateTime={new Date(endMs).toISOString()}>{zonedDay(endMs, zone)}</time>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
