import type { LucideIcon } from 'lucide-react';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePause from 'lucide-react/icons/circle-pause';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Clock from 'lucide-react/icons/clock';
import LogIn from 'lucide-react/icons/log-in';
import WifiOff from 'lucide-react/icons/wifi-off';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useEntitlement } from '../../session/entitlement.ts';
import { useSession } from '../../session/session.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { CheckoutFrame } from './checkout-frame.tsx';
import { PurchaseFacts } from './purchase-facts.tsx';
import { type Confirmation, useConfirmation } from './use-confirmation.ts';

const NEXT_STEPS = {
  heading: 'After your first prediction',
  steps: [
    { to: '/account/notifications#alerts', label: 'Set an alert', text: 'Hear from us when an outcome is known' },
    { to: '/ai-models', label: 'AI Models', text: 'What each model was measured at' },
    { to: '/track-record', label: 'Track Record', text: 'Every forecast, sealed before its outcome' },
  ],
};

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
          next={NEXT_STEPS}
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
    text: 'This page shows a payment after checkout, but its address is incomplete.',
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
    text: 'This checkout is still open: no charges have been made.',
    recheck: 'also',
  },
  expired: {
    heading: 'This checkout has expired',
    Icon: CirclePause,
    text: 'It wasn’t paid in time. No charges were made.',
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
      text={<p>Only the account that made a payment can see it. Yours is safe until you sign in.</p>}
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
        : 'We are checking with the payment provider.'}
    </p>
  );
}
