/** /legal: terms and privacy. */
import { BeingBuilt } from '../ui/being-built.tsx';

export default function LegalPage() {
  return (
    <BeingBuilt
      heading="Terms and Privacy"
      text="This page is being built. The terms and the privacy notice will stand here."
    />
  );
}
