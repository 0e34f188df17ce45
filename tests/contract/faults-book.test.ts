/** The fault scripts (tests/load) detect a server that loses acknowledged work; faults-book.night.test.ts kills a real server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startAcknowledgedWork } from '../load/faults/acknowledged.ts';

test('detects every vote and account that a server acknowledged and then lost', async () => {
  const user = { access_token: 'token', user: { id: 'a3bb189e-8bf9-3888-9912-ace4e6543002' } };
  const answers: Record<string, unknown> = {
    '/config.json': { supabaseAnonKey: 'key', prices: { lion: 'price' } },
    '/auth/v1/signup': user,
    '/auth/v1/token': user,
    '/rest/v1/rpc/get_vote_stats': [{ up_count: 7, down_count: 3 }],
    '/rest/v1/rpc/submit_vote': [{}],
    '/rest/v1/rpc/get_own_vote': [],
    '/rest/v1/profiles': [],
  };
  const forgetful = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    response.end(JSON.stringify(answers[pathname]));
  });
  await new Promise<void>((resolve) => forgetful.listen(0, '127.0.0.1', resolve));
  const { port } = forgetful.address() as AddressInfo;
  const everyMs = { signUps: 50, votes: 50 };
  const work = await startAcknowledgedWork({ url: () => `http://127.0.0.1:${port}`, provider: null, everyMs });

  await work.untilAllGoOn(5000);
  await work.stop();
  const { acknowledged, lost } = await work.verify();
  forgetful.close();

  expect(lost.filter((one) => one.startsWith('the vote of'))).toHaveLength(acknowledged.votes ?? 0);
  expect(lost.filter((one) => one.endsWith('has 0 profiles'))).toHaveLength(acknowledged.signUps ?? 0);
  expect(acknowledged.votes).toBeGreaterThan(0);
});
