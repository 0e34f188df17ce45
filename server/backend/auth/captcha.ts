/** Turnstile and hCaptcha take the same form. With a secret set, an unresponsive provider blocks every request. */
import { isIP } from 'node:net';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { isPlainObject } from '../../platform/http/calls/request-body.ts';
import { AuthError } from './auth-error.ts';

export interface CaptchaCheck {
  /** @throws AuthError 400 captcha_failed; 503 unexpected_failure if the provider is unavailable */
  require(token: string | null, address: string): Promise<void>;
}

export interface CaptchaOptions {
  secret: string;
  verifyUrl: string;
  fetch?: typeof fetch;
  timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
/** Real tokens stay under 2,048 characters (Turnstile) or a few thousand (hCaptcha). */
const MAX_TOKEN_LENGTH = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_CODES_SHOWN = 5;

const answerSchema = z.object({
  success: z.boolean(),
  'error-codes': z.optional(z.array(z.string())),
});

export function captchaCheck(options: CaptchaOptions): CaptchaCheck {
  const { secret, verifyUrl, timeoutMs = TIMEOUT_MS } = options;
  const send = options.fetch ?? fetch;

  async function verifyToken(form: URLSearchParams): Promise<z.infer<typeof answerSchema>> {
    try {
      const answer = await send(verifyUrl, {
        method: 'POST',
        body: form,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return answerSchema.parse(JSON.parse(await readBounded(answer)));
    } catch {
      // The error isn't passed on, because its message may contain our secret.
      throw new AuthError(503, 'unexpected_failure', 'captcha verification process failed', {
        headers: { 'retry-after': '5' },
      });
    }
  }

  return {
    async require(token, address) {
      if (token === null || token.trim() === '') throw captchaFailed('no captcha_token found in request');
      if (token.length > MAX_TOKEN_LENGTH) throw captchaFailed('invalid-input-response');
      const form = new URLSearchParams({ secret, response: token.trim() });
      if (isIP(address) !== 0) form.set('remoteip', address);
      const answer = await verifyToken(form);
      if (!answer.success) throw captchaFailed(publicCodes(answer['error-codes'] ?? []));
    },
  };
}

/** Requires a captcha if one is configured. @param body  with `gotrue_meta_security.captcha_token` */
export async function requireCaptcha(
  c: Context,
  deps: { captcha: CaptchaCheck | null; clientAddress(c: Context): string },
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (deps.captcha === null) return;
  const security = Object.hasOwn(body, 'gotrue_meta_security') ? body.gotrue_meta_security : null;
  const token = isPlainObject(security) ? security.captcha_token : null;
  await deps.captcha.require(typeof token === 'string' ? token : null, deps.clientAddress(c));
}

/** Keeps only the provider's own short codes. */
function publicCodes(codes: readonly string[]): string {
  const known = codes.filter((code) => /^[a-z0-9-]{1,50}$/.test(code)).slice(0, MAX_CODES_SHOWN);
  return known.length === 0 ? 'not accepted' : known.join(', ');
}

function captchaFailed(reason: string): AuthError {
  return new AuthError(400, 'captcha_failed', `captcha protection: request disallowed (${reason})`);
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (answer.body !== null)
    for await (const chunk of answer.body) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) throw new Error('The answer is too long.');
      chunks.push(chunk);
    }
  return Buffer.concat(chunks).toString('utf8');
}
