export const LISTS = `
.rows { list-style: none; margin: 0; padding: 0; }
.rows > li { border-top: 1px solid var(--line); padding: .5rem 0; }
.row { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
.row > * { min-width: 0; }
.title { font-weight: 600; }
.amount { font-variant-numeric: tabular-nums; white-space: nowrap; }
.said { white-space: pre-line; max-width: 46rem; margin: .35rem 0; }
.said-link { overflow-wrap: anywhere; }
.mark svg { width: 1em; height: 1em; vertical-align: -0.125em; fill: var(--mark); }
.mark path { fill: none; stroke: var(--ground); stroke-width: 2; }
.everyone > * + *::before { content: ", "; }
.tags { list-style: none; margin: .15rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem .4rem; font-size: .87rem; }
.tags a { display: inline-block; padding: 0 .4rem; background: var(--raised); border-radius: 3px; min-height: 24px; }
.facts { margin: .75rem 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: .4rem 1.25rem; }
.facts dt { color: var(--quiet); font-size: .87rem; }
.facts dd { margin: 0; }
.numbers .facts { grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); }
.numbers dd { font-size: 1.3rem; font-variant-numeric: tabular-nums; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 2.5rem; }
.columns > * { min-width: 0; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .75rem 0; }
.filters label { display: flex; flex-direction: column; font-size: .87rem; color: var(--quiet); min-width: 0; }
.filters .flag { flex-direction: row; gap: .4rem; align-items: center; min-height: 2rem; }
input, select, button, textarea { font: inherit; color: var(--text); background: var(--ground); border: 1px solid var(--quiet);
  border-radius: 4px; padding: .2rem .5rem; min-height: 2rem; max-width: 100%; }
input[type=checkbox] { min-height: 1.25rem; width: 1.25rem; }
button { background: var(--raised); cursor: pointer; }
.tabs, .more { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: .5rem 0; }
.nested { margin-left: 1rem; padding-left: .75rem; border-left: 2px solid var(--line); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 500; font-size: .87rem; }
@media (max-width: 40rem) {
  .members thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .members tr { display: block; border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .members td { display: block; border: 0; padding: 0; }
}
figure { margin: 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: .75rem 1.25rem; margin: .75rem 0; }
.plot strong { color: var(--text); }
.plot .ground { fill: var(--plot); opacity: .18; }
.plot .edge { fill: none; stroke: var(--plot); stroke-width: 1.5; }
figcaption { color: var(--quiet); font-size: .87rem; }
svg { display: block; width: 100%; height: auto; }
`;
