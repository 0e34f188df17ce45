import { expect, test } from 'vitest';
import { readFields } from './api-request.ts';

async function fields(type: string | null, body: string, query = '') {
  const read = await readFields({
    method: 'POST',
    path: '/sendMessage',
    body: Buffer.from(body),
    signal: AbortSignal.abort(),
    query: new URLSearchParams(query),
    headers: type === null ? {} : { 'content-type': type },
  });
  return read === null ? null : { values: Object.fromEntries(read.values), files: Object.fromEntries(read.files) };
}

/** Node reads none that is shorter than 27 characters. */
const BOUNDARY = `sandbox-${'0'.repeat(24)}`;
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const PARTS = [
  'Content-Disposition: form-data; name="chat_id"\r\n\r\n1\r\n',
  'Content-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\n',
];
const CUT_OFF = PARTS.map((part) => `--${BOUNDARY}\r\n${part}`).join('');
const WHOLE = `${CUT_OFF}--${BOUNDARY}--\r\n`;

test.each([
  [
    'JSON, whose values keep their types',
    'application/json; charset=utf-8',
    '{"chat_id":1,"a":[2]}',
    { chat_id: 1, a: [2] },
  ],
  ['a form', 'application/x-www-form-urlencoded', 'chat_id=1&text=a+b', { chat_id: '1', text: 'a b' }],
  ['nothing', null, '', {}],
])('reads %s', async (_what, type, body, values) => {
  expect(await fields(type, body)).toEqual({ values, files: {} });
});

test('reads the files of a multipart form', async () => {
  expect(await fields(FORM, WHOLE)).toEqual({
    values: { chat_id: '1' },
    files: { photo: { name: 'a.png', type: 'image/png', bytes: Buffer.from('bytes') } },
  });
});

test('prefers a value of the body over the same one of the address', async () => {
  expect((await fields('application/json', '{"text":"body"}', 'text=address&limit=1'))?.values).toEqual({
    text: 'body',
    limit: '1',
  });
});

test.each([
  ['an unknown content type', 'text/plain', 'chat_id=1'],
  ['no content type', null, 'chat_id=1'],
  ['broken JSON', 'application/json', '{"chat_id":'],
  ['JSON that is no object', 'application/json', '"text"'],
  ['a multipart form that was cut off', FORM, CUT_OFF],
  ['a multipart form without its boundary', 'multipart/form-data', WHOLE],
])('refuses %s', async (_what, type, body) => {
  expect(await fields(type, body)).toBeNull();
});
