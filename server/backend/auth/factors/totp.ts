/** Codes of an authenticator app (RFC 6238), with the settings that every app supports: SHA-1, six digits, 30 s. */

const PERIOD_S = 30;
const CODE_FORMAT = /^\d{6}$/;
/** Also accepts a code of the previous or next step, because clocks differ and people type slowly. */
const STEPS_EACH_SIDE = 1;

export interface NewTotp {
  /** Base32, 160 bits. */
  secret: string;
  uri: string;
  /** SVG markup that can be put in a data URL unescaped: no `#`, no `%`. */
  qrCode: string;
}

/** @param naming  shown by the app beside the code; both together must fit in a QR code */
export async function newTotp(naming: { issuer: string; label: string }): Promise<NewTotp> {
  const [{ Secret, TOTP }, qr] = await Promise.all([import('otpauth'), import('qrcode')]);
  const totp = new TOTP({
    ...naming,
    secret: new Secret({ size: 20 }),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
  });
  const uri = totp.toString();
  const svg = await qr.toString(uri, { type: 'svg', errorCorrectionLevel: 'M' });
  // A `#` would end the data URL that the client library builds, and the QR library accepts no colour names.
  const qrCode = svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black').trim();
  return { secret: totp.secret.base32, uri, qrCode };
}

/** @param secret base32. @returns the code's time step, in periods since 1970; null if it matches none accepted */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | null> {
  if (!CODE_FORMAT.test(code)) return null;
  const { Secret, TOTP } = await import('otpauth');
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD_S });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_EACH_SIDE });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}
