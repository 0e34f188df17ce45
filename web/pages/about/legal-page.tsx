import { LegalDocument } from '../../features/legal/legal-document.tsx';
import { Page } from '../../ui/layout/page.tsx';

export default function LegalPage() {
  return (
    <Page>
      <LegalDocument />
    </Page>
  );
}
