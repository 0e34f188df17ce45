/** A server without news and counters: it calls no outside service. */
import type { CommunitySource } from '../../../server/community/community-source.ts';

export const NO_COMMUNITY: CommunitySource = {
  kind: 'simulated',
  addresses: {
    newsFeeds: [],
    youtubeUrl: 'http://127.0.0.1:9',
    discordUrl: 'http://127.0.0.1:9',
    patreonUrl: 'http://127.0.0.1:9',
  },
  keys: { youtube: null, discordInvite: null, patreonToken: null },
};
