import { FORMS } from './forms.style.js';
import { LISTS } from './lists.style.js';
import { SHELL } from './shell.style.js';

/** Design tokens. Text has a contrast of at least 4.5 to 1 on its ground (WCAG 2.2, 1.4.3). */
const TOKENS = `
:root { color-scheme: light dark;
  --ground: #fbfbf9; --surface: #fff; --raised: #f1f1ed; --text: #1c1d1f; --quiet: #595d63; --line: #dddcd5; --field: #85888e;
  --accent: #0b57a4; --on-accent: #fff; --good: #17633a; --good-soft: #e2f2e8; --warn: #9a3412; --warn-soft: #fbe9e0;
  --info-soft: #e3edf8; --plot: #3d6f9e;
  --text-s: .8125rem; --text-m: 1rem; --text-l: 1.1875rem; --text-xl: 1.5625rem; --text-xxl: 2.125rem;
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-6: 1.5rem; --space-8: 2.25rem;
  --radius: .5rem; --radius-s: .25rem; --measure: 46rem; --page: 68rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  --mono: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #131416; --surface: #191b1e; --raised: #22252a; --text: #e6e6e2; --quiet: #a6aab0; --line: #33363b; --field: #7d8289;
  --accent: #8ab8f0; --on-accent: #0d1b2c; --good: #86d3a5; --good-soft: #16301f; --warn: #f0a07a; --warn-soft: #3a2117;
  --info-soft: #1a2a3d; --plot: #6d9cc9; } }
`;

const BASE = `
* { box-sizing: border-box; }
html { font: 16px/1.55 var(--sans); scroll-padding-top: var(--space-4); }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
main, .bar, footer > * { max-width: var(--page); margin-inline: auto; padding-inline: var(--space-4); }
main { padding-block-end: var(--space-8); min-height: 60vh; }
h1 { font-size: var(--text-xl); line-height: 1.25; margin: var(--space-6) 0 var(--space-2); letter-spacing: -.01em; }
h2 { font-size: var(--text-l); line-height: 1.3; margin: var(--space-8) 0 var(--space-2); }
h3 { font-size: var(--text-m); margin: var(--space-4) 0 var(--space-1); }
p { margin-block: var(--space-1); text-wrap: pretty; }
h1, h2 { text-wrap: balance; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
nav a, .brand { display: inline-block; min-height: 24px; }
nav a, .title, .tags a, .who a { text-decoration: none; }
a:hover { text-decoration: underline; }
[aria-current] { color: var(--text); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: var(--radius-s); }
code, pre { font: .875em/1.5 var(--mono); }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-3); margin: var(--space-2) 0;
  overflow-x: auto; overflow-wrap: normal; }
.skip, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; }
.lead { color: var(--quiet); max-width: var(--measure); }
.quiet, .under, .aside, .gone, .empty { color: var(--quiet); }
.under, .aside { font-size: var(--text-s); }
.gone { font-style: italic; }
.empty { border: 1px dashed var(--line); border-radius: var(--radius); padding: var(--space-3) var(--space-4); margin: var(--space-2) 0; }
.aside a:has(time) { color: inherit; text-decoration: none; display: inline-block; min-height: 24px; }
.aside a:hover { text-decoration: underline; }
.warn { color: var(--warn); }
[hidden] { display: none !important; }
`;

export const STYLE = [TOKENS, BASE, SHELL, LISTS, FORMS].map(text => text.trim()).join('\n');
