/** The style sheet of a forecast's documents. It is inside each of them, so that the first frame needs one response. */
import { PALETTES, type PicturePalette } from '#domain/picture/palettes.ts';
import { type PlotColour, plotStyle } from '#domain/share/plot-svg.ts';
import { FALLBACK_FACES, FALLBACK_FAMILIES } from './fallback-fonts.ts';

export interface SiteFonts {
  /** Paths on our origin; null while the site is not built. */
  text: string | null;
  figures: string | null;
}

/** As in web/ui/styles/tokens.css. */
const GROUNDS = { dark: '#0b0d10', light: '#f6f7f9' } as const;
const FILL = '#f2b441';
const ON_FILL = '#1b1302';

function variables(theme: 'dark' | 'light'): string {
  const palette: PicturePalette = PALETTES[theme];
  const named = Object.entries(palette).map(([name, value]) => `--${name}:${value}`);
  return [`color-scheme:${theme}`, `--ground:${GROUNDS[theme]}`, ...named].join(';');
}

function colourBlind(theme: 'dark' | 'light'): string {
  const { up, down } = PALETTES[`${theme}-cb`];
  return `--up:${up};--down:${down}`;
}

const THEMES = [
  `:root{${variables('dark')}}`,
  `@media (prefers-color-scheme:light){:root{${variables('light')}}}`,
  ...(['dark', 'light'] as const).flatMap((theme) => [
    `:root[data-theme=${theme}]{${variables(theme)}}`,
    `:root[data-theme=${theme}][data-palette=colour-blind]{${colourBlind(theme)}}`,
  ]),
].join('');

const PLOT = plotStyle((name: PlotColour) => `var(--${name})`, { pen: 1.1 });

function fontFaces({ text, figures }: SiteFonts): string {
  const face = (family: string, weights: string, url: string | null): string =>
    url === null
      ? ''
      : `@font-face{font-family:"${family}";font-display:swap;font-weight:${weights};src:url(${url}) format("woff2")}`;
  return face('Inter Variable', '100 900', text) + face('JetBrains Mono Variable', '100 800', figures);
}

const COMMON = `
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:400 1rem/1.5 "Inter Variable",${FALLBACK_FAMILIES},system-ui,-apple-system,"Segoe UI",sans-serif}
a{color:inherit}
h1,h2,p,figure,table,pre{margin:0}
svg{display:block}
.figures,td,.hash,.axis text{font-family:"JetBrains Mono Variable","JetBrains Mono Fallback",ui-monospace,"SF Mono",monospace;font-variant-numeric:tabular-nums}
.muted{color:var(--muted)}
.market{display:inline-block;padding:4px 12px;border-radius:6px;background:var(--text);color:var(--surface);font-weight:600;letter-spacing:.04em;text-transform:uppercase}
.plot{width:100%;height:auto;overflow:visible}
.plot.narrow{display:none}
.axis text{font-size:12px}
.panel{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:16px}
.sealed{display:grid;justify-items:center;gap:8px;padding:56px 16px;text-align:center;text-wrap:balance;border:1px dashed var(--muted)}
.sealed .opens{font-size:1.25rem;font-weight:600}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;color:var(--muted);font-size:.8125rem}
.key span{display:inline-flex;align-items:center;gap:6px}
.key svg{width:20px;height:12px}
`;

/** Dark on white in either theme, with the page's address in place of its controls. */
function printStyle(): string {
  const hidden = 'nav,#share,.row,summary,[data-result],details:not([open])';
  return `@media print{:root:root:root{${variables('light')};--ground:#fff;--surface:#fff}${hidden}{display:none!important}.two{grid-template-columns:1fr}.panel{border-color:var(--line);break-inside:avoid}.address{display:block;overflow-wrap:anywhere}}`;
}

const PAGE = `
.top,main,.foot{max-width:1136px;margin:0 auto;padding:0 24px}
.top{display:flex;align-items:center;gap:8px 24px;min-height:56px}
.home{display:inline-flex;align-items:center;gap:8px;font-weight:600;text-decoration:none}
.home svg{color:var(--accent)}
.top nav{display:flex;gap:8px 20px;margin-left:auto;font-size:.875rem}
.top nav a{color:var(--muted);text-decoration:none;padding:12px 0}
.top nav a:hover,.home:hover{color:var(--text)}
main{display:grid;gap:16px;padding-top:16px;padding-bottom:48px}
main>.market{justify-self:start;font-size:1.25rem}
h1{font-size:1.75rem;line-height:1.2;font-weight:600;letter-spacing:-.01em;text-wrap:balance}
h2{font-size:1rem;font-weight:600}
.head{display:grid;gap:4px}
.verdict{font-size:1.25rem;line-height:1.4;font-weight:500;text-wrap:balance}
.chart{display:grid;gap:12px}
.two{display:grid;gap:16px;grid-template-columns:1fr 1fr;align-items:start}
.stack{display:grid;gap:12px}
.hash{font-size:.75rem;overflow-wrap:anywhere}
.row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.row[hidden],button[hidden]{display:none}
[data-can~=run] .row[hidden]{display:flex;visibility:hidden}
[data-can~=run] button[data-verify],[data-can~=copy] button[data-copy],[data-can~=share] button[data-share]{display:inline-flex}
[data-can] button[hidden]{visibility:hidden}
button,select,.button{font-family:inherit;font-size:.875rem;font-weight:500;line-height:1;height:36px;padding:0 12px;border-radius:6px;border:1px solid var(--muted);background:transparent;color:var(--text);cursor:pointer;display:inline-flex;align-items:center;text-decoration:none}
button:hover,.button:hover{border-color:var(--text)}
.primary{background:${FILL};border-color:${FILL};color:${ON_FILL}}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
input[type=range]{flex:1;min-width:120px;accent-color:${FILL};height:36px;margin:0}
summary{cursor:pointer;font-size:.875rem;padding:8px 0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.8125rem}
th,td{padding:6px 8px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}
th{font-weight:500;color:var(--muted)}
pre{font:.75rem/1.5 "JetBrains Mono Variable","JetBrains Mono Fallback",ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;padding:12px;background:var(--ground);border-radius:6px}
.address{display:none}
.foot{padding-top:8px;padding-bottom:32px;color:var(--muted);font-size:.875rem}
@media (max-width:640px){.top,main,.foot{padding-left:16px;padding-right:16px}.two{grid-template-columns:1fr}.panel{padding:12px}h1{font-size:1.375rem}.verdict{font-size:1.0625rem}main>.market{font-size:1.0625rem}.plot.wide{display:none}.plot.narrow{display:block}button,select,.button,input[type=range]{height:44px}.top nav{gap:4px 14px}}
${printStyle()}
`;

const EMBED = `
body{background:var(--surface);padding:16px;display:grid;gap:8px;min-height:100vh;align-content:start}
h1{font-size:1rem;line-height:1.3;font-weight:600}
.line{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;justify-content:space-between}
.verdict{font-size:.9375rem;font-weight:500}
.market{font-size:.9375rem}
.small{font-size:.75rem;color:var(--muted)}
@media (max-width:480px){body{padding:12px}.plot.wide{display:none}.plot.narrow{display:block}}
`;

export function documentStyle(kind: 'page' | 'embed', fonts: SiteFonts): string {
  return [
    fontFaces(fonts),
    fonts.text === null ? '' : FALLBACK_FACES,
    THEMES,
    COMMON,
    PLOT,
    kind === 'page' ? PAGE : EMBED,
  ]
    .join('')
    .replaceAll('\n', '');
}
