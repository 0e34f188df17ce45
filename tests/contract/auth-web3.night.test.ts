/** Signing in with a wallet: the messages that the client library and wallets write, and the account they open. */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authenticatorApps } from './support/auth/factors.ts';
import { ethereumWallet, solanaWallet } from './support/auth/wallets.ts';
import { backendTestServer } from './support/backend.ts';

const STATEMENT = 'I accept the terms: https://kat.example/terms';

describeBothAtNight('wallet sign-in', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, { accounts: { redirectAllowList: ['https://other.example/app'] } }),
  );
  const { enroll } = authenticatorApps(server);
  const host = () => new URL(server().url).host;
  const page = () => `${server().url}/sign-in?next=%2Fkat`;
  const issuedAt = () => new Date(server().clock.nowMs());

  const byEthereum = (wallet = ethereumWallet(), more: object = {}) =>
    server()
      .visitor()
      .auth.signInWithWeb3({
        chain: 'ethereum',
        wallet: wallet.provider,
        statement: STATEMENT,
        options: { url: page(), signInWithEthereum: { issuedAt: issuedAt(), ...more } },
      });

  const bySolana = (wallet = solanaWallet(), more: object = {}) =>
    server()
      .visitor()
      .auth.signInWithWeb3({
        chain: 'solana',
        wallet: wallet.adapter,
        statement: STATEMENT,
        options: { url: page(), signInWithSolana: { issuedAt: issuedAt().toISOString(), ...more } },
      });

  test('creates an account without an email address for an Ethereum wallet', async () => {
    const wallet = ethereumWallet('0x89');

    const { data, error } = await byEthereum(wallet);

    expect(error).toBeNull();
    const address = wallet.address.toLowerCase();
    const facts = { address, chain: 'ethereum', network: '137', domain: host(), statement: STATEMENT };
    expect(data.user).toMatchObject({
      email: '',
      app_metadata: { provider: 'web3', providers: ['web3'] },
      user_metadata: { ...facts, custom_claims: facts },
      identities: [{ provider: 'web3', id: `web3:ethereum:${address}`, identity_data: facts }],
    });
    expect(data.user?.last_sign_in_at).toBeDefined();
    const claims = decodeJwt(data.session?.access_token ?? '');
    expect(claims).toMatchObject({ sub: data.user?.id, aal: 'aal1', amr: [{ method: 'web3' }], email: '' });
    const [row] = await server().database.query(OWNER, 'select email from auth.users where id = $1', [data.user?.id]);
    expect(row).toEqual({ email: null });
  });

  test('creates an account for a Solana wallet', async () => {
    const wallet = solanaWallet();

    const { data, error } = await bySolana(wallet, { chainId: 'solana:mainnet' });

    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      user_metadata: { address: wallet.address, chain: 'solana', network: 'solana:mainnet', statement: STATEMENT },
      identities: [{ provider: 'web3', id: `web3:solana:${wallet.address}` }],
    });
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'web3' }] });
  });

  test('lets the account change its profile and refresh its session', async () => {
    const client = server().visitor();
    const wallet = solanaWallet();
    const { data } = await client.auth.signInWithWeb3({
      chain: 'solana',
      wallet: wallet.adapter,
      options: { url: page(), signInWithSolana: { issuedAt: issuedAt().toISOString() } },
    });

    const profile = await client.from('profiles').update({ bio: 'x' }).eq('id', data.user?.id).select().single();
    const refreshed = await client.auth.refreshSession();

    expect(profile.data).toMatchObject({ id: data.user?.id, email: null, bio: 'x' });
    expect(decodeJwt(refreshed.data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'web3' }] });
  });

  test.each(['ethereum', 'solana'])('%s: opens the same account for the same wallet', async (chain) => {
    const ethereum = ethereumWallet();
    const solana = solanaWallet();
    const signIn = () => (chain === 'ethereum' ? byEthereum(ethereum) : bySolana(solana));
    const first = await signIn();
    server().advance(1000);

    const second = await signIn();

    expect(second.error).toBeNull();
    expect(second.data.user?.id).toBe(first.data.user?.id);
    expect(second.data.user?.identities).toHaveLength(1);
  });

  test('creates one account from five simultaneous first sign-ins', async () => {
    const wallet = ethereumWallet();
    const nonces = ['nonce0001', 'nonce0002', 'nonce0003', 'nonce0004', 'nonce0005'];

    const answers = await Promise.all(nonces.map((nonce) => byEthereum(wallet, { nonce })));

    expect(answers.map(({ error }) => error)).toEqual(nonces.map(() => null));
    expect(new Set(answers.map(({ data }) => data.user?.id)).size).toBe(1);
  });

  test.each([
    ['a nonce', { nonce: 'abcd1234' }],
    ['all fields', { nonce: 'abcd1234', requestId: 'r-1', resources: ['https://a.example/x', 'ipfs://b'] }],
  ])('accepts a message with %s from the client library on both chains', async (_what, fields) => {
    const times = (at: Date) => ({ notBefore: at, expirationTime: new Date(at.getTime() + 60_000) });
    const { notBefore, expirationTime } = times(issuedAt());
    const texts = { notBefore: notBefore.toISOString(), expirationTime: expirationTime.toISOString() };

    const ethereum = await byEthereum(ethereumWallet(), { ...fields, notBefore, expirationTime });
    const solana = await bySolana(solanaWallet(), { ...fields, ...texts, chainId: 'devnet' });

    expect([ethereum.error, solana.error]).toEqual([null, null]);
  });

  test('accepts messages of the wallet standard, with and without a statement', async () => {
    const wallet = solanaWallet();
    // As @solana/wallet-standard-util 1.1.4 writes them (`createSignInMessageText`).
    const before = `${host()} wants you to sign in with your Solana account:\n${wallet.address}\n\n`;
    const common = `URI: ${page()}\nVersion: 1\nChain ID: mainnet\n`;
    const issued = `Issued At: ${issuedAt().toISOString()}`;
    const messages = [
      `${before}${STATEMENT}\n\n${common}${issued}\nResources:\n- https://a.example/`,
      `${before}${common}Nonce: abcd1234\n${issued}`,
    ];

    const answers = await Promise.all(
      messages.map((message) =>
        server()
          .visitor()
          .auth.signInWithWeb3({ chain: 'solana', message, signature: wallet.sign(message) }),
      ),
    );

    expect(answers.map(({ error }) => error)).toEqual([null, null]);
  });

  test('accepts messages for a page on the redirect allow list', async () => {
    const wallet = solanaWallet();

    const { error } = await server()
      .visitor()
      .auth.signInWithWeb3({
        chain: 'solana',
        wallet: wallet.adapter,
        options: {
          url: 'https://other.example/app/sign-in',
          signInWithSolana: { issuedAt: issuedAt().toISOString() },
        },
      });

    expect(error).toBeNull();
    expect(wallet.shown()).toContain('other.example wants you to sign in');
  });

  test('counts as a first factor, which an authenticator app raises to aal2', async () => {
    const client = server().visitor();
    const { data } = await client.auth.signInWithWeb3({
      chain: 'ethereum',
      wallet: ethereumWallet().provider,
      options: { url: page(), signInWithEthereum: { issuedAt: issuedAt() } },
    });
    const app = await enroll(client);

    const raised = await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });

    expect(data.user?.factors).toBeUndefined();
    const claims = decodeJwt<{ amr: { method: string }[] }>(raised.data?.access_token ?? '');
    expect(claims.aal).toBe('aal2');
    expect(claims.amr.map(({ method }) => method).sort()).toEqual(['totp', 'web3']);
  });
});
