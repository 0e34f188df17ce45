import { expect, test } from 'vitest';
import { acceptedType } from './accepted-type.ts';

test.each([
  [null, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/event-stream, application/json', 'application/json'],
  ['text/event-stream, application/json;q=0.9', 'text/event-stream'],
  ['text/html, text/*;q=0.5', 'text/event-stream'],
  ['Application/JSON; charset=utf-8', 'application/json'],
  ['application/json;q=0, */*', 'text/event-stream'],
  ['*/*;q=0.1, application/json;q=0.5', 'application/json'],
  ['text/html', null],
  ['application/json;q=0', null],
  ['*/*;q=0', null],
])('answers %j with %s', (header, type) => {
  expect(acceptedType(header, ['application/json', 'text/event-stream'])).toBe(type);
});
