/** The source of news and counters: the real services, or the sandbox with the same protocols. */
import type { Core } from '../core.ts';
import type { CommunityAddresses, CommunityKeys } from '../platform/config/config-community.ts';

export interface CommunitySource {
  /** Articles and counts of the two never mix, and the page shows which they are. */
  kind: 'live' | 'simulated';
  addresses: CommunityAddresses;
  keys: CommunityKeys;
}

export interface CommunityOptions extends Pick<Core, 'database' | 'clock' | 'log'> {
  source: CommunitySource;
}
