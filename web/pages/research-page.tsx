/** /research: method and documentation. */
import { BeingBuilt } from '../ui/being-built.tsx';

export default function ResearchPage() {
  return (
    <BeingBuilt
      heading="Research"
      text="This page is being built. It will hold the method and its documentation, with figures and intervals."
    />
  );
}
