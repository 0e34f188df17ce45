/** Shared by tests of the security page: a rendered panel, and the answers of a healthy server. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { queryClient } from '../../../platform/query-client.ts';
import {
  aSession,
  type FACTOR,
  type FakeBackend,
  json,
  storeSession,
  USER,
} from '../../../platform/testing/fake-backend.ts';
import type { SessionUser } from '../../../session/session.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';

export const SESSION_USER: SessionUser = {
  id: USER.id,
  email: USER.email,
  emailConfirmed: true,
  fullName: 'Ada Lovelace',
  createdAt: '2026-01-02T00:00:00Z',
};

export const PROFILE_ROW = {
  id: USER.id,
  role: 'user',
  full_name: 'Ada Lovelace',
  avatar_url: null,
  two_factor_enabled: false,
  email_notifications: true,
  push_notifications: false,
  marketing_emails: false,
};

export function mountPanel(panel: ReactNode) {
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        {panel}
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

/** Text of the error message; there is one at a time. */
export const alertText = async () => (await screen.findByRole('alert')).textContent;

export const refusal = (status: number, code: string) => json({ code: status, error_code: code, msg: code }, status);

type Factor = typeof FACTOR & { created_at: string };

/** The auth service's side of authenticator apps; the right code is always 123456. */
export function factorServer(backend: FakeBackend, factors: Factor[] = [], aal = 'aal2') {
  const state = { factors, aal, verified: 0 };
  const user = () => ({ ...USER, factors: state.factors });
  storeSession({ factors: state.factors }, aal);
  backend.on('GET /auth/v1/user', () => json(user()));
  backend.on('POST /auth/v1/token', () => json(aSession({ factors: state.factors }, state.aal)));
  backend.on('POST /auth/v1/factors', ({ body }) => {
    const id = `44444444-4444-4444-8444-44444444444${state.factors.length}`;
    const friendlyName = typeof body === 'object' && body !== null && 'friendly_name' in body ? body.friendly_name : '';
    addFactor(backend, state, { id, friendly_name: String(friendlyName) });
    const totp = {
      qr_code: '<svg xmlns="http://www.w3.org/2000/svg"><path fill="#000"/></svg>',
      secret: SECRET,
      uri: URI,
    };
    return json({ id, type: 'totp', friendly_name: friendlyName, totp });
  });
  for (const factor of factors) answerFor(backend, state, factor.id);
  return state;
}

export const SECRET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const URI = `otpauth://totp/kat:ada?secret=${SECRET}`;

type FactorState = ReturnType<typeof factorServer>;

function addFactor(backend: FakeBackend, state: { factors: Factor[] }, factor: { id: string; friendly_name: string }) {
  const rest = { factor_type: 'totp', status: 'unverified', created_at: '2026-11-20T10:00:00Z' };
  state.factors = [...state.factors, { ...factor, ...rest }];
  answerFor(backend, state, factor.id);
}

function answerFor(backend: FakeBackend, state: Pick<FactorState, 'factors'>, id: string) {
  backend.on(`POST /auth/v1/factors/${id}/challenge`, () => json({ id: 'challenge', type: 'totp', expires_at: 1 }));
  backend.on(`POST /auth/v1/factors/${id}/verify`, ({ body }) => {
    const isRight = typeof body === 'object' && body !== null && 'code' in body && body.code === '123456';
    if (!isRight) return refusal(422, 'mfa_verification_failed');
    state.factors = state.factors.map((factor) => (factor.id === id ? { ...factor, status: 'verified' } : factor));
    return json(aSession({ factors: state.factors }, 'aal2'));
  });
  backend.on(`DELETE /auth/v1/factors/${id}`, () => {
    state.factors = state.factors.filter((factor) => factor.id !== id);
    return json({ id });
  });
}
