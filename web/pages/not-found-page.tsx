/** Any other address. */
import { BeingBuilt } from '../ui/being-built.tsx';
import { LinkButton } from '../ui/button.tsx';

export default function NotFoundPage() {
  return (
    <BeingBuilt
      heading="404 – Page Not Found"
      text="There is no page at this address."
      actions={
        <>
          <LinkButton to="/" variant="primary">
            Home
          </LinkButton>
          <LinkButton to="/kat">AI Prediction</LinkButton>
        </>
      }
    />
  );
}
