import { describe, expect, test } from 'vitest';
import { changedColumns, countCharacters, eachProfileField, profileForm, profileValues } from './profile.ts';

const GOOD = { ...eachProfileField(() => ''), full_name: 'Ada Lovelace' };
const NOTHING = eachProfileField(() => null);

function messageOf(field: keyof typeof GOOD, value: string, storedZone: string | null = null): string | null {
  const parsed = profileForm(storedZone).safeParse({ ...GOOD, [field]: value });
  return parsed.success ? null : (parsed.error.issues.find((issue) => issue.path[0] === field)?.message ?? 'elsewhere');
}

describe('the profile form', () => {
  test('turns empty values into null, blanks included; trims name and website and leaves the rest as typed', () => {
    const typed = {
      ...GOOD,
      full_name: '  Ada  ',
      phone: '   ',
      website: ' https://ada.example ',
      bio: ' two \n lines ',
    };

    expect(profileForm(null).parse(typed)).toEqual({
      ...NOTHING,
      full_name: 'Ada',
      website: 'https://ada.example',
      bio: ' two \n lines ',
    });
  });

  test.each([
    ['full_name', '', 'Name must be at least 2 characters'],
    ['full_name', ' A ', 'Name must be at least 2 characters'],
    ['full_name', '\u200b\u200b\u200b', 'Name must be at least 2 characters'],
    ['full_name', 'Al', null],
    ['full_name', '李明', null],
    ['full_name', 'x'.repeat(200), null],
    ['full_name', 'x'.repeat(201), 'Name must be at most 200 characters'],
    ['full_name', '😀'.repeat(200), null],
    ['full_name', 'Ada\0', 'This text contains a character that can’t be saved'],
    ['full_name', 'Ada \ud83d', 'This text contains a character that can’t be saved'],
    ['bio', 'x'.repeat(500), null],
    ['bio', 'x'.repeat(501), 'Bio must be less than 500 characters'],
    ['bio', '😀'.repeat(500), null],
    ['bio', '😀'.repeat(501), 'Bio must be less than 500 characters'],
    ['phone', '1'.repeat(51), 'At most 50 characters'],
    ['location', 'x'.repeat(201), 'At most 200 characters'],
    ['website', 'https://example.com/a?b=c#d', null],
    ['website', 'HTTP://EXAMPLE.COM', null],
    ['website', 'https://例え.jp/', null],
    ['website', 'example.com', 'Please enter a valid URL'],
    ['website', 'javascript:alert(1)', 'Please enter a valid URL'],
    ['website', 'ftp://example.com', 'Please enter a valid URL'],
    ['website', 'https://', 'Please enter a valid URL'],
    ['website', 'https:example.com', 'Please enter a valid URL'],
    ['website', 'https://exa mple.com', 'Please enter a valid URL'],
    ['website', `https://example.com/${'x'.repeat(2000)}`, 'At most 2000 characters'],
    ['timezone', 'Europe/Berlin', null],
    ['timezone', 'US/Eastern', null],
    ['timezone', 'Mars/Base', 'Please choose a time zone from the list'],
  ] as const)('checks %s %j: %s', (field, value, message) => {
    expect(messageOf(field, value)).toBe(message);
  });

  test('accepts a stored zone that this browser does not know', () => {
    expect(messageOf('timezone', 'Mars/Base', 'Mars/Base')).toBeNull();
  });

  test('counts characters as the database counts them', () => {
    expect(['abc', 'e\u0301', '😀', '👩‍🚀'].map(countCharacters)).toEqual([3, 2, 1, 3]);
  });
});

describe('the saved profile', () => {
  test('is what differs from what is stored', () => {
    const stored = { full_name: 'Ada', phone: '1', location: null, bio: 'old' };
    const wanted = { ...NOTHING, full_name: 'Ada', phone: null, bio: 'new' };

    expect(changedColumns(stored, wanted)).toEqual({ phone: null, bio: 'new' });
  });

  test('is nothing where nothing was changed, columns that an older database lacks included', () => {
    expect(changedColumns({ full_name: 'Ada' }, profileForm(null).parse(profileValues({ full_name: 'Ada' })))).toEqual(
      {},
    );
  });
});
