/**
 * Under which names the sandboxes' own ports answer. A page of anywhere may point a name of its own at 127.0.0.1 and ask
 * then what it likes, as far as the browser knows of its own origin; the Host header tells the name.
 */
import type { IncomingMessage } from 'node:http';

/** False for a request whose Host header names anything but this machine. */
export function isToLoopback(request: IncomingMessage): boolean {
  const host = URL.parse(`http://${request.headers.host ?? ''}`);
  return host !== null && isLoopbackName(host.hostname);
}

/** @param hostname  as URL gives it: lower case, IPv6 in brackets */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
