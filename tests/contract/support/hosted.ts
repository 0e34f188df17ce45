/** The whole server in front of a hosted project, and browsers that know its address alone. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { type RateLimits, rateLimits } from '../../../server/backend/limits.ts';
import type { RateLimiter } from '../../../server/platform/http/guards/rate-limit.ts';
import { noLimits, startWholeServer } from '../../support/servers/whole-server.ts';
import { type HostedProject, startHostedProject } from '../../support/worlds/hosted-project.ts';

export interface HostedWorld {
  project: HostedProject;
  /** Of the front: what browsers know. */
  url: string;
  visitor(): SupabaseClient;
  user(): Promise<{ client: SupabaseClient; id: string; email: string; accessToken: string; refreshToken: string }>;
  /** A raw request to the front with the project's anon key. */
  request(path: string, init?: RequestInit): Promise<Response>;
  invoke(name: string, accessToken: string): Promise<Response>;
  close(): Promise<void>;
}

export interface ReplaceableLimits {
  /** For a server that is about to start. */
  limits: RateLimits;
  /** Fresh counts from now on, the default ones with these changes. @param changes  null: no limits */
  limit(changes: Parameters<typeof rateLimits>[0] | null): void;
}

/** Limits that each test sets on one running server. None at first. */
export function replaceableLimits(): ReplaceableLimits {
  let current: Readonly<Record<string, RateLimiter>> = noLimits();
  const limiter = (name: string): RateLimiter => {
    const found = current[name];
    if (found === undefined) throw new Error(`no limit ${name}`);
    return found;
  };
  const limits = rateLimits({}, (_limit, name) => ({
    consume: (key, points) => limiter(name).consume(key, points),
    take: (key, points) => limiter(name).take(key, points),
    giveBack: (key, points) => limiter(name).giveBack(key, points),
    forgive: (key) => limiter(name).forgive(key),
  }));
  return {
    limits,
    limit(changes) {
      current = changes === null ? noLimits() : rateLimits(changes);
    },
  };
}

export const PASSWORD = 'Password1';
let accounts = 0;

export async function openHostedWorld(limits?: RateLimits): Promise<HostedWorld> {
  const project = await startHostedProject();
  const env = { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey, DATABASE_URL: project.databaseUrl };
  const front = await startWholeServer(project.database, { env, ...(limits === undefined ? {} : { limits }) });
  const visitor = () =>
    createClient(front.url, project.anonKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${front.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { apikey: project.anonKey, ...Object.fromEntries(new Headers(init.headers)) },
    });
  return {
    project,
    url: front.url,
    visitor,
    request,
    async user() {
      accounts += 1;
      const email = `hosted${accounts}@example.com`;
      const client = visitor();
      const { data, error } = await client.auth.signUp({ email, password: PASSWORD });
      if (error || !data.session) throw new Error(`sign-up failed: ${error?.message}`);
      const { user, access_token: accessToken, refresh_token: refreshToken } = data.session;
      return { client, id: user.id, email, accessToken, refreshToken };
    },
    invoke: (name, accessToken) =>
      request(`/functions/v1/${name}`, { method: 'POST', headers: { authorization: `Bearer ${accessToken}` } }),
    async close() {
      await front.close();
      await project.close();
    },
  };
}
