/** Adds an alert on a chance: touching 62,000 becomes more likely than 30%. */

import { type FormEvent, useState } from 'react';
import { CHANCE_EVENTS, type ChanceEvent, type RuleChance } from '#domain/alerts/alert-rule.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';
import { typedNumber } from '#domain/format/typed-number.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Field, Select } from '../../../ui/forms/field.tsx';
import styles from './alert-rules.module.css';
import type { RuleSubject } from './rule-subject.ts';

const EVENTS: Readonly<Record<ChanceEvent, string>> = {
  touch: 'touches',
  above: 'closes above',
  below: 'closes below',
};
const MINUTES = [5, 15, 30, 50];

const symbolOptions = SYMBOLS.map(({ sym, label }) => ({ value: sym, label }));
const modelOptions = MODEL_NAMES.map((name) => ({ value: name, label: MODELS[name].label }));
const eventOptions = CHANCE_EVENTS.map((event) => ({ value: event, label: EVENTS[event] }));
const minuteOptions = MINUTES.map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` }));

export function ChanceForm({ isFull, onAdd }: { isFull: boolean; onAdd: (subject: RuleSubject) => void }) {
  const [error, setError] = useState<{ price?: string; percent?: string }>({});
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string) => String(new FormData(form).get(name) ?? '');
    const chance: RuleChance = {
      model: text('model') as ModelName,
      event: text('event') as ChanceEvent,
      price: typedNumber(text('price')) ?? Number.NaN,
      bar: Number(text('bar')),
      percent: Number(text('percent')),
    };
    const isPrice = chance.price > 0 && chance.price < 1e12;
    const isPercent = Number.isInteger(chance.percent) && chance.percent >= 1 && chance.percent <= 99;
    setError({
      ...(isPrice ? {} : { price: 'Enter a price above 0.' }),
      ...(isPercent ? {} : { percent: 'Enter a whole number from 1 to 99.' }),
    });
    if (!isPrice || !isPercent) return;
    onAdd({ kind: 'chance-reached', predictionId: null, sym: text('sym'), chance });
    form.reset();
  };
  return (
    <form className={styles.form} aria-label="Alert on a chance" noValidate onSubmit={add}>
      <Select label="Symbol" name="sym" options={symbolOptions} />
      <Select label="Model" name="model" options={modelOptions} />
      <Select label="Event" name="event" options={eventOptions} />
      <Field label="Price" name="price" inputMode="decimal" autoComplete="off" error={error.price} />
      <Select label="Within" name="bar" options={minuteOptions} defaultValue="15" />
      <Field
        label="More than, %"
        name="percent"
        inputMode="numeric"
        autoComplete="off"
        defaultValue="30"
        error={error.percent}
      />
      <Button type="submit" disabled={isFull}>
        Add alert
      </Button>
    </form>
  );
}
