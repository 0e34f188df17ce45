/**
 * No inline style, no external address; inline scripts only by hash in our documents, the payment provider's only on
 * payment pages. No embedder policy, because films and payment fields are third-party frames that send none
 * (docs/decisions/042-images-and-supply-chain.md).
 */
import type { Context, MiddlewareHandler } from 'hono';

const SCRIPTS = "script-src 'self'";

/** A script that must be loaded from its vendor, and the origins it needs, spelled as in the policy. */
export interface ScriptFromElsewhere {
  /** Pages that run the script, without a trailing slash. */
  paths: readonly string[];
  scripts: readonly string[];
  frames: readonly string[];
  calls: readonly string[];
}

/** Permissions that no page needs. Full screen is for films; some Chromium builds warn about the name Bluetooth. */
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

/** For HTML that a third party wrote (an email): it runs and loads nothing, and appears only in our frames. */
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
    isForEveryone?: boolean;
    scriptsInside?: readonly string[];
  }
}

/** Called by the route whose response is such a document. */
export function foreignDocument(c: Context): void {
  c.set('isForeignDocument', true);
}

/**
 * Called by the route whose response any site may show: in a frame, with its own policy, or as a picture. No other
 * response may be framed.
 */
export function forEveryone(c: Context): void {
  c.set('isForEveryone', true);
}

/** Called by the route whose response is our document with scripts. @param hashes  SHA-256 in base64 of each script */
export function allowScriptsInside(c: Context, hashes: readonly string[]): void {
  c.set('scriptsInside', hashes);
}

export interface SecurityHeaderOptions {
  isHttps: boolean;
  /** External origins whose documents our pages may show in a frame. */
  frameOrigins?: readonly string[];
  /** Path prefixes whose documents our own pages may frame; no page may frame any other document. */
  framedPaths?: readonly string[];
  /** Null or absent: pages run only our own scripts. */
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
    const isForEveryone = c.get('isForEveryone') === true;
    const isFramed = framedPaths.some((path) => c.req.path.startsWith(path));
    const isOpen = elsewhere?.paths.includes(c.req.path) ?? false;
    // A stored file has its own policy, which allows nothing.
    const ours = isFramed ? framedPolicy : isOpen ? openPolicy : ordinaryPolicy;
    const hashes = (c.get('scriptsInside') ?? []).map((hash) => `'sha256-${hash}'`);
    const policy = headers.get('content-security-policy') ?? ours.replace(SCRIPTS, [SCRIPTS, ...hashes].join(' '));
    headers.set('content-security-policy', isForeign ? FOREIGN_DOCUMENT_POLICY : policy);
    headers.set('x-content-type-options', 'nosniff');
    // The policy says who may frame it; this older header knows no such value.
    if (!isForEveryone) headers.set('x-frame-options', isForeign || isFramed ? 'SAMEORIGIN' : 'DENY');
    headers.set('referrer-policy', 'strict-origin-when-cross-origin');
    // Browsers do not show a sandboxed page with an opener policy.
    if (!isForeign && !isForEveryone) headers.set('cross-origin-opener-policy', 'same-origin');
    headers.set('cross-origin-resource-policy', isForEveryone ? 'cross-origin' : 'same-origin');
    headers.set('permissions-policy', PERMISSIONS_POLICY);
    if (isHttps) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  };
}
