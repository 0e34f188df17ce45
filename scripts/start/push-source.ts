/** The receiver of notifications: the browsers' push services, or a sandbox on this machine, which this starts. */
import { type Config, SettingsRefused } from '../../server/platform/config/config.ts';
import { isLocalOnly } from '../../server/platform/config/unsafe-settings.ts';
import type { PushSource } from '../../server/push/open-push.ts';

export interface OpenedPush {
  /** Null: off. */
  source: PushSource | null;
  /** For people, with the site's address. */
  line(url: string): string;
  close(): Promise<void>;
}

/** @throws SettingsRefused for a sandbox if others can reach it: its page shows everyone's notifications */
export function refuseForeignPushSandbox(config: Config): void {
  if (config.push.choice === 'sandbox' && !isLocalOnly(config))
    throw new SettingsRefused('PUSH=sandbox is only for a server that no other machine can reach.');
}

export async function openPushSource(config: Config, usesLiveMarket: boolean): Promise<OpenedPush> {
  const { choice } = config.push;
  const usesSandbox = choice === 'sandbox' || (choice === 'auto' && !usesLiveMarket && isLocalOnly(config));
  const close = async () => undefined;
  if (choice === 'off') return { source: null, line: () => 'off', close };
  if (!usesSandbox) return { source: { kind: 'live' }, line: () => 'sent through the browsers’ push services', close };
  const { startSandboxPush } = await import('../../sandbox/push/sandbox-push.ts');
  const sandbox = await startSandboxPush();
  return {
    source: { kind: 'sandbox', url: sandbox.url },
    line: (url) => `${url}/dev/push (sandbox: no notification leaves this machine)`,
    close: () => sandbox.close(),
  };
}
