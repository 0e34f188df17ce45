/**
 * Headers of every answer. The policy allows no inline style, no inline script but those of our own documents, each by
 * its hash, and no address but our own; pages that pay may run the payment provider's script. No embedder policy: films
 * and the payment provider's fields are frames of others, which send none (docs/decisions/042-images-and-supply-chain.md).
 */
import type { Context, MiddlewareHandler } from 'hono';

const SCRIPTS = "script-src 'self'";

/** A script that must come from its maker, and what it needs besides; origins as the policy spells them. */
export interface ScriptFromElsewhere {
  /** Of the pages that run it, without a slash at the end. */
  paths: readonly string[];
  scripts: readonly string[];
  frames: readonly string[];
  calls: readonly string[];
}

/**
 * What no page asks for; frames from elsewhere neither. Full screen is for films. Bluetooth is not among them: desktop
 * Chromium doesn't know the name everywhere, and says so on every page.
 */
const PERMISSIONS = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'geolocation'],
  ...[
    'gyroscope',
    'hid',
    'idle-detection',
    'magnetometer',
    'microphone',
    'midi',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ],
].map((name) => `${name}=()`);
const PERMISSIONS_POLICY = [...PERMISSIONS, 'payment=(self)'].join(', ');

interface Allowed {
  framedBy: 'none' | 'self';
  scripts?: readonly string[];
  frames?: readonly string[];
  calls?: readonly string[];
  isHttps: boolean;
}

function contentSecurityPolicy({ framedBy, scripts = [], frames = [], calls = [], isHttps }: Allowed): string {
  return [
    "default-src 'self'",
    [SCRIPTS, ...scripts].join(' '),
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...calls].join(' '),
    ["frame-src 'self'", ...frames].join(' '),
    `frame-ancestors '${framedBy}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/**
 * For HTML that somebody else wrote (a mail): it runs nothing, loads nothing, has an origin of its own, and is shown in
 * frames of ours alone. What is clicked may open in the page around it or in a new one.
 */
const FOREIGN_DOCUMENT_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join('; ');

declare module 'hono' {
  interface ContextVariableMap {
    isForeignDocument?: boolean;
    scriptsInside?: readonly string[];
  }
}

/** Called by the route whose answer is such a document. */
export function foreignDocument(c: Context): void {
  c.set('isForeignDocument', true);
}

/** Called by the route whose answer is a document of ours that holds scripts. @param hashes  SHA-256 in base64, of each */
export function allowScriptsInside(c: Context, hashes: readonly string[]): void {
  c.set('scriptsInside', hashes);
}

export interface SecurityHeaderOptions {
  isHttps: boolean;
  /** Origins elsewhere whose documents our pages may show in a frame. */
  frameOrigins?: readonly string[];
  /** Beginnings of paths whose documents pages of our own origin may frame; all others may be framed by nobody. */
  framedPaths?: readonly string[];
  /** Null or absent: pages run our own scripts alone. */
  elsewhere?: ScriptFromElsewhere | null;
}

export function securityHeaders(options: SecurityHeaderOptions): MiddlewareHandler {
  const { isHttps, frameOrigins = [], framedPaths = [], elsewhere = null } = options;
  const ordinaryPolicy = contentSecurityPolicy({ isHttps, framedBy: 'none', frames: frameOrigins });
  const framedPolicy = contentSecurityPolicy({ isHttps, framedBy: 'self' });
  const openPolicy =
    elsewhere === null
      ? ordinaryPolicy
      : contentSecurityPolicy({
          isHttps,
          framedBy: 'none',
          ...elsewhere,
          frames: [...frameOrigins, ...elsewhere.frames],
        });
  return async (c, next) => {
    await next();
    const headers = c.res.headers;
    const isForeign = c.get('isForeignDocument') === true;
    const isFramed = framedPaths.some((path) => c.req.path.startsWith(path));
    const isOpen = elsewhere?.paths.includes(c.req.path) ?? false;
    // A stored file brings its own, which allows nothing.
    const ours = isFramed ? framedPolicy : isOpen ? openPolicy : ordinaryPolicy;
    const hashes = (c.get('scriptsInside') ?? []).map((hash) => `'sha256-${hash}'`);
    const policy = headers.get('content-security-policy') ?? ours.replace(SCRIPTS, [SCRIPTS, ...hashes].join(' '));
    headers.set('content-security-policy', isForeign ? FOREIGN_DOCUMENT_POLICY : policy);
    headers.set('x-content-type-options', 'nosniff');
    headers.set('x-frame-options', isForeign || isFramed ? 'SAMEORIGIN' : 'DENY');
    headers.set('referrer-policy', 'strict-origin-when-cross-origin');
    // A browser shows no sandboxed page that asks for an opener policy.
    if (!isForeign) headers.set('cross-origin-opener-policy', 'same-origin');
    headers.set('cross-origin-resource-policy', 'same-origin');
    headers.set('permissions-policy', PERMISSIONS_POLICY);
    if (isHttps) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  };
}
