/** How the account is opened: by its email address, at providers, by wallets. */
import type { UserIdentity } from '@supabase/auth-js';
import CircleUserRound from 'lucide-react/icons/circle-user-round';
import Mail from 'lucide-react/icons/mail';
import Wallet from 'lucide-react/icons/wallet';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { signInMethodMessage } from '#domain/account/sign-in-method-messages.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { PROVIDER_MARKS } from '../../../brand/provider-marks.tsx';
import type { LinkableProvider } from '../../../session/link-targets.ts';
import { useProviderKinds } from '../../../site/site-config.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { ProblemNotice, SignInAgain } from '../two-factor/two-factor-failure.tsx';
import { EmailChange } from './email-change.tsx';
import { link, type SignInMethods, unlink } from './sign-in-methods-api.ts';
import styles from './sign-in-methods-panel.module.css';
import { useLinkReturn, useSignInMethods } from './use-sign-in-methods.ts';

const PROVIDERS: readonly { id: LinkableProvider; name: string }[] = [
  { id: 'google', name: 'Google' },
  { id: 'github', name: 'GitHub' },
];

export function SignInMethodsPanel({ userId }: { userId: string }) {
  const { methods, hasFailed, isFetching, retry, invalidate } = useSignInMethods(userId);
  return (
    <Panel heading="Sign-in methods">
      {hasFailed ? (
        <ErrorState
          title="We couldn’t load your sign-in methods"
          text="They still open your account. The rest of the page still works."
          onRetry={retry}
          isRetrying={isFetching}
        />
      ) : methods === null ? (
        <div role="status" aria-label="Loading your sign-in methods">
          <Skeleton className={styles.waiting} />
        </div>
      ) : methods.identities.some(({ provider }) => provider.startsWith('sso:')) ? (
        <p>You sign in through your organization, which also manages your email address.</p>
      ) : (
        <Methods methods={methods} onChanged={invalidate} />
      )}
    </Panel>
  );
}

interface MethodsProps {
  methods: SignInMethods;
  onChanged: () => Promise<void>;
}

