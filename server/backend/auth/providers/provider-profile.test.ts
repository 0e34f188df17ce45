import { describe, expect, test } from 'vitest';
import { isSmallMetadata } from '../auth-deps.ts';
import { mergeMetadata, toProfile } from './provider-profile.ts';

const claims = {
  provider: 'google' as const,
  issuer: 'https://accounts.google.com',
  subject: '1234',
  email: ' Ada@Example.com ',
  isEmailVerified: true,
  name: 'Ada Lovelace',
  picture: 'https://pictures.example/a.png',
  userName: null,
};

describe("the profile stored from a provider's claims", () => {
  test('has the fields of the protocol, with the address in lower case', () => {
    const profile = toProfile(claims);

    expect(profile).toEqual({
      provider: 'google',
      subject: '1234',
      email: 'ada@example.com',
      isEmailVerified: true,
      identityData: {
        iss: 'https://accounts.google.com',
        sub: '1234',
        provider_id: '1234',
        email: 'ada@example.com',
        email_verified: true,
        phone_verified: false,
        name: 'Ada Lovelace',
        full_name: 'Ada Lovelace',
        avatar_url: 'https://pictures.example/a.png',
        picture: 'https://pictures.example/a.png',
      },
    });
  });

  test.each([
    ['no address', null],
    ['what is invalid', 'not an address'],
    ['one with a line break inside', 'a@b.example\nc@d.example'],
  ])('never accepts as a verified address: %s', (_which, email) => {
    const { isEmailVerified, email: stored } = toProfile({ ...claims, email });

    expect([stored, isEmailVerified]).toEqual([null, false]);
  });

  test.each([
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:image/png;base64,AAAA'],
    ['no address', 'a.png'],
    ['one that is too long', `https://pictures.example/${'a'.repeat(600)}`],
  ])('omits a picture that is %s', (_which, picture) => {
    expect(toProfile({ ...claims, picture }).identityData).not.toHaveProperty('avatar_url');
  });

  test('cuts a name at whole characters, without control characters or half ones', () => {
    const nameOf = (name: string) => toProfile({ ...claims, name }).identityData.name;

    expect(nameOf(`\u0000${'😀'.repeat(150)}`)).toBe('😀'.repeat(100));
    expect(nameOf('Ada \ud83d')).toBe('Ada \ufffd');
    expect(nameOf(' \u0007 ')).toBeUndefined();
  });

  test('fits into a token with every field at its longest', () => {
    const { identityData } = toProfile({
      ...claims,
      issuer: `https://${'i'.repeat(190)}`,
      subject: 's'.repeat(255),
      email: `${'e'.repeat(60)}@${'d'.repeat(60)}.${'d'.repeat(60)}.example`,
      name: '漢'.repeat(500),
      userName: '字'.repeat(500),
      picture: `https://pictures.example/${'a'.repeat(470)}`,
    });

    expect(isSmallMetadata(identityData)).toBe(true);
    expect(identityData).toMatchObject({ sub: 's'.repeat(255), name: '漢'.repeat(100) });
  });

  test('leaves metadata that is full unchanged', () => {
    const full = { notes: 'x'.repeat(2900) };

    expect(mergeMetadata(full, toProfile(claims).identityData)).toBe(full);
    expect(mergeMetadata({ notes: 'x' }, { name: 'Ada' })).toEqual({ notes: 'x', name: 'Ada' });
  });
});
