/** /about: who makes this, and how to support it. */
import { BeingBuilt } from '../ui/being-built.tsx';

export default function AboutPage() {
  return (
    <BeingBuilt heading="About" text="This page is being built. It will say who makes Kat and how to support it." />
  );
}
