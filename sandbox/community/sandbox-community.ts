import type { CommunitySandbox, SandboxFeed } from './community-sandbox.ts';
import { DISCORD_INVITE } from './discord.ts';
import { PATREON_TOKEN } from './patreon.ts';
import { YOUTUBE_CHANNEL, YOUTUBE_KEY } from './youtube.ts';

/** Keys that the sandbox accepts; real ones never reach it. */
const KEYS = {
  youtube: { key: YOUTUBE_KEY, channelId: YOUTUBE_CHANNEL },
  discordInvite: DISCORD_INVITE,
  patreonToken: PATREON_TOKEN,
} as const;

export interface SandboxCommunity {
  kind: 'simulated';
  addresses: { newsFeeds: readonly SandboxFeed[]; youtubeUrl: string; discordUrl: string; patreonUrl: string };
  keys: typeof KEYS;
}

export function sandboxCommunity({
  newsFeeds,
  youtubeUrl,
  discordUrl,
  patreonUrl,
}: Omit<CommunitySandbox, 'close' | 'faults' | 'faultControlUrl'>): SandboxCommunity {
  return { kind: 'simulated', addresses: { newsFeeds, youtubeUrl, discordUrl, patreonUrl }, keys: KEYS };
}
