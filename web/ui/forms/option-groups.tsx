/** Headed groups of options that narrow as the user types. */
import { type ReactNode, useId } from 'react';
import styles from './option-groups.module.css';

export interface SearchableOption {
  /** Lower-case text that typing is matched with. */
  searchText: string;
}

export interface OptionGroup<Option extends SearchableOption> {
  heading: string;
  options: readonly Option[];
}

export function OptionGroupFrame({ heading, children }: { heading: string; children: ReactNode }) {
  const headingId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset isn't allowed in a listbox
    <div role="group" aria-labelledby={headingId}>
      <p id={headingId} className={styles.heading}>
        {heading}
      </p>
      {children}
    </div>
  );
}

/** Keeps options that match every typed word; drops groups without any. */
export function narrowed<Option extends SearchableOption>(
  groups: readonly OptionGroup<Option>[],
  typed: string,
): readonly OptionGroup<Option>[] {
  const words = typedTerms(typed);
  if (words.length === 0) return groups;
  return groups
    .map(({ heading, options }) => ({
      heading,
      options: options.filter((option) => words.every((word) => option.searchText.includes(word))),
    }))
    .filter(({ options }) => options.length > 0);
}

export function typedTerms(typed: string): string[] {
  return typed
    .trim()
    .toLowerCase()
    .split(/[\s/_]+/)
    .filter(Boolean);
}
