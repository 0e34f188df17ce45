/** The site's addresses, and which hosts, origins and URLs belong to it. */
import type { Config } from './platform/config/config.ts';
import { ownHosts } from './platform/http/guards/host-rule.ts';

export interface OwnAddress {
  /** From the settings until the site listens; 0 then becomes a free port. */
  port: number;
  /** @param host  a URL's `host` part */
  isOwnHost(host: string): boolean;
  /** Origins whose pages may call and read the answers. */
  allowedOrigins: readonly string[];
  /** The origin as the browser sees it. */
  originOf(request: Request): string;
  /** For links in mails. */
  siteUrl(): string;
  /** True for this site's URLs in a browser: PUBLIC_URL, and in development this machine's own names. */
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
