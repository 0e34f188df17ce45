/** No key, no card number and no text of the payment provider's reaches a log or the database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';
import { CARDS, connectBillingWorld } from '../support/worlds/billing-world.ts';

describeOneDatabase('the billing log', (kind) => {
  const lines: string[] = [];
  // Without the cleaning that every line goes through in the product: nothing may rest on it.
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
  // A separate world: every line of its log is read.
  const world = openedForTests(async () => {
    const database = await openTestDatabase(kind);
    const server = await startWholeServer(database, { log });
    return connectBillingWorld(database, server, async () => {
      await server.close();
      await database.close();
    });
  });

  test('holds no secret after purchases, declines, troubles and forgeries', async () => {
    const ada = await world().signUp('Ada');
    const session = await world().checkout(ada, 'bobcat');
    await world().pay(session.url, CARDS.declined);
    await world().pay(session.url, CARDS.consentAlways);
    await world().settled();
    for (const fault of ['http_500', 'http_429', 'reset_before'])
      await world().control('POST', '/faults', { method: 'GET', path: '/v1/customers/', kind: fault, times: 3 });
    await world().call(ada, 'stripe-bootstrap');
    await world().call(ada, 'stripe-bootstrap');
    await world().control('DELETE', '/faults');
    await world().call(ada, 'billing-portal', { return_url: `${world().url}/account/subscription` });
    await fetch(`${world().url}/billing/webhook`, {
      method: 'POST',
      headers: { 'stripe-signature': 't=1,v1=beef' },
      body: 'x',
    });

    const keys = readFileSync(join(world().dataDir, 'payments-keys.json'), 'utf8');
    const secrets = [...keys.matchAll(/(?:sk_test|whsec)_\w+/g)].map(([secret]) => secret);
    const tables = await world().rows(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'private')",
    );
    const dump: string[] = [];
    for (const { name } of tables.filter((table) => /stripe|billing|payment|outgoing|jobs/.test(String(table.name))))
      dump.push(
        JSON.stringify(
          await world()
            .rows(`select * from ${String(name)}`)
            .catch(() => []),
        ),
      );
    const journal = readFileSync(join(world().dataDir, 'payments.jsonl'), 'utf8');

    expect(secrets).toHaveLength(2);
    expect(lines.some((line) => line.includes('the payment provider refused a call'))).toBe(true);
    for (const [where, text] of [
      ['log', lines.join('')],
      ['database', dump.join('')],
      ['journal', journal],
    ] as const) {
      const found = [...secrets, ...Object.values(CARDS)].filter((secret) => text.includes(secret));
      expect([where, found]).toEqual([where, []]);
    }
    // Texts of the provider may quote what a request held.
    expect(lines.filter((line) => line.includes('Too many requests.') || line.includes('Bearer '))).toEqual([]);
  });
});
