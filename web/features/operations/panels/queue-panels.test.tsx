import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationsFacts, OperationsState } from '#domain/operations/operations-state.ts';
import { NOON_MS, someFacts } from '#domain/operations/testing/operations-fixtures.ts';
import { ChatsPanel, MailPanel, NotificationsPanel, WebhooksPanel } from './queue-panels.tsx';

const stateOf = (changes: Partial<OperationsFacts>): OperationsState => ({
  ok: true,
  ...someFacts(changes),
  attention: [],
});
const some = (count: number, isMore = false) => ({ count, isMore });
const MINUTE_AGO = NOON_MS - 60_000;
const { deliveries, chats, push } = someFacts();

const valuesOf = (...names: string[]) => names.map((name) => screen.getByText(name).nextElementSibling?.textContent);
const rows = (caption: string) =>
  within(screen.getByRole('table', { name: caption }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('shows which emails wait, why some were not sent, by their kind, and a missing mail server', () => {
  const errors = [
    { kind: 'alert', error: '550 no such user', count: 3 },
    { kind: 'digest', error: '550 no such user', count: 1 },
  ];
  const mail = { isSending: false, waiting: some(4), oldestAtMs: MINUTE_AGO, sent: 1200, failed: 3, errors };
  render(<MailPanel state={stateOf({ mail })} />);

  expect(valuesOf('Waiting', 'Oldest queued', 'Sent, last 24 h', 'Failed, last 24 h')).toEqual([
    ...['4', '1m ago', '1,200', '3'],
  ]);
  expect(rows('Emails with a sending error')).toEqual([
    ['Kind', 'Last error', 'Emails'],
    ['alert', '550 no such user', '3'],
    ['digest', '550 no such user', '1'],
  ]);
  expect(screen.getByText('no mail server')).toBeDefined();
});

test('shows no list of errors and no mark where emails are sent', () => {
  render(<MailPanel state={stateOf({})} />);

  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByText('no mail server')).toBeNull();
});

test('shows which webhooks fail, since when some are overdue, and by which error', () => {
  const errors = [{ error: 'answered 500', count: 2 }];
  const failing = { endpoints: some(100, true), failing: some(1), dueSinceMs: MINUTE_AGO, sent: 12_000, errors };
  render(<WebhooksPanel state={stateOf({ deliveries: { ...deliveries, ...failing } })} />);

  expect(valuesOf('Endpoints', 'Failing', 'Overdue since', 'Delivered, last 24 h')).toEqual([
    ...['100+', '1', '1m ago', '12,000'],
  ]);
  expect(rows('Waiting deliveries by their last error')).toEqual([
    ['Last error', 'Deliveries'],
    ['answered 500', '2'],
  ]);
});

test('shows which chat services run, and why messages were not sent', () => {
  const errors = [{ error: 'blocked by the user', count: 2 }];
  render(<ChatsPanel state={stateOf({ chats: { ...chats, paused: some(2), failed: 7, errors } })} />);

  expect(valuesOf('Telegram', 'Discord', 'Paused by the service', 'Failed, last 24 h')).toEqual([
    ...['live', 'off', '2', '7'],
  ]);
  expect(rows('Chat messages with a sending error')).toEqual([
    ['Last error', 'Messages'],
    ['blocked by the user', '2'],
  ]);
});

test.each([
  ['off', 'off'],
  ['sandbox', 'sandbox'],
  ['live', null],
] as const)('marks notifications that are %s', (kind, mark) => {
  render(<NotificationsPanel state={stateOf({ push: { ...push, kind, devices: some(5) } })} />);

  expect(valuesOf('Devices')).toEqual(['5']);
  expect(['off', 'sandbox'].filter((text) => screen.queryByText(text) !== null)).toEqual(mark === null ? [] : [mark]);
});
