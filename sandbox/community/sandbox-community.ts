/** The community sandbox as a server's source of news and counters. */
import type { CommunitySandbox, SandboxFeed } from './community-sandbox.ts';

/** Keys that the sandbox takes; real ones never reach it. */
const KEYS = {
  youtube: { key: 'sandbox', channelId: 'UCsandbox' },
  discordInvite: 'sandbox',
  patreonToken: 'sandbox',
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
}: Omit<CommunitySandbox, 'close' | 'faultControlUrl'>): SandboxCommunity {
  return { kind: 'simulated', addresses: { newsFeeds, youtubeUrl, discordUrl, patreonUrl }, keys: KEYS };
}
