/** Shared by tests of the first steps: the server's side of them, and a mounted part. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { queryClient } from '../../../platform/query-client.ts';
import { type FakeBackend, json, USER } from '../../../platform/testing/fake-backend.ts';

const MARKS = '/rest/v1/onboarding_marks';

/** Answers as the database does. @param row  what a new account has differently */
export function firstStepsServer(backend: FakeBackend, row: object = {}) {
  const server = {
    row: { has_checklist: true, has_prediction: false, has_alert: false, marks: [] as string[], ...row },
  };
  backend.on('POST /rest/v1/rpc/get_onboarding', () => json(server.row));
  backend.on(`POST ${MARKS}`, ({ body }) => {
    const added = (body as { user_id: string; mark: string }[]).map(({ mark }) => mark);
    const marks = [...new Set([...server.row.marks, ...added])];
    server.row = { ...server.row, marks, has_checklist: !marks.includes('checklist-dismissed') };
    return new Response(null, { status: 201 });
  });
  return {
    /** Every mark that was sent, in order, of this user alone. */
    sent: () =>
      backend
        .to(MARKS)
        .flatMap(({ body }) =>
          (body as { user_id: string; mark: string }[]).map(({ user_id, mark }) =>
            user_id === USER.id ? mark : user_id,
          ),
        ),
  };
}

export function mountSteps(part: ReactNode) {
  const whole = (inner: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <main id="main" tabIndex={-1}>
          {inner}
        </main>
      </MemoryRouter>
    </QueryClientProvider>
  );
  const { rerender } = render(whole(part));
  return { show: (next: ReactNode) => rerender(whole(next)) };
}
