/** The token by which a push service knows the sender (RFC 8292). */
import { createPublicKey, verify } from 'node:crypto';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';

const HEADER = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/;
const DAY_S = 24 * 60 * 60;

const headerSchema = z.object({ alg: z.literal('ES256') });
const claimsSchema = z.object({
  aud: z.string(),
  exp: z.number(),
  sub: z.string().check(z.regex(/^(?:https:|mailto:)./)),
});

/** @returns the reason for a refusal; null for a valid token */
export function vapidFault(
  authorization: string | undefined,
  expected: { origin: string; publicKey: string; nowS: number },
): string | null {
  const [, header = '', claims = '', signature = '', key = ''] = HEADER.exec(authorization ?? '') ?? [];
  if (key === '') return 'no vapid header';
  if (key !== expected.publicKey) return 'a different key than the one the browser subscribed with';
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return 'wrong signature';
  if (!headerSchema.safeParse(decoded(header)).success) return 'unsupported algorithm';
  const claimed = claimsSchema.safeParse(decoded(claims));
  if (!claimed.success) return 'missing claims';
  const { aud, exp } = claimed.data;
  if (aud !== expected.origin) return 'for another push service';
  return exp <= expected.nowS || exp > expected.nowS + DAY_S ? 'expired, or valid for more than a day' : null;
}

function decoded(part: string): unknown {
  return parsedJson(Buffer.from(part, 'base64url').toString('utf8'));
}
