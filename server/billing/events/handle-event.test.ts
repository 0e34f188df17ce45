import { expect, test } from 'vitest';
import { readEvent, subjectOf } from './handle-event.ts';

const head = { id: 'evt_1', livemode: false, created: 1 };

test.each([
  ['fields of ours with another meaning', { object: { id: 7, parent: 'inv', customer: { deleted: true }, charge: 3 } }],
  ['a list in the place of the object', { object: [] }],
  ['no object', {}],
  ['no contents, as thin events have', undefined],
])('accepts an event of an unknown type with any content: %s', (_what, data) => {
  const event = readEvent({ ...head, type: 'something.new', data });

  expect(event).toMatchObject(head);
  expect(subjectOf(event)).toBeNull();
});

test('reads the other fields of an object with one malformed field', () => {
  const object = { id: 'in_1', object: 'invoice', parent: 'odd', customer: 'cus_1', charge: { id: 'ch_1' } };

  expect(subjectOf(readEvent({ ...head, type: 'invoice.paid', data: { object } }))).toBe('cus_1');
});

test('refuses an event without id, type or mode', () => {
  expect(() => readEvent({ type: 'invoice.paid', livemode: false, created: 1, data: { object: {} } })).toThrow();
  expect(() => readEvent({ id: 'evt_1', type: 'invoice.paid', created: 1, data: { object: {} } })).toThrow();
});
