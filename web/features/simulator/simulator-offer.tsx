/**
 * What the simulator is and what it costs: one price, paid once, on the operator's own patron page. The links to buy
 * and download it appear once the operator has set them.
 */
import Check from 'lucide-react/icons/check';
import { useLocation } from 'react-router';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { isSampleLink } from '#domain/site/sample-link.ts';
import type { ReturnState } from '../../session/return-path.ts';
import { useSession } from '../../session/session.ts';
import { useSiteSettings, useSiteSettingsState } from '../../site/site-settings.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import { ExternalLinkButton } from '../../ui/layout/external-link.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import styles from './simulator-offer.module.css';

const PRICE = '$14.99';

const FEATURES = [
  'A trading game on a simulated market: its prices are generated, and no real money is at stake.',
  'Buy, sell or hold while the market runs, and see the effect on your account right away.',
  'About 10,000 candles are stored, so you can look back on a long run.',
  'A high score for every run, so you can beat your last one.',
  'Version 0.3 is an early version: a game to learn with, not a forecast or part of a plan.',
];

export function SimulatorOffer() {
  return (
    <div className={styles.offer}>
      <div className="grid gap-4">
        <p className={styles.version}>
          <Badge tone="info">version 0.3</Badge>
        </p>
        <h1>Market Simulator</h1>
        <p className="muted size-20">Practise on a market that can’t hurt you.</p>
        <ul className={styles.features}>
          {FEATURES.map((feature) => (
            <li key={feature}>
              <Check size={18} aria-hidden="true" />
              {feature}
            </li>
          ))}
        </ul>
        <p className="muted size-13">{RESEARCH_ONLY}</p>
      </div>
      <div className="grid gap-4">
        <AccountBox />
        <Panel heading="Buy it once">
          <p>
            <span className={styles.amount}>{PRICE}</span> <span className={styles.once}>one-time</span>
          </p>
          <p className={styles.how}>
            No subscription. This site’s plans don’t include it, and it doesn’t include a plan.
          </p>
          <PurchaseLink />
        </Panel>
      </div>
    </div>
  );
}

function PurchaseLink() {
  const { user } = useSession();
  const { settings, hasFailed, isRetrying, retry } = useSiteSettingsState();
  if (settings === null) {
    if (!hasFailed) return <Skeleton className={styles.waiting} needsScript="The link to the patron page" />;
    return (
      <div className={styles.waiting}>
        <p className="muted size-13 margin-top-2">We couldn’t load the purchase link.</p>
        <Button onClick={retry} isBusy={isRetrying}>
          Retry
        </Button>
      </div>
    );
  }
  const { simulatorPurchase } = settings.links;
  if (isSampleLink(simulatorPurchase))
    return (
      <div className={styles.waiting}>
        <p className={styles.notYet}>Not on sale yet</p>
        <p className="muted size-13 margin-top-2">The link to buy it appears here on the day it opens.</p>
      </div>
    );
  return (
    <div className={styles.waiting}>
      <ExternalLinkButton
        href={simulatorPurchase}
        variant={user === null ? 'secondary' : 'primary'}
        isBlock
        className={styles.purchase}
      >
        Buy on the patron page
      </ExternalLinkButton>
      <p className="muted size-13 margin-top-2">
        Opens an external page. You pay and download it there, under its terms.
      </p>
    </div>
  );
}

/** Visitors see that an account is needed; users get the download. Both have the same height, so nothing moves. */
function AccountBox() {
  const { initialized, user } = useSession();
  if (user !== null) return <Download />;
  // Until the session is known, renders the visitor's box. If this browser has stored a session, CSS hides the box
  // until that session is checked.
  return (
    <div data-until-known={initialized ? undefined : ''}>
      <AccountRequired />
    </div>
  );
}

function AccountRequired() {
  const { pathname, search, hash } = useLocation();
  const state: ReturnState = { from: pathname + search + hash };
  return (
    <Panel heading="Account Required" className={styles.box}>
      <p className="muted">You need a free account here before you can buy and download it.</p>
      <div className={styles.actions}>
        <LinkButton to="/auth/signup" state={state} variant="primary">
          Sign Up Free
        </LinkButton>
        <LinkButton to="/auth/signin" state={state} variant="quiet">
          Sign In
        </LinkButton>
      </div>
    </Panel>
  );
}

function Download() {
  const settings = useSiteSettings();
  const url = settings?.links.simulatorDownload ?? null;
  const isSet = url !== null && !isSampleLink(url);
  return (
    <Panel heading="Already bought?" className={styles.box}>
      <p className="muted">
        {url === null || isSet
          ? 'To download it, you need what the patron page sent you.'
          : 'The download appears here once the simulator is on sale.'}
      </p>
      <div className={styles.actions}>
        {isSet && <ExternalLinkButton href={url}>Download version 0.3</ExternalLinkButton>}
      </div>
    </Panel>
  );
}
