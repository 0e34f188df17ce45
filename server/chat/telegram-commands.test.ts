import { expect, test } from 'vitest';
import { updateOf } from './services/telegram-update.ts';
import { commandOf } from './telegram-poll.ts';

test.each([
  ['/start', true, { kind: 'help' }],
  ['/start ABC', true, { kind: 'link', code: 'ABC' }],
  ['/LINK abc ', false, { kind: 'link', code: 'abc' }],
  ['/link@Kat_Bot ABC', false, { kind: 'link', code: 'ABC' }],
  ['/link@other_bot ABC', false, null],
  ['/link@other_bot ABC', true, null],
  ['/link two words', true, { kind: 'help' }],
  ['/unlink', false, { kind: 'unlink' }],
  ['/status', true, { kind: 'status' }],
  ['hello', true, { kind: 'help' }],
  ['hello', false, null],
  ['/constructor', false, null],
  ['/link ABC\n/unlink', false, null],
])('reads %j (private: %s) as %j', (text, isPrivate, command) => {
  expect(commandOf(text, 'kat_bot', isPrivate)).toEqual(command);
});

test('takes hostile titles as one clean line, and passes over updates of another form', () => {
  const update = (message: unknown) => updateOf({ update_id: 1, message });
  const hostile = `\u202E${'<b>'.repeat(60)}\n@everyone\u0000`;
  const read = update({ chat: { id: -5, type: 'group', title: hostile }, text: '/link A' });
  expect(read?.event).toMatchObject({ kind: 'text', chat: { id: '-5', isPrivate: false } });
  const title = read?.event.kind === 'text' ? read.event.chat.title : '';
  expect(title.length).toBeLessThanOrEqual(80);
  expect(title).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(update({ chat: { id: -5, type: 'group', title: '\u0000' }, text: '/status' })?.event).toMatchObject({
    chat: { title: 'Telegram chat' },
  });
  expect(update({ chat: 'none' })?.event).toEqual({ kind: 'other' });
  expect(update({ chat: { id: 1, type: 'private' }, text: 'x'.repeat(201) })?.event).toEqual({ kind: 'other' });
  expect(update({ chat: { id: 1, type: 'private' }, from: { is_bot: true }, text: '/start' })?.event).toEqual({
    kind: 'other',
  });
  expect(updateOf({ message: {} })).toBeNull();
});
