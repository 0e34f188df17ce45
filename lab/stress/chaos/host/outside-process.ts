/**
 * An external service in a separate process, so that it can be killed alone: the market, the payment sandbox or the
 * mail server. Started with its settings as JSON; sends one message once it listens.
 */
import * as z from 'zod/mini';
import { startSandboxMailbox } from '../../../../sandbox/mailbox/sandbox-mailbox.ts';
import { startSandboxMarket } from '../../../../sandbox/market/sandbox-market.ts';
import { startSandboxPayments } from '../../../../sandbox/payments/sandbox-payments.ts';

const port = z.int();
const settingsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('market'), port }),
  z.object({ kind: z.literal('mail'), port }),
  z.object({
    kind: z.literal('payments'),
    port,
    folder: z.string(),
    secretKey: z.string(),
    webhookSecret: z.string(),
    webhookUrl: z.string(),
    priceIds: z.object({ bobcat: z.string(), lion: z.string() }),
  }),
]);
export type OutsideSettings = z.infer<typeof settingsSchema>;

const settings = settingsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const clock = { nowMs: () => Date.now() };
// Its parent has exited.
process.once('disconnect', () => process.exit(0));
if (settings.kind === 'market') {
  await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'faults', startMs: null, port: settings.port });
} else if (settings.kind === 'mail') {
  await startSandboxMailbox({ clock, smtpPort: settings.port });
} else {
  await startSandboxPayments({
    clock,
    port: settings.port,
    secretKey: settings.secretKey,
    pagesPath: '/pay',
    log: () => undefined,
    priceIds: settings.priceIds,
    journalPath: `${settings.folder}/payments.jsonl`,
    controlPath: `${settings.folder}/payments-control.json`,
    origin: () => `http://127.0.0.1:${settings.port}`,
    webhooks: { target: () => settings.webhookUrl, secret: settings.webhookSecret },
  });
}
process.send?.('listens');
