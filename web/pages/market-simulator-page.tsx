/** /market-simulator-v03: the trading game, sold once. */
import { BeingBuilt } from '../ui/being-built.tsx';

export default function MarketSimulatorPage() {
  return (
    <BeingBuilt
      heading="Market Simulator"
      text="This page is being built. It will present the market simulator, version 0.3: $14.99 once."
    />
  );
}
