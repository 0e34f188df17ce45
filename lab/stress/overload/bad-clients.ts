/** Clients that behave badly on purpose, each from one address. */

export const BAD_CLIENTS = {
  /** Shows how much two equal stages differ. */
  control: { title: 'no one, for comparison', clients: 0 },
  'reads-nothing': { title: 'sockets that read nothing', clients: 500 },
  reconnects: { title: 'sockets reopened without pause', clients: 50 },
  'half-messages': { title: 'half a frame or half a request, then nothing', clients: 400 },
  'sign-ups': { title: 'sign-ups without pause', clients: 20 },
} as const satisfies Record<string, BadClient>;

export interface BadClient {
  /** For the report. */
  title: string;
  /** Connections at the same time. */
  clients: number;
}

export type BadClientName = keyof typeof BAD_CLIENTS;
export const BAD_CLIENT_NAMES = Object.keys(BAD_CLIENTS).filter(isBadClient);

export function isBadClient(name: string): name is BadClientName {
  return Object.hasOwn(BAD_CLIENTS, name);
}
