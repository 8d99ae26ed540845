export const CHECKS = `
.checks { list-style: none; margin: .5rem 0; padding: 0; }
.checks > li { border-top: 1px solid var(--line); padding: .35rem 0; }
.checks .state { display: inline-block; min-width: 10.5rem; color: var(--quiet); font-size: .87rem; }
@media (max-width: 40rem) { .checks .state { min-width: 0; margin-inline-end: .35rem; } }
[data-state=holds] .state, #outcome[data-state=holds] { color: var(--mark); }
[data-state=broken] .state, #outcome[data-state=broken] { color: var(--warn); font-weight: 650; }
.because { color: var(--quiet); max-width: 46rem; }
.because:empty, .compared:empty { display: none; }
summary { cursor: pointer; min-height: 24px; }
.compared { margin: .35rem 0 .35rem 1rem; font-size: .87rem; }
.compared dt { color: var(--quiet); }
.compared dd { margin: 0 0 .25rem; overflow-wrap: anywhere; }
.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; overflow-x: visible; }
.steps label { display: block; margin: .5rem 0; max-width: 30rem; }
.steps label > span { display: block; color: var(--quiet); font-size: .87rem; }
.steps input:not([type=checkbox]), .steps textarea, .steps select { width: 100%; }
.paying { margin: .75rem 0; }
.paying .facts dd { overflow-wrap: anywhere; }
[hidden] { display: none !important; }
`;
