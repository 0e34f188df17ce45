/** Where news and counters come from: the services themselves, or the sandbox that speaks their words. */
import type { CommunityAddresses, CommunityKeys } from '../platform/config/config-community.ts';

export interface CommunitySource {
  /** Articles and figures of the two never mix, and the page says which they are. */
  kind: 'live' | 'simulated';
  addresses: CommunityAddresses;
  keys: CommunityKeys;
}
