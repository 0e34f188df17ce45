/** Where this site is reached, and what is its own: hosts, origins, addresses. */
import type { Config } from './platform/config/config.ts';
import { ownHosts } from './platform/http/guards/host-rule.ts';

export interface OwnAddress {
  /** Of the settings, until the site listens: 0 becomes a free one then. */
  port: number;
  /** Of a URL's `host` part. */
  isOwnHost(host: string): boolean;
  /** Whose pages may call and read the answers. */
  allowedOrigins: readonly string[];
  /** As the browser sees it. */
  originOf(request: Request): string;
  /** For links in mails. */
  siteUrl(): string;
  /** Of this site as a browser may name it: PUBLIC_URL, and in development this machine's own names. */
  isOwnUrl(url: string): boolean;
}

export function ownAddress(
  config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'isProduction' | 'allowedOrigins'>,
): OwnAddress {
  const { publicUrl, isProduction, host } = config;
  const isOwnHost = ownHosts(config, () => own.port);
  const own: OwnAddress = {
    port: config.port,
    isOwnHost,
    allowedOrigins: [...(publicUrl === null ? [] : [publicUrl]), ...config.allowedOrigins],
    originOf: (request) => publicUrl ?? new URL(request.url).origin,
    siteUrl: () => publicUrl ?? `http://${host}:${own.port}`,
    isOwnUrl(text) {
      const url = URL.parse(text);
      if (url === null) return false;
      if (url.origin === publicUrl) return true;
      return !isProduction && url.protocol === 'http:' && isOwnHost(url.host);
    },
  };
  return own;
}
