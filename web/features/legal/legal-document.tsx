import type { LegalSection, Operator } from '../../content/legal/legal-section.ts';
import { Contact } from '../../content/legal/placeholder.tsx';
import { PRIVACY } from '../../content/legal/privacy.tsx';
import { TERMS } from '../../content/legal/terms.tsx';
import { useSiteSettings } from '../../site/site-settings.ts';
import styles from './legal-document.module.css';

const EDITION = '26 Nov 2026';

const PARTS = [
  { id: 'terms', title: 'Terms of use', sections: TERMS },
  { id: 'privacy', title: 'Privacy notice', sections: PRIVACY },
] as const;

export function LegalDocument() {
  const settings = useSiteSettings();
  const operator: Operator = {
    name: settings?.operatorName ?? 'The operator of this site',
    email: settings?.supportEmail ?? null,
  };
  return (
    <article className={styles.document}>
      <header className="grid gap-2">
        <h1>Terms and Privacy</h1>
        <p className="muted size-13">Edition of {EDITION}</p>
      </header>
      <aside className={styles.template} aria-label="About this text">
        <p>
          <strong>A template, to be reviewed by the operator.</strong> It matches what this product does. Before
          offering the service to others, the operator must review it, fill in the text in [brackets] and have it
          checked for every place where the service is offered.
        </p>
      </aside>
      <nav aria-labelledby="contents" className={styles.contents}>
        <h2 id="contents">Contents</h2>
        {PARTS.map(({ id, title, sections }) => (
          <div key={id}>
            <p>
              <a href={`#${id}`}>{title}</a>
            </p>
            <ol>
              {sections.map((section) => (
                <li key={section.id}>
                  <a href={`#${section.id}`}>{section.title}</a>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </nav>
      {PARTS.map(({ id, title, sections }) => (
        <section key={id} aria-labelledby={id} className={styles.part}>
          <h2 id={id}>{title}</h2>
          {sections.map((section, index) => (
            <Numbered key={section.id} section={section} number={index + 1} operator={operator} />
          ))}
        </section>
      ))}
      <section aria-labelledby="contact" className={styles.part}>
        <h2 id="contact">Contact</h2>
        <p>
          {operator.name}, <Contact operator={operator} />
        </p>
        {/* Not at the top of the page: it loads late and would push down the text being read. */}
        {settings?.samples.operator === true && (
          <p>The operator’s name and address are samples: they are not set on this server.</p>
        )}
      </section>
    </article>
  );
}

interface NumberedProps {
  section: LegalSection;
  number: number;
  operator: Operator;
}

function Numbered({ section: { id, title, body }, number, operator }: NumberedProps) {
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h3 id={id}>
        {number}. {title}
      </h3>
      {body(operator)}
    </section>
  );
}
