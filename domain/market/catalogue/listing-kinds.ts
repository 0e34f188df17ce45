export const LISTING_KINDS = ['perpetual', 'spot', 'share', 'future'] as const;
export const LISTING_STATUSES = ['trading', 'halted', 'delisted'] as const;
