/** Keeps what the reader has typed into a form, in this tab, until the form is sent. */

const PREFIX = 'draft ';

const nameOf = ({ dataset }: HTMLFormElement) =>
  [PREFIX + location.pathname, dataset['path'], dataset['fixed']].join(' ');

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const isInput = (element: unknown): element is Input =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

export function keepDraft(form: HTMLFormElement): void {
  restoreDraft(form);
  form.addEventListener('input', () => {
    const texts: [string, string][] = [];
    new FormData(form).forEach((value, name) => typeof value === 'string' && texts.push([name, value]));
    sessionStorage.setItem(nameOf(form), JSON.stringify(texts));
  });
}

export const removeDraft = (form: HTMLFormElement): void => sessionStorage.removeItem(nameOf(form));

/** Opens the parts of a page with a draft. */
function restoreDraft(form: HTMLFormElement): void {
  const stored = sessionStorage.getItem(nameOf(form));
  if (stored === null) return;
  for (const [name, text] of JSON.parse(stored) as readonly (readonly [string, string])[]) {
    const input = form.elements.namedItem(name);
    if (!isInput(input) || input.value === text) continue;
    input.value = text;
    for (let part = input.closest('details'); part; part = part.parentElement!.closest('details')) part.open = true;
  }
  form.dispatchEvent(new Event('input'));
}
