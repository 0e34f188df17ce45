export interface NavigationLink {
  label: string;
  to: string;
}

export interface NavigationGroup {
  label: string;
  links: readonly NavigationLink[];
}

/** This link and its group show a dot while the log has posts that the user has not seen. */
export const LOG_PATH = '/change-log';

export const NAVIGATION: readonly (NavigationLink | NavigationGroup)[] = [
  { label: 'AI Prediction', to: '/kat' },
  { label: 'Market Sim', to: '/market-simulator-v03' },
  // Before the groups: in the list of a narrow screen it would read as part of the last one.
  { label: 'Pricing', to: '/pricing' },
  {
    label: 'Research',
    links: [
      { label: 'Research', to: '/research' },
      { label: 'AI Models', to: '/ai-models' },
      { label: 'Track Record', to: '/track-record' },
      { label: 'Gallery', to: '/gallery' },
      { label: 'Change Log', to: LOG_PATH },
    ],
  },
  {
    label: 'About',
    links: [
      { label: 'About', to: '/about' },
      { label: 'YouTube', to: '/youtube' },
      { label: 'Legal', to: '/legal' },
    ],
  },
];

export const QUICK_LINKS: readonly NavigationLink[] = [
  { label: 'AI Prediction', to: '/kat' },
  { label: 'AI Models', to: '/ai-models' },
  { label: 'Pricing', to: '/pricing' },
  { label: 'Research', to: '/research' },
  { label: 'Track Record', to: '/track-record' },
  { label: 'Gallery', to: '/gallery' },
  { label: 'Change Log', to: LOG_PATH },
  { label: 'Market Sim', to: '/market-simulator-v03' },
  { label: 'About', to: '/about' },
  { label: 'YouTube', to: '/youtube' },
  { label: 'Legal', to: '/legal' },
];
