import { FORMS } from './forms.style.js';
import { LISTS } from './lists.style.js';
import { SHELL } from './shell.style.js';

/** Design tokens. Text has a contrast of at least 4.5 to 1 on its ground (WCAG 2.2, 1.4.3). */
const TOKENS = `
:root { color-scheme: light dark;
  --ground: #fff; --surface: #fff; --raised: #f5f6f7; --text: #16191d; --quiet: #5a616b; --line: #e3e5e8; --field: #868d96; --rule: #b9bec5;
  --accent: #1b5bb0; --on-accent: #fff; --good: #1a6b3c; --good-soft: #e5f4ea; --warn: #9a3412; --warn-soft: #fbe9e0;
  --info-soft: #e7f0fa; --plot: #3d6f9e;
  --text-s: .8125rem; --text-m: .9375rem; --text-l: 1.0625rem; --text-xl: 1.625rem; --text-xxl: 2.5rem;
  --space-1: .25rem; --space-2: .5rem; --space-3: .75rem; --space-4: 1rem; --space-6: 1.5rem; --space-8: 2.5rem;
  --radius: .625rem; --radius-s: .375rem; --measure: 44rem; --page: 68rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  --mono: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #0f1113; --surface: #15181b; --raised: #1e2226; --text: #e9eaec; --quiet: #a0a7b0; --line: #2a2f35; --field: #767d86; --rule: #4d545c;
  --accent: #86b6f2; --on-accent: #0b1a2c; --good: #7fd1a0; --good-soft: #14291c; --warn: #f0a07a; --warn-soft: #3a2117;
  --info-soft: #17273a; --plot: #6d9cc9; } }
`;

const BASE = `
* { box-sizing: border-box; }
html { font: 16px/1.6 var(--sans); scroll-padding-top: var(--space-4); }
body { display: flex; flex-direction: column; min-height: 100vh; margin: 0; background: var(--ground); color: var(--text); font-size: var(--text-m); overflow-wrap: anywhere; }
main, .bar, footer > * { max-width: var(--page); margin-inline: auto; padding-inline: var(--space-4); }
main { flex: 1; width: 100%; padding-block-end: var(--space-8); }
h1 { font-size: var(--text-xl); line-height: 1.25; margin: var(--space-6) 0 var(--space-2); letter-spacing: -.02em; }
h2 { font-size: var(--text-l); line-height: 1.3; margin: var(--space-8) 0 var(--space-2); }
h3 { font-size: var(--text-m); margin: var(--space-4) 0 var(--space-1); }
p { margin-block: var(--space-1); text-wrap: pretty; }
h1, h2 { text-wrap: balance; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
nav a, .brand { display: inline-block; min-height: 24px; }
nav a, .title, .tags a, .who a { text-decoration: none; }
:where(.under, .aside, .quiet, .tags) a { color: inherit; text-decoration-color: var(--rule); }
nav a { color: var(--quiet); }
.title, .who, .who a { color: var(--text); }
.title { font-weight: 600; }
.who { font-weight: 500; }
.title .who { font-weight: inherit; }
a:hover { text-decoration: underline; text-decoration-color: currentColor; }
[aria-current] { color: var(--text); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: var(--radius-s); }
code, pre { font: .875em/1.5 var(--mono); }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-3); margin: var(--space-2) 0;
  overflow-x: auto; overflow-wrap: normal; }
.skip, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:is(pre, .side a, .rows summary, #own-name):focus-visible { outline-offset: -2px; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; }
.lead { color: var(--quiet); max-width: var(--measure); }
.quiet, .under, .aside, .gone, .empty { color: var(--quiet); }
.under, .aside { font-size: var(--text-s); }
.gone { font-style: italic; }
.empty { border: 1px dashed var(--line); border-radius: var(--radius); padding: var(--space-3) var(--space-4); margin: var(--space-2) 0; }
.aside a:has(time) { text-decoration: none; display: inline-block; min-height: 24px; }
.aside a:hover { text-decoration: underline; }
.warn { color: var(--warn); }
[hidden] { display: none !important; }
`;

export const STYLE = [TOKENS, BASE, SHELL, LISTS, FORMS].map(text => text.trim()).join('\n');
