/** Telegram and Discord on this machine, for each of the two that has no token. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '#domain/time/clock.ts';
import type { ChatSandbox } from '../../server/dev-routes.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { isLocalOnly } from '../../server/platform/config/unsafe-settings.ts';
import { localUrl, type ServerAddress } from './payments-source.ts';

export interface OpenedChat {
  /** Null: none is simulated. */
  source: ChatSandbox | null;
  faultControlUrl: string | null;
  /** For people, with the site's address. */
  line(url: string): string;
  close(): Promise<void>;
}

/** Only where no one else can reach the site, because its pages write as any user; never beside a live market. */
export async function openChatSandbox(
  config: Config,
  usesLiveMarket: boolean,
  { clock, address }: { clock: Clock; address(): Pick<ServerAddress, 'port'> | null },
): Promise<OpenedChat> {
  const { telegramToken, discordToken } = config.chat;
  const isSimulated = !usesLiveMarket && isLocalOnly(config);
  const simulated = { Telegram: isSimulated && telegramToken === null, Discord: isSimulated && discordToken === null };
  const names = Object.entries(simulated).flatMap(([name, is]) => (is ? [name] : []));
  const live = [...(telegramToken === null ? [] : ['Telegram']), ...(discordToken === null ? [] : ['Discord'])];
  const sentLine = live.length === 0 ? 'off' : live.join(', ');
  if (names.length === 0)
    return { source: null, faultControlUrl: null, line: () => sentLine, close: async () => undefined };
  const { startSandboxChat } = await import('../../sandbox/chat/sandbox-chat.ts');
  // Shaped as the real ones, whose first part is the bot's id.
  const secret = () => randomBytes(24).toString('hex');
  const tokens = { telegram: `7000000001:${secret()}`, discord: `${secret()}.sandbox.${secret()}` };
  const sandbox = await startSandboxChat({
    tokens,
    interactionsUrl: () => interactionsUrl(config, address()),
    hasFaultControl: config.development.hasFaultControl,
    nowMs: () => clock.nowMs(),
  });
  return {
    source: {
      pagesUrl: sandbox.url,
      telegram: simulated.Telegram ? { url: sandbox.telegramUrl, token: tokens.telegram } : null,
      discord: simulated.Discord ? { url: sandbox.discordUrl, token: tokens.discord } : null,
    },
    faultControlUrl: sandbox.faultControlUrl,
    line: (url) =>
      [...live, ...names.map((name) => `${url}/dev/${name.toLowerCase()}`)]
        .join(', ')
        .concat(' (sandbox: no message leaves this machine)'),
    close: () => sandbox.close(),
  };
}

function interactionsUrl(config: Config, address: Pick<ServerAddress, 'port'> | null): string | null {
  return address === null ? null : `${localUrl(config, address.port)}/discord/interactions`;
}
