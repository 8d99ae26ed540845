export const FORMS = `
input, select, button, textarea { font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--field);
  border-radius: var(--radius-s); padding: var(--space-1) var(--space-2); min-height: 2.25rem; max-width: 100%; }
textarea { display: block; }
input[type=checkbox] { min-height: 1.25rem; width: 1.25rem; accent-color: var(--accent); }
button, .button { display: inline-flex; align-items: center; padding: var(--space-1) var(--space-3); border: 1px solid var(--rule); border-radius: var(--radius-s);
  background: var(--surface); color: var(--text); cursor: pointer; text-decoration: none; min-height: 2.25rem; font-weight: 600; }
button:hover, .button:hover { border-color: var(--accent); text-decoration: none; }
button.main, .button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button[disabled] { opacity: .6; cursor: default; }
.filters { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: end; margin: var(--space-3) 0; }
.filters label { display: flex; flex-direction: column; font-size: var(--text-s); color: var(--quiet); min-width: 0; }
@media (max-width: 40rem) {
  .filters label:not(.flag) { flex: 1 1 8rem; }
  .filters :is(input:not([type=checkbox]), select) { width: 100%; }
}
.filters :is(input, select) { font-size: var(--text-m); }
.filters label:only-of-type:has([type=search]) { flex: 0 1 26rem; }
.filters label:only-of-type [type=search] { width: 100%; }
.filters details { order: 1; flex: 1 0 100%; }
.filters details[open]::details-content { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: end; }
.filters summary { color: var(--quiet); font-size: var(--text-s); }
.filters .flag { flex-direction: row; gap: var(--space-2); align-items: center; min-height: 2.25rem; }
.steps label { display: block; margin: var(--space-3) 0; max-width: 34rem; }
.steps label > span { display: block; font-weight: 550; }
.steps label > small { display: block; color: var(--quiet); font-size: var(--text-s); }
.steps label.flag { display: flex; gap: var(--space-2); align-items: center; }
.steps input:not([type=checkbox]), .steps textarea, .steps select { width: 100%; }
.steps [aria-invalid=true] { border-color: var(--warn); outline: 1px solid var(--warn); }
.fault { display: block; color: var(--warn); font-size: var(--text-s); }
.needed { color: var(--warn); }
.action { margin: var(--space-2) 0; }
.action summary.button { list-style: none; }
.aside a { display: inline-block; min-height: 24px; line-height: 24px; }
details > summary.button { margin-block: var(--space-2); }
:is(.acts, .buttons) summary.button { margin-block: 0; }
.acts { display: flex; flex-wrap: wrap; gap: 0 var(--space-4); font-size: var(--text-s); }
.acts > a, .acts summary.button, .acts > .action > form > button { display: inline-block; border: 0; background: none; padding: 0; min-height: 24px; color: var(--quiet);
  font: inherit; text-decoration: none; }
.acts > a:hover, .acts summary:hover { text-decoration: underline; }
.acts button { min-height: 1.75rem; margin: var(--space-1) var(--space-1) 0 0; padding: 0 var(--space-2); font-size: var(--text-s); }
.buttons { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: start; margin: var(--space-4) 0; }
#next-step { margin-block: var(--space-3); }
.buttons:not(:has(> :not([hidden]))) { display: none; }
:is(.buttons, .acts) > .action, :is(.buttons, .acts) > .action > * { display: contents; }
:is(.buttons, .acts) > .action > details::details-content { display: none; }
:is(.buttons, .acts) > .action > details[open]::details-content { display: block; flex: 0 0 100%; order: 1; }
:is(.buttons, .acts) > .action > form > .paying { flex: 0 0 100%; order: 1; }
.steps > details > summary { color: var(--accent); }
.programs { font-size: var(--text-s); margin: var(--space-2) 0; }
.programs > summary { color: var(--quiet); min-height: 24px; }
.paying { margin: var(--space-3) 0; }
.paying .facts dd { overflow-wrap: anywhere; }
#paying-offer { grid-template-columns: repeat(auto-fill, minmax(min(23rem, 100%), 1fr)); }
#paying-buttons { display: flex; flex-wrap: wrap; gap: var(--space-2); }
#paying-state:not([data-state=refused]) { color: var(--quiet); }
#paying-state:empty { margin: 0; }
#paying-state:focus { outline: none; }
#paying-state[data-state=refused] { color: var(--warn); }
.copyable { display: flex; align-items: start; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); margin: var(--space-2) 0; }
.copyable > pre { flex: 1; min-width: 0; border: 0; margin: 0; }
.copyable > button { margin: var(--space-2); min-height: 1.75rem; padding: 0 var(--space-2); font-size: var(--text-s); }
`;
