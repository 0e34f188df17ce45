import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './donate-section.module.css';

const DonationCards = lazyWidget(
  'Donation addresses',
  async () => (await import('./donation-cards.tsx')).DonationCards,
  styles.place,
);

const LEAD =
  'Gifts pay for servers and data. They buy nothing: no plan, no extra prediction, no say in the figures. Check the ' +
  'address in your wallet before you send; you cannot undo a payment.';

export function DonateSection() {
  return (
    <section id="donate" aria-labelledby="donate-heading" className="grid gap-4">
      <SectionHeading id="donate-heading" lead={LEAD}>
        Donate
      </SectionHeading>
      <DonationCards />
    </section>
  );
}
