/** A captcha's token, checked with whoever gave it out. Only where a secret is set. */
export interface CaptchaCheck {
  /** @throws AuthError 400 captcha_failed */
  require(token: string | null, address: string): Promise<void>;
}
