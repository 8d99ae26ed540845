/** The style of the page: one column of text beside a list of operations, in the colours that the reader prefers. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --get: #2a7; --post: #47c; }
* { box-sizing: border-box; }
body { margin: 0; display: flex; font: 15px/1.5 system-ui, sans-serif; }
nav { width: 19rem; height: 100vh; position: sticky; top: 0; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); flex: none; }
nav ul { list-style: none; margin: 0 0 .8rem; padding: 0; font-size: 13px; }
nav p { margin: .6rem 0 .2rem; font-weight: 600; }
nav a { color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
main { flex: 1; min-width: 0; max-width: 62rem; padding: 1rem 2rem 6rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { margin: 0 0 .3rem; font: 600 15px ui-monospace, monospace; }
h4 { margin: .8rem 0 .2rem; font-size: 13px; }
section { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; scroll-margin-top: 1rem; }
b.get, b.post { text-transform: uppercase; font: 700 11px ui-monospace, monospace; }
b.get { color: var(--get); }
b.post { color: var(--post); }
i { font-style: normal; font-size: 12px; border: 1px solid var(--line); border-radius: 9px; padding: 1px 8px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; display: block; overflow-x: auto; }
td, th { text-align: left; vertical-align: top; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); }
code, pre { font: 12.5px/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: 0 3px; overflow-wrap: anywhere; }
pre { padding: .7rem; overflow-x: auto; }
small { opacity: .65; }
summary { cursor: pointer; font-size: 13px; font-weight: 600; margin: .4rem 0; }
@media (max-width: 50rem) { body { display: block; } nav { width: auto; height: auto; position: static; } main { padding: 1rem; } }
`;
