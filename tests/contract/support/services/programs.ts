/** The whole server with users of each plan, their personal keys, and clients of its interfaces for programs. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { PlanName } from '#domain/billing/plans.ts';
import { hashOfApiKey, newApiKey } from '../../../../server/account/api-keys/api-key-store.ts';
import { asOwner, type Database } from '../../../../server/platform/database/database.ts';
import { openTestDatabase, type TestDatabaseKind } from '../../../support/database/database.ts';
import {
  SHIPPED_MODELS,
  startWholeServer,
  type WholeServer,
  type WholeServerOptions,
} from '../../../support/servers/whole-server.ts';
import { aUser } from '../../../support/worlds/prediction-world.ts';

export interface Program {
  userId: string;
  keyId: string;
  key: string;
}

export interface ProgramWorld {
  server: WholeServer;
  database: Database;
  program(plan: PlanName | 'admin'): Promise<Program>;
  revoke(program: Program): Promise<void>;
  close(): Promise<void>;
}

export async function openProgramWorld(
  kind: TestDatabaseKind,
  options: WholeServerOptions = {},
): Promise<ProgramWorld> {
  const database = await openTestDatabase(kind);
  const server = await startWholeServer(database, { modelsDir: SHIPPED_MODELS, ...options });
  return {
    server,
    database,
    async program(plan) {
      const { id: userId } = await aUser(database, plan);
      const key = newApiKey();
      const [row] = await asOwner(database).query<{ id: string }>(
        `insert into public.api_keys (user_id, name, prefix, key_hash)
         values ($1::text::uuid, 'program', left($2::text, 10), decode($3::text, 'hex')) returning id::text as id`,
        [userId, key, hashOfApiKey(key)],
      );
      return { userId, keyId: row?.id ?? '', key };
    },
    async revoke({ keyId }) {
      await asOwner(database).query('update public.api_keys set revoked_at = now() where id = $1::text::uuid', [keyId]);
    },
    async close() {
      await server.close();
      await database.close();
    },
  };
}

/** The official client. @param mode `legacy`: the protocol of 2025 @param headers in addition to the key's */
export async function mcpClient(
  url: string,
  key: string,
  { mode = 'auto', headers = {} }: { mode?: 'auto' | 'legacy'; headers?: Record<string, string> } = {},
): Promise<Client> {
  const client = new Client({ name: 'kat-tests', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return client;
}
