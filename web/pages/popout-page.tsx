/** /popout: one saved prediction in a window of its own. */
import { BeingBuilt } from '../ui/being-built.tsx';

export default function PopoutPage() {
  return (
    <BeingBuilt
      heading="Chart"
      text="This page is being built. It will show one saved prediction in a window of its own."
    />
  );
}
