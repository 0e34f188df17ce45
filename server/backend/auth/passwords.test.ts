import { expect, test } from 'vitest';
import { passwords } from './passwords.ts';

const TOO_MANY = { code: 'request/too-many' };

test('of one address eight hashes wait at a time, of hashing and comparing together; another address is served', async () => {
  const { hash, matches } = passwords();
  const own = Array.from({ length: 8 }, (_, at) =>
    at % 2 === 0 ? hash('Password1', '192.0.2.1') : matches('Password1', null, '192.0.2.1'),
  );

  const ninth = [hash('Password1', '192.0.2.1'), matches('Password1', null, '192.0.2.1')];
  const other = matches('Password1', null, '192.0.2.2');

  for (const refused of ninth) await expect(refused).rejects.toMatchObject(TOO_MANY);
  await expect(other).resolves.toBe(false);
  await Promise.all(own);
  await expect(matches('Password1', await hash('Password1', '192.0.2.1'), '192.0.2.1')).resolves.toBe(true);
});
