/** /youtube: the creator's channel. */
import { BeingBuilt } from '../ui/being-built.tsx';

export default function YoutubePage() {
  return (
    <BeingBuilt heading="YouTube" text="This page is being built. It will show the channel and its latest videos." />
  );
}
