/** What the service has put into the head of a page for its scripts, as JSON; undefined where it has not. */
export function readPageData<T>(name: string): T | undefined {
  const text = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as T);
}

/** An element that the page is written with. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found as T;
}

export const textAt = (id: string): string => element(id).textContent ?? '';

/** An element with a text, which is never read as anything else. */
export function createElement<K extends keyof HTMLElementTagNameMap>(tag: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
