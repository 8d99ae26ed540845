export const BASE = `
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
code, pre, .code { font: .875em/1.5 var(--mono); }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-3); margin: var(--space-2) 0;
  overflow-x: auto; overflow-wrap: normal; }
hr { border: 0; border-top: 1px solid var(--line); margin: var(--space-6) 0; }
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
