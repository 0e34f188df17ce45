/**
 * The official MCP inspector's command line on a whole server: its strict check of the tools' schemas, then each tool
 * once in both generations of the protocol, as a JSON table. Exits with 1 if it reports a fault. Its own packages are
 * in bench/mcp-inspector (run `npm ci` there first).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { savePrediction } from '../../tests/contract/support/data/read-api.ts';
import { openProgramWorld } from '../../tests/contract/support/services/programs.ts';

const INSPECTOR = join(
  import.meta.dirname,
  '../mcp-inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const ERAS = ['modern', 'legacy'] as const;

const listSchema = z.object({ tools: z.array(z.object({ name: z.string() })) });
const answerSchema = z.object({ isError: z.optional(z.boolean()), structuredContent: z.looseObject({}) });

interface Row {
  protocol: string;
  what: string;
  exit: number;
  bytes: number;
  isAnswered: boolean;
}

if (!existsSync(INSPECTOR)) throw new Error('run npm ci --prefix bench/mcp-inspector first');
const world = await openProgramWorld('pglite');
const folder = await mkdtemp(join(tmpdir(), 'kat-inspector-'));
try {
  await insertRecords(world.database, makeRecords({ slots: 1, market: 'simulated', syms: ['BTCUSDT.P'] }));
  const rows: Row[] = [];
  for (const era of ERAS) {
    // The inspector sends about seven messages a call: a key's points last for one era.
    const { userId, key } = await world.program('lion');
    const parameters: Readonly<Record<string, readonly string[]>> = {
      list_markets: ['query=BTC'],
      explain_band: ['bar=15'],
      get_chances: ['kind=window', 'minutes=15'],
      get_forecast: [`id=${await savePrediction(world.database, { userId })}`],
      get_track_record: ['period=30d'],
    };
    const config = join(folder, `${era}.json`);
    const headers = { Authorization: `Bearer ${key}` };
    const kat = { type: 'streamable-http', url: `${world.server.url}/mcp`, headers, protocolEra: era };
    await writeFile(config, JSON.stringify({ mcpServers: { kat } }));
    const run = (...more: string[]) => inspect(['--config', config, '--server', 'kat', ...more]);
    const list = await run('--method', 'tools/list', '--strict');
    const { tools } = listSchema.parse(JSON.parse(list.text));
    rows.push({
      protocol: era,
      what: `tools/list (${tools.length})`,
      exit: list.exit,
      ...sizeOf(list.text),
      isAnswered: true,
    });
    for (const { name } of tools) {
      const options = (parameters[name] ?? []).flatMap((pair) => ['--tool-arg', pair]);
      const { exit, text } = await run('--method', 'tools/call', '--tool-name', name, ...options);
      const answer = answerSchema.safeParse(JSON.parse(text));
      rows.push({
        protocol: era,
        what: name,
        exit,
        ...sizeOf(text),
        isAnswered: answer.data?.isError !== true && answer.success,
      });
    }
  }
  console.log(JSON.stringify(rows, null, 2));
  process.exitCode = rows.every(({ exit, isAnswered }) => exit === 0 && isAnswered) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
  await world.close();
}

function inspect(options: readonly string[]): Promise<{ exit: number; text: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, MCP_INSPECTOR_SECRET_STORE: 'memory' };
    execFile(process.execPath, [INSPECTOR, '--cli', ...options], { env }, (error, text, problems) => {
      if (problems !== '') console.error(problems.trim());
      resolve({ exit: error === null ? 0 : Number(error.code ?? 1), text });
    });
  });
}

function sizeOf(text: string): { bytes: number } {
  return { bytes: Buffer.byteLength(text) };
}
