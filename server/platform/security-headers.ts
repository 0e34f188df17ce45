/**
 * Headers of every answer. The policy allows no inline style, no inline script but those of our own documents, each by
 * its hash, and no address but our own.
 */
import type { Context, MiddlewareHandler } from 'hono';

const SCRIPTS = "script-src 'self'";

function contentSecurityPolicy(frameOrigins: readonly string[], framedBy: 'none' | 'self'): string {
  return [
    "default-src 'self'",
    SCRIPTS,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    ["frame-src 'self'", ...frameOrigins].join(' '),
    `frame-ancestors '${framedBy}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
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
}

export function securityHeaders(options: SecurityHeaderOptions): MiddlewareHandler {
  const ordinaryPolicy = contentSecurityPolicy(options.frameOrigins ?? [], 'none');
  const framedPolicy = contentSecurityPolicy([], 'self');
  return async (c, next) => {
    await next();
    const headers = c.res.headers;
    const isForeign = c.get('isForeignDocument') === true;
    const isFramed = options.framedPaths?.some((path) => c.req.path.startsWith(path)) ?? false;
    // A stored file brings its own, which allows nothing.
    const ours = isFramed ? framedPolicy : ordinaryPolicy;
    const hashes = (c.get('scriptsInside') ?? []).map((hash) => `'sha256-${hash}'`);
    const policy = headers.get('content-security-policy') ?? ours.replace(SCRIPTS, [SCRIPTS, ...hashes].join(' '));
    headers.set('content-security-policy', isForeign ? FOREIGN_DOCUMENT_POLICY : policy);
    headers.set('x-content-type-options', 'nosniff');
    headers.set('x-frame-options', isForeign || isFramed ? 'SAMEORIGIN' : 'DENY');
    headers.set('referrer-policy', 'strict-origin-when-cross-origin');
    // A browser shows no sandboxed page that asks for an opener policy.
    if (!isForeign) headers.set('cross-origin-opener-policy', 'same-origin');
    headers.set('cross-origin-resource-policy', 'same-origin');
    headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)');
    if (options.isHttps) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  };
}
