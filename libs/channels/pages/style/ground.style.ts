export const GROUND = `
* { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0 1.25rem; align-items: baseline; padding-top: .75rem; padding-bottom: .75rem; }
header .brand { font-weight: 650; color: var(--text); text-decoration: none; }
header .play-money { flex-basis: 100%; margin: 0; }
header nav { display: flex; flex-wrap: wrap; gap: 0 1rem; }
main { padding-bottom: 2rem; border-top: 1px solid var(--line); }
footer { border-top: 1px solid var(--line); padding-top: .75rem; padding-bottom: 2rem; color: var(--quiet); }
footer nav { display: flex; flex-wrap: wrap; gap: 0 1rem; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 1.25rem 0 .25rem; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .25rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
nav a, .brand { display: inline-block; min-height: 24px; line-height: 24px; }
nav a, .title, .tags a, .who a { text-decoration: none; }
a:hover { text-decoration: underline; }
[aria-current] { color: var(--text); font-weight: 600; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre, .code { font: .87em/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: .6rem .75rem; overflow-x: auto;
  overflow-wrap: normal; }
.skip, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; }
.lead { color: var(--quiet); max-width: 46rem; }
.quiet, .under, .aside, .gone, .empty { color: var(--quiet); }
.gone, .empty { font-style: italic; }
.warn { color: var(--warn); }
`;
