import { createElement } from './dom.js';

/**
 * Shows one part of each box, such as a language of an example, and remembers its title for all boxes of a kind. An
 * address with the anchor of a part shows that part. Arrow keys move between tabs.
 */

const LANGUAGES = 'Language';
const STEPS: { readonly [key: string]: number } = { ArrowRight: 1, ArrowLeft: -1 };

interface Tab {
  readonly title: string;
  readonly anchor: string;
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
}

interface Box {
  /** Label of the list of tabs. */
  readonly kind: string;
  readonly tabs: readonly Tab[];
}

const boxes = Array.from(document.querySelectorAll<HTMLElement>('.snippets'), makeTabs);

function makeTabs(box: HTMLElement, at: number): Box {
  const kind = box.dataset['kind'] ?? LANGUAGES;
  const list = createElement('div', '', { role: 'tablist', ariaLabel: kind });
  const tabs = Array.from(box.children as HTMLCollectionOf<HTMLElement>, panel => makeTab(kind, panel, at));
  list.append(...tabs.map(({ button }) => button));
  list.addEventListener('keydown', ({ key }) => {
    const from = tabs.findIndex(({ button }) => button === document.activeElement);
    const next = tabs[(from + (STEPS[key] ?? 0) + tabs.length) % tabs.length]!;
    if (!(key in STEPS)) return;
    choose(kind, next.title);
    next.button.focus();
  });
  box.prepend(list);
  return { kind, tabs };
}

function makeTab(kind: string, panel: HTMLElement, at: number): Tab {
  const heading = panel.querySelector('h3')!;
  const title = heading.textContent;
  const name = `${title.toLowerCase().replace(/\s/g, '-')}-${at}`;
  const button = createElement('button', title, { type: 'button', id: `tab-${name}`, role: 'tab' });
  Object.assign(panel, { id: `panel-${name}`, role: 'tabpanel' });
  button.setAttribute('aria-controls', panel.id);
  panel.setAttribute('aria-labelledby', button.id);
  heading.hidden = true;
  button.addEventListener('click', () => {
    choose(kind, title);
    localStorage.setItem(kind, title);
  });
  return { title, anchor: heading.id, button, panel };
}

/** A box without the title shows its first part. */
function choose(kind: string, title: string | null): void {
  for (const { tabs } of boxes.filter(box => box.kind === kind)) {
    const chosen = tabs.find(tab => tab.title === title) ?? tabs[0]!;
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.panel.hidden = !isChosen;
      tab.button.tabIndex = isChosen ? 0 : -1;
      tab.button.setAttribute('aria-selected', String(isChosen));
    }
  }
}

/** The hidden heading of a part cannot be scrolled to, so its box is. */
function showAnchor(): void {
  for (const { kind, tabs } of boxes)
    for (const { title, anchor, panel } of tabs)
      if (anchor !== '' && `#${anchor}` === location.hash) {
        choose(kind, title);
        panel.parentElement!.scrollIntoView();
      }
}

new Set(boxes.map(({ kind }) => kind)).forEach(kind => choose(kind, localStorage.getItem(kind)));
showAnchor();
addEventListener('hashchange', showAnchor);
