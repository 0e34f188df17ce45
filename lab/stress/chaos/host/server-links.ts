/** A server's links to its services. A fault of a service affects every server's link to it, one of a server only its own. */
import { type FaultyLink, openFaultyLink } from './faulty-link.ts';

const SERVICES = ['database', 'broker', 'market', 'payments', 'mail'] as const;
export type Service = (typeof SERVICES)[number];

type LinkFaults = Pick<FaultyLink, 'begin'>;
export type Links = Readonly<Partial<Record<Service, LinkFaults>>>;

export interface ServerLinks {
  links: Links;
  /** Through which the server reaches each service. */
  ports: Readonly<Partial<Record<Service, number>>>;
  close(): Promise<void>;
}

/** @param services  ports on loopback; @param host  where the server reaches the links */
export async function openServerLinks(services: ReadonlyMap<Service, number>, host: string): Promise<ServerLinks> {
  const opened: [Service, FaultyLink][] = [];
  for (const [name, port] of services) opened.push([name, await openFaultyLink(port, host)]);
  return {
    links: Object.fromEntries(opened),
    ports: Object.fromEntries(opened.map(([name, { port }]) => [name, port])),
    async close() {
      for (const [, link] of opened) await link.close();
    },
  };
}

/** Each service's links from all of these servers, as one. */
export function linksOfAll(servers: readonly Links[]): Links {
  const names = SERVICES.filter((name) => servers.some((links) => links[name] !== undefined));
  return Object.fromEntries(names.map((name) => [name, together(servers.flatMap((links) => links[name] ?? []))]));
}

function together(links: readonly LinkFaults[]): LinkFaults {
  return {
    begin(fault) {
      const ends = links.map((link) => link.begin(fault));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** Of one server, those that it shares with the others: without some of them, it may disagree with the others. */
export function sharedLinks({ database, broker, market }: Links): readonly LinkFaults[] {
  return [database, broker, market].filter((link) => link !== undefined);
}
