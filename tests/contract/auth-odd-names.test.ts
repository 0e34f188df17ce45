/** Odd names at sign-up: an accepted name is stored unchanged, and a refused one leaves nothing behind. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { signUpSchema } from '../../domain/account/credentials.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

const PASSWORD = 'Password1';
const GENERATED = sampleSize(40, 260);
const SEED = 20261122;
const PARALLEL = 8;

const REVEALING = new Set([
  'Full name must be at least 2 characters',
  'Full name must be at most 200 characters',
  'Full name contains a character that can’t be stored',
]);

const ODD: readonly string[] = [
  ...['李小龍', 'Ὀδυσσεύς', 'عمر الخيام', 'דוד בן־גוריון', 'ประยุทธ์', 'Nguyễn Văn Ánh', 'O’Brien-Ñandú', 'Łukasz Żółć'],
  ...['👩‍👩‍👧‍👦 Family', '🇮🇸 Jón', '😀', '😀😀', '👍🏽', 'e\u0301e\u0301', 'Z̷̢a̵l̴g̸o̷', `a${'\u0301'.repeat(150)}`],
  ...[
    '\u202eevil',
    '\u2066iso\u2069lated',
    'zero\u200bwidth',
    '\ufeffbom',
    '\u200f\u200f',
    'soft\u00adhyphen',
    '\u00a0\u00a0',
  ],
  ...[
    'nul\0',
    '\0\0',
    'bell\u0007',
    'line\nbreak',
    'carriage\r',
    'tab\there',
    'delete\u007f',
    '\u0085next',
    '\u2028line',
  ],
  ...['\ud800', 'half \udc00', '\ud83d\ud83d', 'A', '', '  ', ' A ', ' Ada ', 'x'.repeat(200), 'x'.repeat(201)],
  ...['x'.repeat(10_240), '😀'.repeat(100), '😀'.repeat(2560), '漢'.repeat(200), `${'x'.repeat(199)}😀`],
  ...["'; drop table auth.users; --", '<script>alert(1)</script>', '{{7*7}}', '%00', '\\u0000', '../..'],
  ...[
    'null',
    'undefined',
    'NaN',
    'true',
    '[object Object]',
    '__proto__',
    'constructor',
    '-1',
    '1e309',
    '"',
    '\\',
    '=1+1',
  ],
];

function oddNames(): string[] {
  const unit = fc.oneof(fc.constantFrom<fc.StringConstraints['unit']>('grapheme', 'binary', 'binary-ascii'));
  const name = unit.chain((kind) => fc.string({ unit: kind ?? 'binary', maxLength: 230, size: 'max' }));
  return [...ODD, ...fc.sample(name, { numRuns: GENERATED, seed: SEED })];
}

const storedSchema = z.object({
  name: z.nullable(z.string()),
  profile: z.nullable(z.string()),
});

describeBothAtNight('odd names', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));

  /** Returns null if nothing of the account was saved. */
  async function storedOf(email: string) {
    const rows = await server().database.query(
      OWNER,
      `select u.raw_user_meta_data ->> 'full_name' as name, p.full_name as profile
       from auth.users u left join public.profiles p on p.id = u.id where u.email = $1::text`,
      [email],
    );
    return rows.length === 0 ? null : storedSchema.parse(rows[0]);
  }

  /** Signs up as the page does: the account first, then its profile row, which the server has already created. */
  async function signUp(email: string, fullName: string): Promise<void> {
    const client = server().visitor();
    const { data, error } = await client.auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { full_name: fullName } },
    });
    if (error) throw error;
    const row = { id: data.user?.id, email, full_name: fullName };
    const { error: refusal } = await client.from('profiles').upsert(row, { onConflict: 'id', ignoreDuplicates: true });
    if (refusal) throw refusal;
  }

  /** @returns whether the form accepted it */
  async function judge(name: string, index: number): Promise<boolean> {
    const email = `form${index}@example.com`;
    const parsed = signUpSchema.safeParse({ fullName: name, email, password: PASSWORD, confirmPassword: PASSWORD });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      expect([issue?.path, REVEALING.has(issue?.message ?? '')], JSON.stringify(name)).toEqual([['fullName'], true]);
      return false;
    }
    const { fullName } = parsed.data;
    await signUp(email, fullName);
    expect(await storedOf(email), JSON.stringify(name)).toEqual({ name: fullName, profile: fullName });
    return true;
  }

  test('stores accepted names unchanged, and explains refused ones', async () => {
    const names = oddNames();
    const judged: boolean[] = [];
    for (let from = 0; from < names.length; from += PARALLEL)
      judged.push(...(await Promise.all(names.slice(from, from + PARALLEL).map((name, i) => judge(name, from + i)))));
    const taken = judged.filter(Boolean).length;

    expect(taken).toBeGreaterThan(names.length / 3);
    expect(names.length - taken).toBeGreaterThan(names.length / 6);
  });

  test('stores a name unchanged or refuses the whole account when the form is bypassed', async () => {
    const odd = oddNames().filter((name) => !signUpSchema.shape.fullName.safeParse(name).success);
    for (const [index, name] of odd.entries()) {
      const email = `past${index}@example.com`;
      const body = JSON.stringify({ email, password: PASSWORD, data: { full_name: name } });
      const answer = await server().request('/auth/v1/signup', { method: 'POST', headers: JSON_TYPE, body });
      const stored = await storedOf(email);
      if (answer.status === 200) expect(stored?.name, JSON.stringify(name)).toBe(name);
      else expect([answer.status, stored], JSON.stringify(name)).toEqual([400, null]);
    }

    expect(odd.length).toBeGreaterThan(oddNames().length / 6);
  });
});
