/**
 * Two ways, because each alone misses some: fields are removed by name, whatever they hold; in the finished line,
 * anything that looks like a secret is removed, whatever its name.
 */

export const REMOVED = '[removed]';

/** Compared without case and punctuation: `access_token`, `accessToken` and `Access-Token` are the same. */
const SECRET_NAME = new RegExp(
  [
    ...['pass(word|wd|code|phrase)', 'secret', 'token', 'authorization', 'cookie', 'credential', 'captcha', 'nonce'],
    ...['apikey', 'anonkey', 'privatekey', 'accesskey', 'service(role)?key', 'signature', 'verifier', 'challenge'],
    ...['saml(response|request)', 'relaystate', 'assertion', '(^|t)otp', 'authcode', 'oauthstate', 'providerstate'],
    ...['connectionstring', '(database|smtp|redis|nats|broker|s3)ur[il]', 'dsn$', '^parameters$', '^params$', '^seed$'],
    ...['(google|github)client$', 'alpacakey', 'pushkeys', 'communitycounters'],
    // Personal data rather than secrets; no log needs it.
    ...['email', 'phone', '^ip$', 'clientaddress', 'remoteaddress', 'forwardedfor'],
  ].join('|'),
);
const CODE_NAME = /^(code|pin|state)$/;
/** Matches error codes (ECONNREFUSED, 23505, venue/unavailable, otp_expired, 404), not codes that prove an identity. */
const ERROR_CODE = /^([A-Z][A-Z0-9_]{2,60}|[0-9A-Z]{5}|[a-z]+(\/[a-z-]+)|[a-z]+(_[a-z]+)*|\d{3})$/;

const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

/** The fields of a line without secrets. Errors become plain objects, including their causes. */
export function cleanFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return cleanObject(fields, 0, new Set());
}

function cleanObject(value: object, depth: number, above: ReadonlySet<object>): Record<string, unknown> {
  const inside = new Set([...above, value]);
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, held]) => [name, cleanNamed(name, held, depth, inside)]));
}

function cleanNamed(name: string, value: unknown, depth: number, above: ReadonlySet<object>): unknown {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const hasContent = value !== null && value !== undefined && typeof value !== 'boolean';
  if (hasContent && CODE_NAME.test(plain)) return ERROR_CODE.test(String(value)) ? value : REMOVED;
  // A number, such as a count or a lifetime, is not a secret.
  const isSecret = hasContent && SECRET_NAME.test(plain) && !(typeof value === 'number' && !/otp|code/.test(plain));
  return isSecret ? REMOVED : clean(value, depth + 1, above);
}

function clean(value: unknown, depth: number, above: ReadonlySet<object>): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH || above.has(value)) return '[more]';
  if (value instanceof Error) return cleanError(value, depth, above);
  if (value instanceof Date) return value.toJSON();
  if (value instanceof URL) return `${value.origin}${value.pathname}`;
  if (value instanceof Headers || value instanceof Map || value instanceof URLSearchParams)
    return cleanObject(Object.fromEntries(value), depth, above);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    const inside = new Set([...above, value]);
    return value.slice(0, MAX_ENTRIES).map((one: unknown) => clean(one, depth + 1, inside));
  }
  return cleanObject(value, depth, above);
}

function cleanError(error: Error, depth: number, above: ReadonlySet<object>): Record<string, unknown> {
  const inside = new Set([...above, error]);
  const message = withoutQuotedInput(error, error.message);
  const rest = Object.entries(error).filter(([name]) => !['message', 'stack', 'name', 'cause'].includes(name));
  return {
    type: error.name,
    message,
    stack: withoutQuotedInput(error, error.stack ?? ''),
    ...cleanObject(Object.fromEntries(rest), depth, inside),
    ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1, inside) }),
    ...(error instanceof AggregateError ? { errors: clean(error.errors, depth + 1, inside) } : {}),
  };
}

/** The JSON parser quotes what it could not read: a body, perhaps with a password in it. */
function withoutQuotedInput(error: Error, text: string): string {
  return error instanceof SyntaxError ? text.replace(/"[\s\S]*(?=is not valid JSON)/, `${REMOVED} `) : text;
}

/** Most repetitions are bounded: callers send paths of 16 KiB, and a pattern must not take quadratic time on one. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // The key's text ends at the next five dashes, so each character is read once. A key that was cut off has no end.
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^"-]|-(?!----))*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g, REMOVED],
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){0,3}/g, REMOVED],
  [/\b(bearer|basic)(\s{1,5})[\w.~+/=-]{6,}/gi, `$1$2${REMOVED}`],
  // Name and password in an address; a password may hold an unescaped slash.
  [
    /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s"'<>\\/?#@]{0,300}|[^\s"'<>\\/?#@:]{0,200}:[^\s"'<>\\@]{0,300})@/gi,
    `$1${REMOVED}@`,
  ],
  [
    /([?&#;](?:[a-z_.-]{0,30}(?:token|code|secret|password|signature|state|nonce|verifier|challenge|captcha|assertion|apikey)[a-z_.-]{0,30}|samlresponse|samlrequest|relaystate|sig|key|email)=)[^&\s"'#\\]+/gi,
    `$1${REMOVED}`,
  ],
  [/\b(?:sk|rk|pk|whsec|sb_secret|gh[opsur]|github_pat|xox[abp])_?(?:live_|test_)?[A-Za-z0-9_]{16,}/g, REMOVED],
  [/\bkat_[A-Za-z0-9]{20,}/g, REMOVED],
  // A shared prediction opens for everyone who knows its link.
  [/(\/f\/)[0-9a-f]{32}(?![0-9a-f])/g, `$1${REMOVED}`],
  [/\bAKIA[0-9A-Z]{16}\b/g, REMOVED],
  [/[\w.+%-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}\b/gi, '[address]'],
];

/** Cleans a whole JSON line. No pattern matches across a quotation mark, so the line stays valid JSON. */
export function cleanLine(line: string): string {
  let cleaned = line;
  for (const [pattern, instead] of PATTERNS) cleaned = cleaned.replace(pattern, instead);
  return cleaned;
}