function Methods({ methods, onChanged }: MethodsProps) {
  const { identities } = methods;
  const kinds = useProviderKinds();
  const { problem, leavingTo, leave } = useLinking(identities);
  const [unlinking, setUnlinking] = useState<UserIdentity | null>(null);
  const content = useRef<HTMLDivElement>(null);
  return (
    <div ref={content} tabIndex={-1} className={access.content}>
      <ul className="grid" aria-label="Your sign-in methods">
        <EmailRow {...methods} />
        {identities
          .filter(({ provider }) => provider !== 'email')
          .map((identity) => (
            <IdentityRow key={identity.identity_id} identity={identity} onUnlink={() => setUnlinking(identity)} />
          ))}
        {PROVIDERS.filter(({ id }) => !identities.some(({ provider }) => provider === id)).map(({ id, name }) => (
          <Row
            key={id}
            icon={PROVIDER_MARKS[id]}
            name={name}
            facts={<p className="muted size-13">{kinds?.[id] === 'off' ? 'Not available yet' : 'Not linked'}</p>}
          >
            <Button
              size="small"
              aria-label={`Link ${name}`}
              disabled={kinds?.[id] === 'off' || (leavingTo !== null && leavingTo !== id)}
              isBusy={leavingTo === id}
              onClick={() => void leave(id, name)}
            >
              Link
            </Button>
          </Row>
        ))}
      </ul>
      {PROVIDERS.some(({ id }) => kinds?.[id] === 'sandbox') && (
        <p className="muted size-13">Test sign-in: no real Google or GitHub account is used.</p>
      )}
      {problem !== null && <ProblemNotice problem={problem} />}
      <EmailChange methods={methods} onChanged={onChanged} />
      {unlinking !== null && (
        <Unlinking
          identity={unlinking}
          onClose={() => setUnlinking(null)}
          onUnlinked={async () => {
            await onChanged();
            setUnlinking(null);
            // The clicked button disappeared with its row.
            content.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Has no Unlink: a new password can always be requested at the account's address. */
function EmailRow({ email, isConfirmed }: SignInMethods) {
  if (email === null) return null;
  return (
    <Row
      icon={Mail}
      name="Email and password"
      badge={<Badge tone={isConfirmed ? 'up' : 'warning'}>{isConfirmed ? 'Verified' : 'Not verified'}</Badge>}
      facts={
        <dl className={access.facts}>
          <div>
            <dt>Address</dt>
            <dd>{email}</dd>
          </div>
          <div>
            <dt>Password</dt>
            <dd>
              <Link to="/account/security">Change it under Security</Link>
            </dd>
          </div>
        </dl>
      }
    />
  );
}

function IdentityRow({ identity, onUnlink }: { identity: UserIdentity; onUnlink: () => void }) {
  const { zone } = useTimeZone();
  const { name, account } = describe(identity);
  const used = identity.last_sign_in_at;
  return (
    <Row
      icon={iconOf(identity.provider)}
      name={name}
      badge={<Badge tone="up">Linked</Badge>}
      facts={
        <dl className={access.facts}>
          <div>
            <dt>Account</dt>
            <dd>{account}</dd>
          </div>
          <div>
            <dt>Last used</dt>
            <dd>{used === undefined ? 'unknown' : zonedMinute(Date.parse(used), zone)}</dd>
          </div>
        </dl>
      }
    >
      <Button size="small" aria-label={`Unlink ${name}, ${account}`} onClick={onUnlink}>
        Unlink
      </Button>
    </Row>
  );
}

function iconOf(provider: string): RowProps['icon'] {
  if (provider === 'web3') return Wallet;
  return provider === 'google' || provider === 'github' ? PROVIDER_MARKS[provider] : CircleUserRound;
}

interface RowProps {
  icon: ComponentType<{ size: number }>;
  name: string;
  badge?: ReactNode;
  facts: ReactNode;
  /** A button. */
  children?: ReactNode;
}

function Row({ icon: Icon, name, badge, facts, children }: RowProps) {
  return (
    <li className={access.row}>
      <span className="inline-row muted">
        <Icon size={20} />
      </span>
      <div className="grid gap-1 min-width-0">
        <p className={access.name}>
          {name}
          {badge}
        </p>
        {facts}
      </div>
      {children}
    </li>
  );
}

function describe({ provider, identity_data: data = {} }: UserIdentity): { name: string; account: string } {
  const text = (name: string) => (typeof data[name] === 'string' && data[name] !== '' ? data[name] : null);
  const wallet = text('chain') === 'solana' ? 'Solana wallet' : 'Ethereum wallet';
  return {
    name: provider === 'web3' ? wallet : (PROVIDERS.find(({ id }) => id === provider)?.name ?? provider),
    account: text('email') ?? text('address') ?? text('user_name') ?? 'unknown',
  };
}

interface UnlinkingProps {
  identity: UserIdentity;
  onUnlinked: () => Promise<void>;
  onClose: () => void;
}

function Unlinking({ identity, onUnlinked, onClose }: UnlinkingProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  const { name, account } = describe(identity);
  const confirm = async () => {
    setBusy(true);
    const refused = await unlink(identity, name);
    setProblem(refused);
    if (refused === null) {
      toast.success(`${name} is unlinked`);
      await onUnlinked();
    }
    setBusy(false);
  };
  return (
    <ConfirmDialog
      isOpen
      heading={`Unlink ${name}?`}
      verb="Unlink"
      isBusy={isBusy}
      failure={problem?.message ?? null}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        <strong className="break-anywhere">{account}</strong> no longer opens this account. Nothing else changes.
      </p>
      {problem?.needsSignIn && <SignInAgain />}
    </ConfirmDialog>
  );
}

/** Leaves for a provider to link it, and shows the outcome on return. */
function useLinking(identities: SignInMethods['identities']) {
  const [leavingTo, setLeavingTo] = useState<LinkableProvider | null>(null);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  const returned = useLinkReturn();

  useEffect(() => {
    // The browser's back button restores the page as it was left.
    const stay = () => setLeavingTo(null);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);

  const isLinked = identities.some(({ provider }) => provider === returned?.provider);
  useEffect(() => {
    if (returned === null) return;
    const name = PROVIDERS.find(({ id }) => id === returned.provider)?.name ?? '';
    if (returned.refusal !== null) setProblem(signInMethodMessage({ code: returned.refusal }, notLinked(name)));
    else if (isLinked) toast.success(`${name} is linked`, { id: 'linked' });
  }, [returned, isLinked]);

  const leave = async (id: LinkableProvider, name: string) => {
    setLeavingTo(id);
    setProblem(null);
    const refused = await link(id, notLinked(name));
    if (refused === null) return;
    setProblem(refused);
    setLeavingTo(null);
  };
  return { problem, leavingTo, leave };
}

function notLinked(name: string): string {
  return `We couldn’t link ${name}. Nothing has changed. Please try again.`;
}
