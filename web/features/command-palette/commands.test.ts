import { expect, test, vi } from 'vitest';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { foundCommands, modelCommands, pageCommands, symbolCommands } from './commands.ts';

const labels = (commands: readonly { label: string }[]) => commands.map(({ label }) => label);
const ignore = () => undefined;
const VISITOR = { isSignedIn: false, isAdmin: false };
const USER = { isSignedIn: true, isAdmin: false };

test('offers the pages that the viewer may open', () => {
  const visitors = labels(pageCommands(VISITOR, ignore));
  expect(visitors).toEqual(expect.arrayContaining(['Home', 'AI Prediction', 'Pricing', 'Sign In', 'Documentation']));
  expect(visitors).not.toContain('Dashboard');
  const users = labels(pageCommands(USER, ignore));
  expect(users).toEqual(expect.arrayContaining(['Dashboard', 'Subscription', 'Activity']));
  expect(users).not.toContain('Sign In');
  expect(users).not.toContain('Admin');
  expect(labels(pageCommands({ ...USER, isAdmin: true }, ignore))).toContain('Admin');
});

test('shows every symbol of the picker, and unlocks a model outside the plan instead of showing it', () => {
  expect(labels(symbolCommands(ignore))).toEqual(SYMBOLS.map(({ label }) => label));
  const [show, unlock] = [vi.fn(), vi.fn()];
  const commands = modelCommands({ models: ['bobcat'] }, show, unlock);

  for (const command of commands) command.run();

  expect(show.mock.calls).toEqual([['bobcat']]);
  expect(unlock).toHaveBeenCalledTimes(2);
  expect(commands.map(({ detail }) => detail)).toEqual([undefined, 'Upgrade to unlock', 'Upgrade to unlock']);
});

test('finds commands by all typed words, and puts the best match and its group first', () => {
  const groups = [
    { heading: 'Go to', options: pageCommands(USER, ignore) },
    { heading: 'Symbol', options: symbolCommands(ignore) },
  ];

  expect(foundCommands(groups, 'eth')).toMatchObject([{ heading: 'Symbol', options: [{ label: 'ETH' }] }]);
  const [first] = foundCommands(groups, 'pr');
  expect(labels(first?.options ?? []).slice(0, 3)).toEqual(['Pricing', 'Profile', 'AI Prediction']);
  expect(labels(foundCommands(groups, 'account pass')[0]?.options ?? [])).toEqual(['Security']);
  expect(foundCommands(groups, 'no such thing')).toEqual([]);
  expect(foundCommands(groups, ' ')).toBe(groups);
});
