import { createElement } from './dom.js';

/** Shows one language of each example, in all examples of the page, and remembers it. Arrow keys move between tabs. */

const NAME = 'language';
const STEPS: { readonly [key: string]: number } = { ArrowRight: 1, ArrowLeft: -1 };

interface Tab {
  readonly language: string;
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
}

const boxes = Array.from(document.querySelectorAll<HTMLElement>('.snippets'), makeTabs);

function makeTabs(box: HTMLElement, at: number): readonly Tab[] {
  const list = createElement('div', '', { role: 'tablist', ariaLabel: 'Language' });
  const tabs = Array.from(box.children as HTMLCollectionOf<HTMLElement>, panel => makeTab(panel, at));
  list.append(...tabs.map(({ button }) => button));
  list.addEventListener('keydown', ({ key }) => {
    const from = tabs.findIndex(({ button }) => button === document.activeElement);
    const next = tabs[(from + (STEPS[key] ?? 0) + tabs.length) % tabs.length]!;
    if (!(key in STEPS)) return;
    choose(next.language);
    next.button.focus();
  });
  box.prepend(list);
  return tabs;
}

function makeTab(panel: HTMLElement, at: number): Tab {
  const heading = panel.querySelector('h3')!;
  const language = heading.textContent;
  const name = `${language.toLowerCase()}-${at}`;
  const button = createElement('button', language, { type: 'button', id: `tab-${name}`, role: 'tab' });
  Object.assign(panel, { id: `panel-${name}`, role: 'tabpanel' });
  button.setAttribute('aria-controls', panel.id);
  panel.setAttribute('aria-labelledby', button.id);
  heading.hidden = true;
  button.addEventListener('click', () => {
    choose(language);
    localStorage.setItem(NAME, language);
  });
  return { language, button, panel };
}

/** An example without the language shows its first one. */
function choose(language: string | null): void {
  for (const tabs of boxes) {
    const chosen = tabs.find(tab => tab.language === language) ?? tabs[0]!;
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.panel.hidden = !isChosen;
      tab.button.tabIndex = isChosen ? 0 : -1;
      tab.button.setAttribute('aria-selected', String(isChosen));
    }
  }
}

choose(localStorage.getItem(NAME));
