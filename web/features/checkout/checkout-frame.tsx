/** Frame of the pages after a checkout: a mark, the result, its meaning, and the next steps. */
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePaymentsKind } from '../../site/site-config.ts';
import { PaymentsBadge } from '../../site/source-badge.tsx';
import { type NextStepsProps, WithNextSteps } from '../../ui/layout/next-steps.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Spinner } from '../../ui/status/loader.tsx';
import styles from './checkout-frame.module.css';

export interface CheckoutFrameProps {
  heading: string;
  /** Absent while the check is running. */
  Icon?: LucideIcon | undefined;
  tone?: 'good' | 'plain' | undefined;
  text: ReactNode;
  facts?: ReactNode;
  actions?: ReactNode;
  /** Beside the result, once there is one. */
  next?: NextStepsProps | undefined;
}

export function CheckoutFrame({ heading, Icon, tone = 'plain', text, facts, actions, next }: CheckoutFrameProps) {
  const card = (
    <div className={styles.card}>
      {/* Changes here are announced. */}
      <div className={styles.status} role="status">
        <span className={styles.mark} data-tone={tone}>
          {Icon === undefined ? <Spinner /> : <Icon size={28} aria-hidden="true" />}
        </span>
        <h1 className={styles.heading}>{heading}</h1>
        <div className={styles.text}>{text}</div>
      </div>
      {facts}
      {actions && <div className="grid gap-2 full-width">{actions}</div>}
      <PaymentsBadge kind={usePaymentsKind()} />
    </div>
  );
  return (
    <Page className={styles.page}>{next === undefined ? card : <WithNextSteps {...next}>{card}</WithNextSteps>}</Page>
  );
}
