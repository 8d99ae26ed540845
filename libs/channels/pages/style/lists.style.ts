export const LISTS = `
.rows { list-style: none; margin: 0; padding: 0; }
.rows > li { border-top: 1px solid var(--line); padding: var(--space-4) 0; }
.rows > li:first-child { border-top: 0; }
.row { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 var(--space-4); }
:is(.row, .columns, .intro, .beside, .docs) > * { min-width: 0; }
.row > :first-child { flex: 1 1 12rem; }
.amount { color: var(--text); font-variant-numeric: tabular-nums; white-space: nowrap; font-weight: 600; }
.play-money .amount { text-decoration: underline dotted 1px var(--field); text-underline-offset: .3em; }
.said { white-space: pre-line; max-width: var(--measure); margin: var(--space-2) 0; }
.said-link { overflow-wrap: anywhere; }
.mark svg { width: 1em; height: 1em; display: inline; vertical-align: -0.125em; fill: var(--good); }
.mark path { fill: none; stroke: var(--ground); stroke-width: 2; }
.face { width: 2rem; height: 2rem; border-radius: 50%; background: var(--raised); flex: none; display: inline-block; vertical-align: middle; }
.person { display: flex; gap: var(--space-3); }
.person > div { flex: 1; min-width: 0; }
.everyone > * + *::before { content: ", "; }
.tags { list-style: none; margin: var(--space-1) 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-2); font-size: var(--text-s); }
.tags a { display: inline-block; padding: 0 var(--space-2); border: 1px solid var(--line); border-radius: 1rem; min-height: 24px; line-height: 22px; color: var(--quiet); }
.tags .good { border-color: transparent; background: var(--good-soft); color: var(--good); }
.card { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); padding: var(--space-3) var(--space-4); margin: var(--space-4) 0; }
.card > :first-child, .card > :first-child > h3 { margin-top: 0; }
.facts { margin: var(--space-3) 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(8.5rem, 100%), 1fr)); gap: var(--space-2) var(--space-4); }
.facts dt { color: var(--quiet); font-size: var(--text-s); }
.facts dd { margin: 0; }
.proof { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-8); }
.proof dd { font-weight: 600; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 var(--space-8); }
.intro { margin-block: var(--space-8) var(--space-4); }
.intro h1 { font-size: clamp(var(--text-xl), 5vw, var(--text-xxl)); line-height: 1.1; margin-block: 0 var(--space-6); }
.intro h2, .intro p { margin-block: 0 var(--space-1); }
.intro .columns { gap: var(--space-4); }
.intro .card { margin: 0; padding: var(--space-6); }
.intro .buttons { margin-block: var(--space-4) 0; }
.counts { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-6); color: var(--quiet); }
.counts strong { color: var(--text); }
.job { display: grid; align-items: baseline; gap: 0 var(--space-4); grid-template-columns: 6.5rem minmax(0, 1fr); }
.job > * { margin-block: 0; }
.job .brief { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; max-width: var(--measure); }
@media (max-width: 40rem) { .job { grid-template-columns: minmax(0, 1fr); } }
.beside { display: grid; gap: 0 var(--space-8); }
@media (min-width: 60rem) {
  .beside { grid-template-columns: minmax(0, 1fr) 20rem; align-items: start; }
  .beside > .card:first-child { grid-area: 1 / 2; }
  .beside > .card:first-child + * { grid-area: 1 / 1; }
  .beside:has(> :nth-child(3)) { grid-template-rows: auto 1fr; }
  .beside > .card:nth-child(2) { grid-area: 1 / 2 / span 2; }
  .beside > :nth-child(3) { grid-area: 2 / 1; }
}
.beside:has(> aside) { margin-top: var(--space-6); }
.beside:has(> aside) > div > section:first-child h2, .beside > aside.card { margin-top: 0; }
.texts h2 { margin-top: var(--space-4); }
.price { font-size: var(--text-l); font-weight: 650; }
.tabs, .more { display: flex; flex-wrap: wrap; gap: 0 var(--space-4); margin: var(--space-2) 0; }
.nested { margin-left: var(--space-4); padding-left: var(--space-3); border-left: 2px solid var(--line); }
.timeline { list-style: none; margin: var(--space-2) 0; padding: 0 0 0 var(--space-4); border-left: 2px solid var(--line); }
.timeline > li { position: relative; padding: var(--space-1) 0; }
.timeline > li::before { content: ""; position: absolute; left: calc(-1 * var(--space-4) - 6px); top: .7rem; width: 10px; height: 10px; border-radius: 50%;
  background: var(--quiet); }
.timeline > li.good::before { background: var(--good); }
.timeline > li.warn::before { background: var(--warn); }
.timeline > li.warn { color: inherit; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: var(--space-1) var(--space-3) var(--space-1) 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { overflow-wrap: break-word; }
th { color: var(--quiet); font-weight: 550; font-size: var(--text-s); }
@media (max-width: 40rem) {
  .members thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .members tr { display: block; border-bottom: 1px solid var(--line); padding: var(--space-2) 0; }
  .members td { display: block; border: 0; padding: 0; }
}
.docs { display: grid; gap: 0 var(--space-8); }
.side { margin-block: var(--space-4) 0; font-size: var(--text-s); }
.side ul { list-style: none; margin: 0; padding: 0; }
.side ul ul { padding-inline-start: var(--space-3); border-inline-start: 1px solid var(--line); }
.side a { padding-block: 2px; }
@media (min-width: 60rem) {
  .docs { grid-template-columns: 14rem minmax(0, 1fr); }
  .side { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-block: var(--space-4); margin: 0; }
  .side > summary { display: none; }
}
[role=tablist] { display: flex; flex-wrap: wrap; gap: 0 var(--space-2); border-bottom: 1px solid var(--line); }
[role=tab] { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; color: var(--quiet); }
[role=tab][aria-selected=true] { border-color: var(--accent); color: var(--text); }
figure { margin: 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: var(--space-3) var(--space-6); margin: var(--space-3) 0; }
.plot svg { display: block; width: 100%; height: auto; }
.plot strong { color: var(--text); }
.plot .ground { fill: var(--plot); opacity: .18; }
.plot .edge { fill: none; stroke: var(--plot); stroke-width: 1.5; }
figcaption { color: var(--quiet); font-size: var(--text-s); }
.fold { border-top: 1px solid var(--line); padding-block: var(--space-3); }
.fold > summary { font-weight: 600; min-height: 24px; }
.verdict p { margin-block: 0 var(--space-1); }
.checks { list-style: none; margin: var(--space-2) 0; padding: 0; }
.checks > li { border-top: 1px solid var(--line); padding: var(--space-2) 0; }
.checks .state { display: inline-block; min-width: 10.5rem; color: var(--quiet); font-size: var(--text-s); }
@media (max-width: 40rem) { .checks .state { min-width: 0; margin-inline-end: var(--space-2); } }
[data-state=holds] .state, #outcome:is([data-state=holds], [data-state=skipped]) { color: var(--good); }
#outcome { font-size: var(--text-l); font-weight: 650; }
#outcome .under { display: block; font-weight: 400; }
[data-state=broken] .state, #outcome[data-state=broken] { color: var(--warn); font-weight: 650; }
.because { color: var(--quiet); max-width: var(--measure); }
.because:empty, .compared:empty { display: none; }
summary { cursor: pointer; min-height: 24px; }
.day > summary { color: var(--quiet); min-height: 24px; }
.rows summary { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.compared { margin: var(--space-2) 0 var(--space-2) var(--space-4); font-size: var(--text-s); }
.compared dt { color: var(--quiet); }
.compared dd { margin: 0 0 var(--space-1); overflow-wrap: anywhere; }
`;
