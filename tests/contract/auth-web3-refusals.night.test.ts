/** Refused messages: signed by another wallet, for another site, from another time, used before, or malformed. */
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { ethereumWallet, solanaWallet } from './support/auth/wallets.ts';
import { backendTestServer } from './support/backend.ts';

const MINUTE_MS = 60_000;

interface Parts {
  domain: string;
  address: string;
  uri: string;
  version: string;
  chainId: string;
  nonce: string;
  issuedAt: string;
  /** Lines that follow the fields. */
  more: readonly string[];
}

describeBothAtNight('wallet sign-in refusals', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const host = () => new URL(server().url).host;
  const at = (offsetMs: number) => new Date(server().clock.nowMs() + offsetMs).toISOString();

  const wallets = {
    ethereum: () => {
      const wallet = ethereumWallet();
      return { address: wallet.address, sign: (text: string): Promise<string> => wallet.sign(text) };
    },
    solana: () => {
      const wallet = solanaWallet();
      const sign = async (text: string) => Buffer.from(wallet.sign(text)).toString('base64url');
      return { address: wallet.address, sign };
    },
  };
  type Chain = keyof typeof wallets;

  function messageOf(chain: Chain, address: string, changes: Partial<Parts> = {}): string {
    const parts: Parts = {
      domain: host(),
      address,
      uri: `${server().url}/`,
      version: '1',
      chainId: chain === 'ethereum' ? '1' : 'mainnet',
      nonce: 'abcd12345678',
      issuedAt: at(0),
      more: [],
      ...changes,
    };
    return [
      `${parts.domain} wants you to sign in with your ${chain === 'ethereum' ? 'Ethereum' : 'Solana'} account:`,
      parts.address,
      '',
      'Sign in to Kat',
      '',
      `URI: ${parts.uri}`,
      `Version: ${parts.version}`,
      `Chain ID: ${parts.chainId}`,
      `Nonce: ${parts.nonce}`,
      `Issued At: ${parts.issuedAt}`,
      ...parts.more,
    ].join('\n');
  }

  async function send(body: unknown) {
    const answer = await post('/auth/v1/token?grant_type=web3', body);
    const { error_code: code, msg, error, access_token: token } = await answer.json();
    return { status: answer.status, code, msg, error, token };
  }

  /** Signs with the wallet that the message names, so that only the changed part is wrong. */
  async function signIn(chain: Chain, changes: Partial<Parts> = {}) {
    const wallet = wallets[chain]();
    const message = messageOf(chain, wallet.address, changes);
    return send({ chain, message, signature: await wallet.sign(message) });
  }

  const chains: Chain[] = ['ethereum', 'solana'];

  describe.each(chains)('%s', (chain) => {
    test('accepts a valid message', async () => {
      expect(await signIn(chain)).toMatchObject({ status: 200 });
    });

    test.each<[string, () => Partial<Parts>, RegExp]>([
      ['for another domain', () => ({ domain: 'evil.example' }), /Domain that does not match/],
      ['for our domain with a name before it', () => ({ domain: `kat@${host()}` }), /Domain that does not match/],
      ['for our domain over another protocol', () => ({ domain: `https://${host()}` }), /Domain that does not match/],
      ['for another site', () => ({ domain: 'evil.example', uri: 'https://evil.example/' }), /not allowed/],
      ['for another port', () => ({ uri: 'http://127.0.0.1:1/' }), /not allowed/],
      ['for our host over another protocol', () => ({ uri: `https://${host()}/` }), /not allowed/],
      ['with a name in the address', () => ({ uri: `http://a:b@${host()}/` }), /not allowed/],
      ['with an address that is a script', () => ({ uri: 'javascript:alert(1)' }), /not allowed/],
      ['with a relative address', () => ({ uri: '/sign-in' }), /URI is missing or not an address/],
      ['of another version', () => ({ version: '2' }), /Version must be 1/],
      ['for an unknown chain', () => ({ chainId: 'moon' }), /Chain ID/],
      ['with a short nonce', () => ({ nonce: 'abc' }), /Nonce/],
      ['with a nonce of other characters', () => ({ nonce: 'abcd-1234' }), /Nonce/],
      ['issued two minutes ahead', () => ({ issuedAt: at(2 * MINUTE_MS) }), /too far in the future/],
      ['issued eleven minutes ago', () => ({ issuedAt: at(-11 * MINUTE_MS) }), /too long ago/],
      ['issued at no time', () => ({ issuedAt: 'yesterday' }), /Issued At/],
      ['issued on the 30th of February', () => ({ issuedAt: '2026-02-30T10:00:00Z' }), /Issued At/],
      ['that expired', () => ({ more: [`Expiration Time: ${at(-1000)}`] }), /expired/],
      ['that becomes valid later', () => ({ more: [`Not Before: ${at(MINUTE_MS)}`] }), /becomes valid in the future/],
      ['with a field twice', () => ({ more: [`Issued At: ${at(0)}`] }), /appears twice/],
      ['with an unknown field', () => ({ more: ['Sudo: yes'] }), /not one of its fields/],
      ['with invalid resources', () => ({ more: ['Resources:', '- no address'] }), /Resources/],
      ['with fields behind the resources', () => ({ more: ['Resources:', 'Request ID: 1'] }), /Resources/],
      ['with an empty line', () => ({ more: ['', 'Request ID: 1'] }), /not one of its fields/],
      ['with hidden characters', () => ({ more: ['Request ID: \u0007'] }), /invisible characters/],
      ['with line ends of another system', () => ({ nonce: 'abcd12345678\r' }), /invisible characters/],
    ])('rejects a message %s', async (_what, changes, reason) => {
      const refusal = await signIn(chain, changes());

      expect(refusal).toMatchObject({ status: 400, code: 'validation_failed', msg: expect.stringMatching(reason) });
      expect(refusal.token).toBeUndefined();
    });

    test('rejects an altered message', async () => {
      const wallet = wallets[chain]();
      const message = messageOf(chain, wallet.address);
      const signature = await wallet.sign(message);

      const refusal = await send({ chain, message: message.replace('to Kat', 'to Cat'), signature });

      expect(refusal).toMatchObject({ status: 400, msg: 'Signature does not match address in message' });
    });

    test('rejects the signature of another key', async () => {
      const message = messageOf(chain, wallets[chain]().address);

      const refusal = await send({ chain, message, signature: await wallets[chain]().sign(message) });

      expect(refusal).toMatchObject({ status: 400, error: 'invalid_grant' });
    });

    test('rejects the same message again, for as long as it would be valid', async () => {
      const wallet = wallets[chain]();
      const message = messageOf(chain, wallet.address);
      const body = { chain, message, signature: await wallet.sign(message) };
      const first = await send(body);

      const soon = await send(body);
      server().advance(9 * MINUTE_MS);
      await signIn(chain);
      const late = await send(body);
      server().advance(2 * MINUTE_MS);
      const tooLate = await send(body);

      expect(first.status).toBe(200);
      expect(soon).toMatchObject({ status: 400, msg: 'Signed message was used before, sign a new one' });
      expect(late).toMatchObject({ status: 400, msg: 'Signed message was used before, sign a new one' });
      expect(tooLate).toMatchObject({ status: 400, msg: 'Signed message was issued too long ago' });
    });

    test('accepts one of five simultaneous uses of a message', async () => {
      const wallet = wallets[chain]();
      const message = messageOf(chain, wallet.address);
      const body = { chain, message, signature: await wallet.sign(message) };

      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(body)));

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
      const sessions = await server().database.query(
        OWNER,
        `select 1 from auth.sessions s join auth.identities i on i.user_id = s.user_id where lower(i.provider_id) = $1`,
        [`web3:${chain}:${wallet.address}`.toLowerCase()],
      );
      expect(sessions).toHaveLength(1);
    });

    test.each(['', 'x', '0x', '00'.repeat(64), `0x${'ff'.repeat(65)}`, 'A'.repeat(86), '='.repeat(88), null])(
      'rejects the signature %j',
      async (signature) => {
        const message = messageOf(chain, wallets[chain]().address);

        expect(await send({ chain, message, signature })).toMatchObject({ status: 400, code: 'validation_failed' });
      },
    );

    test('rejects malformed and oversized messages', async () => {
      const wallet = wallets[chain]();
      const whole = messageOf(chain, wallet.address);
      const texts = [
        '',
        'hello',
        'x'.repeat(100),
        '\n'.repeat(100),
        `${whole}\n- ${'x'.repeat(20_000)}`,
        '\ud800'.repeat(80),
      ];

      const answers = await Promise.all(
        [...texts, 7, null, [whole]].map(async (message) =>
          send({ chain, message, signature: await wallet.sign(String(message)) }),
        ),
      );

      expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [400, 'validation_failed']));
      expect((await send({ chain, message: 'x'.repeat(70_000), signature: 'x' })).status).toBe(413);
    });

    test('rejects a message of the other chain', async () => {
      const other = chain === 'ethereum' ? 'solana' : 'ethereum';
      const wallet = wallets[other]();
      const message = messageOf(other, wallet.address);

      const refusal = await send({ chain, message, signature: await wallet.sign(message) });

      expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' });
    });

    test('rejects a banned account', async () => {
      const wallet = wallets[chain]();
      const first = messageOf(chain, wallet.address);
      await send({ chain, message: first, signature: await wallet.sign(first) });
      await server().database.query(
        OWNER,
        `update auth.users set banned_until = now() + interval '1 day'
         where id in (select user_id from auth.identities where lower(provider_id) = $1)`,
        [`web3:${chain}:${wallet.address}`.toLowerCase()],
      );
      const second = messageOf(chain, wallet.address, { nonce: 'another123' });

      const refusal = await send({ chain, message: second, signature: await wallet.sign(second) });

      expect(refusal).toMatchObject({ status: 400, code: 'user_banned' });
    });
  });

  test.each(['bitcoin', '', null, 'Ethereum'])('rejects the chain %j', async (chain) => {
    const wallet = wallets.ethereum();
    const message = messageOf('ethereum', wallet.address);

    const refusal = await send({ chain, message, signature: await wallet.sign(message) });

    expect(refusal).toMatchObject({ status: 400, code: 'web3_unsupported_chain', msg: 'Unsupported chain' });
  });

  test('opens the same account for a wallet address in another letter case', async () => {
    const wallet = wallets.ethereum();
    const messages = [wallet.address, wallet.address.toLowerCase()].map((address) => messageOf('ethereum', address));

    const answers = await Promise.all(
      messages.map(async (message) => send({ chain: 'ethereum', message, signature: await wallet.sign(message) })),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const rows = await server().database.query(OWNER, 'select 1 from auth.identities where provider_id = $1', [
      `web3:ethereum:${wallet.address.toLowerCase()}`,
    ]);
    expect(rows).toHaveLength(1);
  });
});

test('refuses a third attempt from one address within a minute', async () => {
  const server = await backendTestServer('pglite', { limits: { signInPerAddress: { points: 2, perS: 60 } } });
  const attempt = () => server.visitor().auth.signInWithWeb3({ chain: 'ethereum', message: 'x', signature: '0x' });

  const outcomes = [await attempt(), await attempt(), await attempt()];

  await server.close();
  expect(outcomes.map(({ error }) => error?.code)).toEqual([
    'validation_failed',
    'validation_failed',
    'over_request_rate_limit',
  ]);
});
