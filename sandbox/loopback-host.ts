/** A foreign page can point its own name at 127.0.0.1 and call a sandbox's port; the Host header reveals that. */
import type { IncomingMessage } from 'node:http';

/** False for a request whose Host header names another machine. */
export function isToLoopback(request: IncomingMessage): boolean {
  const host = URL.parse(`http://${request.headers.host ?? ''}`);
  return host !== null && isLoopbackName(host.hostname);
}

/** @param hostname  as URL gives it: lower case, IPv6 in brackets */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
