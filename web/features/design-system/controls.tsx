import Plus from 'lucide-react/icons/plus';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useState } from 'react';
import { Button, IconButton, LinkButton } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import { Checkbox, Field, Select, TextArea } from '../../ui/forms/field.tsx';
import { Picker } from '../../ui/forms/picker.tsx';
import { Segmented } from '../../ui/forms/segmented.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { SectionHeading } from '../../ui/layout/section-heading.tsx';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import styles from './design.module.css';

const REFRESH = <RefreshCw size={16} aria-hidden="true" />;
const MODELS = [
  { value: 'bobcat', label: 'Bobcat (Kat 1)' },
  { value: 'lion', label: 'Lion (Kat 2.4)', isLocked: true, title: 'Upgrade to unlock' },
] as const;

export function Controls() {
  return (
    <section aria-labelledby="design-controls" className="grid gap-4 min-width-0">
      <SectionHeading id="design-controls">Controls</SectionHeading>
      <div className="row wrap gap-3">
        <Button variant="primary">Primary</Button>
        <Button icon={<Plus size={16} aria-hidden="true" />}>Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">Danger</Button>
        <LinkButton to="/dev/ui">Link</LinkButton>
        <Button disabled>Disabled</Button>
        <Button isBusy>Busy</Button>
        <Button size="small">Small</Button>
        <IconButton label="Refresh" icon={REFRESH} />
        <IconButton label="Refresh, small" icon={REFRESH} size="small" variant="secondary" />
      </div>
      <Choices />
      <div className={styles.fields}>
        <Field label="Field" help="Help appears below." placeholder="Placeholder" />
        <Field label="Field with an error" defaultValue="no address" error="Please enter a valid email address" />
        <Field label="Read-only field" value="ada@example.com" readOnly help="Email cannot be changed" />
        <Select
          label="Select"
          options={[
            { value: 'utc', label: 'UTC' },
            { value: 'europe', label: 'Europe/London' },
          ]}
        />
        <TextArea label="Text area" help="500 characters at most." />
        <TextArea label="Text area with an error" error="Content is required" />
        <Checkbox label="Checkbox" help="Submitted with its form." defaultChecked />
        <Checkbox label="Checkbox with an error" error="Please agree first." />
      </div>
    </section>
  );
}

function Choices() {
  const [isOn, setOn] = useState(true);
  const [span, setSpan] = useState<'week' | 'month'>('week');
  const [model, setModel] = useState<'bobcat' | 'lion'>('bobcat');
  return (
    <div className="row wrap gap-3">
      <Picker label="Model" value={model} options={MODELS} onChange={setModel} />
      <Segmented
        label="Span"
        value={span}
        onChange={setSpan}
        options={[
          { value: 'week', label: 'Week' },
          { value: 'month', label: 'Month' },
        ]}
      />
      <Switch label="Switch" isOn={isOn} onToggle={() => setOn(!isOn)} />
      <Switch label="Switch, disabled" isOn={false} isDisabled onToggle={() => {}} />
      <Tooltip text="3 Jan 2026, 14:05:12 UTC">2h ago</Tooltip>
      <span className="row gap-2">
        <CopyButton text="Copied from the design page" what="sample text" />
        <CopyButton isIcon text="Copied from the design page" what="sample text by icon" />
      </span>
    </div>
  );
}
