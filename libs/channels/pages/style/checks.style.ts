export const CHECKS = `
.checks { list-style: none; margin: var(--space-2) 0; padding: 0; }
.checks > li { border-top: 1px solid var(--line); padding: var(--space-2) 0; }
.checks .state { display: inline-block; min-width: 10.5rem; color: var(--quiet); font-size: var(--text-s); }
@media (max-width: 40rem) { .checks .state { min-width: 0; margin-inline-end: var(--space-2); } }
[data-state=holds] .state, #outcome[data-state=holds] { color: var(--good); }
#outcome { font-size: var(--text-l); font-weight: 650; }
#outcome[data-state=untold] { color: var(--warn); }
[data-state=broken] .state, #outcome[data-state=broken] { color: var(--warn); font-weight: 650; }
.because { color: var(--quiet); max-width: var(--measure); }
.because:empty, .compared:empty { display: none; }
summary { cursor: pointer; min-height: 24px; }
.rows summary { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.compared { margin: var(--space-2) 0 var(--space-2) var(--space-4); font-size: var(--text-s); }
.compared dt { color: var(--quiet); }
.compared dd { margin: 0 0 var(--space-1); overflow-wrap: anywhere; }
`;
