/** What the pictures of measurements share: colours for light and dark readers, and text made safe for XML. */

export const PLOT_STYLE = `
  svg { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; --ground: #fff; --ink: #1b1f24; --soft: #59636e; --rule: #d1d9e0; --a: #0550ae; --b: #a04100; --c: #6639ba; }
  @media (prefers-color-scheme: dark) { svg { --ground: #0d1117; --ink: #e6edf3; --soft: #9198a1; --rule: #3d444d; --a: #79c0ff; --b: #ffa657; --c: #d2a8ff; } }
  .ground { fill: var(--ground); } text { fill: var(--ink); } .soft { fill: var(--soft); } .rule { stroke: var(--rule); }
  .heading { font-size: 17px; font-weight: 600; } .panel { font-weight: 600; }
  .line { fill: none; stroke-width: 2; } .bound { stroke-dasharray: 5 4; stroke-width: 1.25; }
  .a { stroke: var(--a); } .b { stroke: var(--b); } .c { stroke: var(--c); } .n { stroke: var(--soft); }
  .fill-a { fill: var(--a); } .fill-b { fill: var(--b); } .fill-c { fill: var(--c); } .fill-n { fill: var(--soft); }
`;

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
