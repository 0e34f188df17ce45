/** The source of the market data, from the server's settings. */
import { useQuery } from '@tanstack/react-query';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { publicConfig } from '../platform/config.ts';

/** Null until known; a widget without its source still shows its figures. */
export function useMarketSource(): PublicConfig['market'] | null {
  return useQuery({ queryKey: ['market-source'], queryFn: async () => (await publicConfig()).market }).data ?? null;
}
