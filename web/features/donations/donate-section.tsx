import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './donate-section.module.css';

const DonationCards = lazyWidget(
  'Donation addresses',
  async () => (await import('./donation-cards.tsx')).DonationCards,
  styles.place,
);

const LEAD =
  'Donations pay for servers and data. They don’t buy a plan, extra predictions or a say in the figures. Check the ' +
  'address in your wallet before you send. You can’t undo a payment.';

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
