import { act, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toast } from '../overlay/toast.ts';
import { Failure } from './failure.tsx';
import { FailureLine } from './panel-note.tsx';
import { onFailureShown } from './reported-failure.tsx';
import { ErrorState } from './state.tsx';

function reports(): string[] {
  const reported: string[] = [];
  onFailureShown((text) => reported.push(text));
  return reported;
}

test('reports the text of alerts and error toasts, without that of buttons', () => {
  const reported = reports();

  render(<Failure>The plan was not changed</Failure>);
  render(<ErrorState title="Failed to load" text="The rest still works." onRetry={() => {}} />);
  render(
    <FailureLine again={{ isRetrying: false, retry: () => {} }}>
      {'No figures'}. {'They are old.'}
    </FailureLine>,
  );
  act(() => void toast.error('Pop-out blocked by the browser'));

  expect(reported).toEqual([
    'The plan was not changed',
    'Failed to load · The rest still works.',
    'No figures. They are old.',
    'Pop-out blocked by the browser',
  ]);
});

test('reports a failure once while it is shown, and again when its text changes', () => {
  const reported = reports();
  const { rerender } = render(<Failure>First</Failure>);

  rerender(<Failure className="wide">First</Failure>);
  rerender(<Failure>Second</Failure>);

  expect(reported).toEqual(['First', 'Second']);
});

test('reports no success and nothing that is under way', () => {
  const reported = reports();

  act(() => {
    toast.success('Saved');
    toast.loading('Saving');
    toast.show('This link was opened in another browser');
  });

  expect(reported).toEqual([]);
});
