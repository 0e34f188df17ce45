import { useId } from 'react';
import { PRICING_ANSWERS } from '../../../content/pricing-answers.tsx';
import styles from './pricing-questions.module.css';

export function PricingQuestions() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-4 min-width-0">
      <h2 id={id} className="size-20">
        Questions and answers
      </h2>
      <div className={styles.questions}>
        {PRICING_ANSWERS.map(({ question, answer }) => (
          <div key={question} className={styles.item}>
            <h3 className="size-16">{question}</h3>
            <p className="muted">{answer()}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
