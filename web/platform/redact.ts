/** Takes out of a text what must not be stored: tokens, keys, e-mail addresses, query strings and fragments. */

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\bkat_[A-Za-z0-9]{20,}/g, '[key]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/[\w.!#$%&'*+/=?^`{|}~-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi, '[email]'],
  [
    /\b(access_token|refresh_token|id_token|provider_token|token_hash|token|code|password|apikey|api_key|secret)(["']?\s*[=:]\s*["']?)[^\s"'&,;)}\]]+/gi,
    '$1$2[redacted]',
  ],
  [/((?:https?|wss?):\/\/[^\s?#"')]+|(?<=^|[\s"'(])\/[^\s?#"')]+)[?#][^\s"')]*/g, '$1?[redacted]'],
  [/\b[A-Fa-f0-9]{32,}\b/g, '[token]'],
];

/** @param maxLength  characters kept; the rest is cut with an ellipsis */
export function redact(text: string, maxLength: number): string {
  const clean = RULES.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}
