/** /ai-models: how the models work and where they stop. */

import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function AiModelsPage() {
  return (
    <BeingBuilt
      heading="AI Models"
      text="This page is being built. It will explain Bobcat, Panther and Lion: what each one reads, what it forecasts and how well."
      actions={
        <>
          <LinkButton to="/gallery" variant="primary">
            View Prediction Gallery
          </LinkButton>
          <LinkButton to="/kat">Open AI Prediction</LinkButton>
        </>
      }
    />
  );
}
