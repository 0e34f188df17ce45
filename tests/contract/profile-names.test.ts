/**
 * Three hundred odd names: the database stores unchanged what the form accepts; what the form refuses would not fit.
 */
import { expect, test } from 'vitest';
import { countCharacters, eachProfileField, PROFILE, PROFILE_FIELDS, profileForm } from '#domain/account/profile.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';

const PIECES = [
  'Ada',
  ' ',
  'Łukasz',
  'O’Brien',
  "d'Arc",
  '李小龙',
  'مريم العربي',
  'שָׁלוֹם',
  '\u202Eright to left\u202C',
  '😀',
  '👩‍👩‍👧‍👦',
  '🏴‍☠️',
  '👋🏽',
  'e\u0301\u0302\u0303',
  'Z\u0351\u0352\u0353\u0354algo',
  '\u200B',
  '\uFEFF',
  '\u00A0',
  '\u{1D4D0}\u{1D4ED}\u{1D4EA}',
  'ﷺ',
  'ß',
  'İ',
  '<script>alert(1)</script>',
  "'; drop table profiles; --",
  '\\u0000',
  '{"name":null}',
  '%00',
  '$1',
  '\t',
  '\n',
  '\u0001',
  '\u007F',
  '\0',
  '\ud83d',
  '\udc00',
  'x'.repeat(199),
  'x'.repeat(200),
  '😀'.repeat(200),
  '😀'.repeat(201),
  'a\u0301'.repeat(100),
  'x'.repeat(10_240),
] as const;
const COUNT = 300;

/** Always the same ones: each piece alone, then combinations of as many as fit. */
function oddNames(): string[] {
  let seed = 42;
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
  const names: string[] = [...PIECES];
  while (names.length < COUNT)
    names.push(Array.from({ length: 1 + below(4) }, () => PIECES[below(PIECES.length)]).join(''));
  return names;
}

const FORM = eachProfileField(() => '');
/** Columns that the owner changes outside the form. */
const OUTSIDE_THE_FORM = [
  'avatar_url',
  'email_notifications',
  'marketing_emails',
  'push_notifications',
  'two_factor_enabled',
  'updated_at',
];

describeOneDatabase('odd names', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));

  test('are stored as typed without the blanks around them, or refused', async () => {
    const { id } = await server().user();
    const put = (name: string) =>
      server()
        .database.query(
          OWNER,
          'update public.profiles set full_name = $2::text where id = $1::text::uuid returning full_name',
          [id, name],
        )
        .then(([row]) => ({ stored: row?.full_name, isRefused: false }))
        .catch(() => ({ stored: null, isRefused: true }));
    const seen = { stored: 0, refused: 0 };

    for (const name of oddNames()) {
      const parsed = profileForm(null).safeParse({ ...FORM, full_name: name });
      const { stored, isRefused } = await put(parsed.success ? (parsed.data.full_name ?? '') : name.trim());

      if (parsed.success) {
        expect(stored, JSON.stringify(name.slice(0, 40))).toBe(name.trim());
        seen.stored += 1;
        continue;
      }
      // Half a surrogate pair cannot be sent: it arrives as another character.
      const isWhole = name.isWellFormed();
      const isTooShort = parsed.error.issues[0]?.message === 'Name must be at least 2 characters';
      expect(isTooShort || !isWhole || isRefused, JSON.stringify(name.slice(0, 40))).toBe(true);
      seen.refused += 1;
    }

    expect(seen.stored).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(50);
  });

  test.each(PROFILE_FIELDS)('limits %s in the form exactly as in the column', async (column) => {
    const { client, id } = await server().user();
    const put = async (value: string) =>
      (
        await client
          .from('profiles')
          .update({ [column]: value })
          .eq('id', id)
      ).error;
    const { maxCharacters } = PROFILE[column];
    const most = '😀'.repeat(maxCharacters);

    expect(countCharacters(most)).toBe(maxCharacters);
    expect(await put(most)).toBeNull();
    expect((await put(`${most}x`))?.code).toBe('23514');
  });

  test('has a field for each column that the owner may change, and the admin’s list returns it', async () => {
    const rows = await server().database.query(
      OWNER,
      `select column_name::text as name from information_schema.column_privileges
       where table_schema = 'public' and table_name = 'profiles' and grantee = 'authenticated'
         and privilege_type in ('INSERT', 'UPDATE')
       group by column_name having count(*) = 2`,
      [],
    );
    const changed = rows.map(({ name }) => String(name)).filter((name) => !OUTSIDE_THE_FORM.includes(name));
    expect(changed.sort()).toEqual([...PROFILE_FIELDS].sort());

    const listed = await server().database.query(
      OWNER,
      `select attname::text as name from pg_proc f
       join pg_type t on t.oid = f.prorettype join pg_attribute a on a.attrelid = t.typrelid
       where f.proname = 'admin_list_users'`,
      [],
    );
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining([...PROFILE_FIELDS]));
  });
});
