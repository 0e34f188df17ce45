/** Models that cannot be opened, on a whole server: it starts, names them without their paths, and stops. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { modelsAnswerSchema } from '#domain/forecast/model-figures.ts';
import { makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const database = openedForTests(() => openTestDatabase(dayDatabase));
const configSchema = z.object({ models: z.record(z.string(), z.object({ state: z.string() })) });

test('serves with missing, altered and impossible networks, whose models are disabled', async () => {
  const folder = makeModelsFolder({ bobcat: 'sound', panther: 'sound', lion: 'nan-always' });
  rmSync(folder.file('bobcat', 'model.onnx'));
  folder.edit('panther', 'paths.json', (text) => `${text} `);

  const server = await startWholeServer(database(), { modelsDir: folder.path });
  const config = await (await fetch(`${server.url}/config.json`)).text();
  const figures = await (await fetch(`${server.url}/models.json`)).text();
  const history = await fetch(`${server.url}/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100`);
  await server.close();
  folder.remove();

  const states = Object.values(configSchema.parse(JSON.parse(config)).models).map(({ state }) => state);
  expect(states).toEqual(['disabled', 'disabled', 'disabled']);
  const { models } = modelsAnswerSchema.parse(JSON.parse(figures));
  expect(models.map(({ state, figures: of }) => [state, of])).toEqual(states.map((state) => [state, null]));
  expect(config + figures).not.toContain(folder.path);
  expect(history.status).toBe(200);
});

test('reports one model as ready, one as not trained and one as disabled', async () => {
  const folder = makeModelsFolder({ bobcat: 'sound', lion: 'short' });

  const server = await startWholeServer(database(), { modelsDir: folder.path });
  const config = configSchema.parse(await (await fetch(`${server.url}/config.json`)).json());
  await server.close();
  folder.remove();

  expect(config.models).toMatchObject({
    bobcat: { state: 'ready' },
    panther: { state: 'not-trained' },
    lion: { state: 'disabled' },
  });
});
