/** @param host  as a setting gives it. @returns whether only this machine can reach a listener there */
export function isOwnMachine(host: string): boolean {
  return host === '::1' || isLoopback(host.toLowerCase());
}

/** @param hostname  as URL gives it: lower case, IPv6 in brackets */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
