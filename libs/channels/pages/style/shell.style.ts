/** Header, menu and footer. Below 48rem the menu is a popover that a button opens. */
export const SHELL = `
header { border-bottom: 1px solid var(--line); background: var(--surface); }
.bar { display: flex; align-items: center; gap: var(--space-2) var(--space-4); min-height: 3.5rem; }
.brand { display: flex; align-items: center; gap: var(--space-2); font-weight: 650; color: var(--text); text-decoration: none; white-space: nowrap; }
.brand svg { width: 1.5rem; height: 1.5rem; flex: none; }
.menu { display: flex; flex: 1; align-items: center; gap: var(--space-2) var(--space-4); position: static; inset: auto; margin: 0; padding: 0; border: 0;
  width: auto; background: none; color: inherit; overflow: visible; }
.menu nav { display: flex; align-items: center; gap: var(--space-1) var(--space-4); }
.menu .search { flex: 1; max-width: 16rem; margin-left: auto; display: flex; }
.menu .search input { width: 100%; }
.menu .own { white-space: nowrap; }
.menu-button { display: none; margin-left: auto; flex: none; }
.menu-button[data-unread]::after { content: "●"; color: var(--warn); margin-inline-start: var(--space-1); font-size: var(--text-s); }
.badge { display: inline-block; font-size: var(--text-s); font-weight: 600; line-height: 1.5; padding: 0 var(--space-2); border-radius: 1rem;
  background: var(--raised); color: var(--quiet); white-space: nowrap; }
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.play { background: none; outline: 1px dashed var(--rule); outline-offset: -1px; font-weight: 500; }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.info { background: var(--info-soft); color: var(--accent); }
.count { background: var(--warn); color: var(--ground); border-radius: 1rem; padding: 0 .4em; font-size: var(--text-s); font-weight: 650; }
footer { border-top: 1px solid var(--line); padding: var(--space-4) 0 var(--space-8); color: var(--quiet); font-size: var(--text-s); }
footer nav { display: flex; flex-wrap: wrap; gap: 0 var(--space-4); }
#notice { margin: var(--space-4) 0 0; padding: var(--space-2) var(--space-3); border-radius: var(--radius-s); background: var(--good-soft); color: var(--good); cursor: pointer; }
#own-name { display: inline-block; max-width: 10rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
@media (max-width: 60rem) {
  .bar { gap: var(--space-2); }
  .menu-button { display: inline-block; }
  .menu:not(:popover-open) { display: none; }
  .menu:popover-open { flex-direction: column; align-items: stretch; position: fixed; inset: 3.5rem 0 auto 0; width: 100%; padding: var(--space-4);
    background: var(--surface); border-bottom: 1px solid var(--line); box-shadow: 0 .5rem 1rem #0003; }
  .menu nav { flex-direction: column; align-items: stretch; }
  .menu nav a { padding: var(--space-1) 0; }
  .menu .search { max-width: none; margin: 0; }
}
`;
