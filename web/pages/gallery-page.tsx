/** /gallery: five fixed examples. */

import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function GalleryPage() {
  return (
    <BeingBuilt
      heading="Prediction Gallery"
      text="This page is being built. It will show five chosen forecasts beside what happened next."
      actions={
        <>
          <LinkButton to="/kat" variant="primary">
            Open AI Prediction
          </LinkButton>
          <LinkButton to="/ai-models">AI Models</LinkButton>
        </>
      }
    />
  );
}
