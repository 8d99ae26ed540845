/** Reads JSON that the service put into the head of the page; undefined without it. */
export function readPageData<T>(name: string): T | undefined {
  const text = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as T);
}

/** First line of signed messages. */
export const messageTag = (): string => readPageData<string>('message-tag') ?? '';

/** Whether the service runs on a development chain. */
export const isPlayMoney = (): boolean => readPageData<boolean>('play-money') ?? false;

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const node = document.getElementById(id);
  if (!node) throw new Error(`The page has no element ${id}.`);
  return node as T;
}

export const textAt = (id: string): string => element(id).textContent ?? '';

/** `textContent` never becomes markup. */
export const createElement = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = '',
  properties: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] => Object.assign(document.createElement(tag), { textContent: text }, properties);

/** A name and a value in a `dl`. */
export function createFact(name: string, value: string): HTMLElement {
  const row = createElement('div');
  row.append(createElement('dt', name), createElement('dd', value, { dir: 'auto' }));
  return row;
}
