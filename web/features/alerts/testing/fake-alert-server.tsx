/** Shared by alert tests: a fake server that stores rules, and the providers of the page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import type { Alert, AlertFacts } from '#domain/alerts/alert.ts';
import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import type { SessionUser } from '../../../session/session.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { subjectKey } from '../rules/rule-subject.ts';

export const USER_ID = USER.id;
export const PREDICTION = '33333333-3333-4333-8333-333333333333';
export const SESSION_USER: SessionUser = {
  id: USER.id,
  email: USER.email,
  emailConfirmed: true,
  fullName: 'Ada Lovelace',
  createdAt: '2026-01-02T00:00:00Z',
};

const DISAGREE: AlertFacts = {
  kind: 'models-disagree',
  sym: 'BTCUSDT.P',
  marketKind: 'simulated',
  slotS: 1_790_000_100,
  costBp: 10,
};
const RESOLVED: AlertFacts = {
  kind: 'prediction-resolved',
  sym: 'ETHUSDT.P',
  marketKind: 'simulated',
  predictionId: PREDICTION,
  model: 'lion',
  joinS: 1_790_000_000,
  voidReason: null,
  pathErrorBp: 12.3,
  lastCloseErrorBp: 14.1,
  isReturned: false,
};

export const anAlert = (id: number, isRead = false): Alert => ({
  id,
  facts: id % 2 === 0 ? DISAGREE : RESOLVED,
  madeAt: '2026-11-20T10:00:00.000Z',
  isRead,
});

export const aRule = (rule: Partial<AlertRule>): AlertRule => ({
  id: '44444444-4444-4444-8444-444444444444',
  kind: 'prediction-resolved',
  predictionId: null,
  sym: null,
  byMail: false,
  byPush: false,
  ...rule,
});

export interface AlertServer {
  backend: FakeBackend;
  rules: AlertRule[];
  alerts: Alert[];
  /** Bodies sent to a function, in order. */
  sent(name: string): unknown[];
}

/** @param hasDevice  whether a device is set up for notifications */
export function alertServer(known: { rules?: AlertRule[]; alerts?: Alert[]; hasDevice?: boolean } = {}): AlertServer {
  const backend = fakeBackend();
  const server: AlertServer = {
    backend,
    rules: known.rules ?? [],
    alerts: known.alerts ?? [],
    sent: (name) => backend.to(`/functions/v1/${name}`).map(({ body }) => body),
  };
  const isAbout = (a: AlertRule) => (b: AlertRule) => subjectKey(a) === subjectKey(b);
  backend.on('POST /functions/v1/list-alerts', ({ body }) => {
    const { after = 0 } = body as { after?: number };
    const alerts = server.alerts.filter(({ id }) => id > after);
    const unread = server.alerts.filter(({ isRead }) => !isRead).length;
    return json({ ok: true, rules: server.rules, alerts, unread });
  });
  backend.on('POST /functions/v1/save-alert-rule', ({ body }) => {
    const change = body as Partial<AlertRule>;
    const known = server.rules.find(isAbout(aRule(change)));
    const rule = aRule({ ...change, id: known?.id ?? `44444444-4444-4444-8444-44444444445${server.rules.length}` });
    server.rules = [...server.rules.filter((other) => other !== known), rule];
    return json({ ok: true, rule });
  });
  backend.on('POST /functions/v1/remove-alert-rule', ({ body }) => {
    server.rules = server.rules.filter(({ id }) => id !== (body as { id: string }).id);
    return json({ ok: true });
  });
  backend.on('POST /functions/v1/read-alerts', () => json({ ok: true }));
  backend.on('GET /rest/v1/push_subscriptions', () => json(known.hasDevice ? [{ id: PREDICTION }] : []));
  storeSession();
  return server;
}

/** Includes the page's toasts. */
export function mount(content: ReactNode) {
  return render(
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        {content}
        <Toaster />
      </BrowserRouter>
    </QueryClientProvider>,
  );
}
