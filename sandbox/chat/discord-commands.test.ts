import { expect, test } from 'vitest';
import { commandsSchema, type DiscordCommand, readCommand } from './discord-commands.ts';

const COMMANDS: readonly DiscordCommand[] = commandsSchema.parse([
  {
    name: 'price',
    description: 'The price of a symbol',
    contexts: [0],
    options: [
      { type: 3, name: 'symbol', description: 'BTC', required: true },
      { type: 3, name: 'interval', description: '1m' },
    ],
  },
  { name: 'help', description: 'What the bot can do' },
  {
    name: 'kat',
    description: 'Alerts',
    options: [{ type: 1, name: 'status', description: 'Is it linked?' }],
  },
]);

test('reads a command without subcommands, with the fields in the user’s order', () => {
  expect(readCommand('  /price interval:5m   symbol:BTC:USD ', COMMANDS, 0)).toEqual({
    name: 'price',
    type: 1,
    options: [
      { type: 3, name: 'interval', value: '5m' },
      { type: 3, name: 'symbol', value: 'BTC:USD' },
    ],
  });
  expect(readCommand('/price symbol:BTC', COMMANDS, 0)).toMatchObject({ options: [{ name: 'symbol' }] });
  expect(readCommand('/help', COMMANDS, 1)).toEqual({ name: 'help', type: 1, options: [] });
  expect(readCommand('/kat status', COMMANDS, 1)).toEqual({
    name: 'kat',
    type: 1,
    options: [{ type: 1, name: 'status', options: [] }],
  });
});

test.each([
  ['a command that is not for direct messages', '/price symbol:BTC', 1, 'There is no command /price here.'],
  ['a longer name', '/prices', 0, 'There is no command /prices here.'],
  ['a missing field', '/price interval:5m', 0, 'Fill in symbol.'],
  ['a value without its field’s name', '/price BTC', 0, 'BTC is no field of this command.'],
  ['a field of a command without any', '/help me:now', 0, 'me:now is no field of this command.'],
  ['a value behind a subcommand without fields', '/kat status now', 0, 'now is no field of this command.'],
] as const)('sends no command for %s', (_what, text, context, notice) => {
  expect(readCommand(text, COMMANDS, context)).toEqual({ notice });
});

test.each([
  ['a name with a space', { name: 'kat alerts' }],
  ['a name of 33 characters', { name: 'k'.repeat(33) }],
  ['no description', { description: '' }],
  ['a description of 101 characters', { description: 'a'.repeat(101) }],
  ['an unknown context', { contexts: [3] }],
  ['a permission that is no number', { default_member_permissions: 'admin' }],
  ['an option of an unknown type', { options: [{ type: 4, name: 'count', description: 'How many' }] }],
])('refuses to register a command with %s', (_what, change) => {
  const command = { name: 'kat', description: 'Alerts' };

  expect(commandsSchema.safeParse([command]).success).toBe(true);
  expect(commandsSchema.safeParse([{ ...command, ...change }]).success).toBe(false);
});
