/** Servers of browser tests that the run starts once: many files share some, one file at a time leases others. */
import * as z from 'zod/mini';

/** Environment variable with the address of the run's server registry (shared-servers.ts). */
export const SERVER_REGISTRY = 'KAT_SERVER_REGISTRY';

/** In `plain` tests sign up their own people; `demo` adds the demo accounts, which no test changes. */
export type SharedKind = 'plain' | 'demo';

const sharedSchema = z.object({ url: z.string(), dataDir: z.string() });
export type SharedKat = z.infer<typeof sharedSchema>;

/** A server with demo accounts, fault injection and a movable clock, for one file alone. */
export interface LeasedKat extends SharedKat {
  /** Ends all faults and resets the clock; then the next file may lease the server. */
  release(): Promise<void>;
}

/** The same server for every file that requests it; a test must not change what another one sees. */
export function sharedKat(kind: SharedKind): Promise<SharedKat> {
  return requestServer('GET', kind);
}

/** Faults and clocks are global on a server, so no other file uses this one until its release. */
export async function leaseKat(): Promise<LeasedKat> {
  const kat = await requestServer('POST', 'lease');
  return {
    ...kat,
    async release() {
      await requestServer('DELETE', `lease?url=${encodeURIComponent(kat.url)}`);
    },
  };
}

const logsSchema = z.array(z.object({ url: z.string(), log: z.string() }));

/** @returns what the run's shared servers have written */
export async function sharedLogs(): Promise<z.infer<typeof logsSchema>> {
  return logsSchema.parse(await (await fetch(`${process.env[SERVER_REGISTRY]}/logs`)).json());
}

async function requestServer(method: string, path: string): Promise<SharedKat> {
  const answer = await fetch(`${process.env[SERVER_REGISTRY]}/${path}`, { method });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the server registry failed: ${text}`);
  return sharedSchema.parse(JSON.parse(text));
}
