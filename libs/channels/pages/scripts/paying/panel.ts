import type { Price } from '#libs/client/payer.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { RAILS } from '#libs/payments/rails.js';
import { element, createElement } from '../dom.js';
import { type Provider, findWallets } from '../wallet/provider.js';

/** The part of a page that says how a request goes, and asks its reader (`Paying` in libs/channels/pages/paying). */
const [yes, no] = [element<HTMLButtonElement>('paying-yes'), element<HTMLButtonElement>('paying-no')];
const choice = element<HTMLSelectElement>('paying-wallet');

export function showStatus(sentence: string, ...more: readonly (Node | string)[]): void {
  element('paying-state').replaceChildren(sentence, ...more);
}

/** Whether the reader presses the first of two buttons. */
export async function askChoice(first: string, second: string): Promise<boolean> {
  [yes.textContent, no.textContent] = [first, second];
  const buttons = element('paying-buttons');
  buttons.hidden = false;
  yes.focus();
  const pressed = await new Promise<boolean>(resolve => {
    yes.onclick = () => resolve(true);
    no.onclick = () => resolve(false);
  });
  buttons.hidden = true;
  return pressed;
}

/** Shows what is about to be paid. Answers the wallet to pay it with; throws a sentence where it is not to be paid. */
export async function confirmOffer({ amount, rail, payTo, description }: Price): Promise<Provider> {
  const { token, short } = RAILS.find(({ name }) => name === rail)!;
  const price = `${formatUsdAmount(amount)} ${token}`;
  const found = findWallets();
  if (found.length === 0) throw new Error(`This costs ${price} on ${short}, and no wallet is in this browser.`);
  const facts = [
    ['You pay', price],
    ['On', short],
    ['To', payTo],
    ['For', description],
  ] as const;
  element('paying-offer').replaceChildren(...facts.map(([name, value]) => factRow(name, value)));
  choice.replaceChildren(
    ...found.map(({ name }, at) => Object.assign(createElement('option', name), { value: String(at) })),
  );
  element('paying-wallets').hidden = found.length === 1;
  element('paying-asked').hidden = false;
  showStatus('Look at what you are about to pay. Your wallet asks you then.');
  const agreed = await askChoice(`Pay ${price}`, 'Do not pay');
  element('paying-asked').hidden = true;
  if (!agreed) throw new Error('You have not paid, and nothing was signed.');
  showStatus('Your wallet asks you.');
  return found[Number(choice.value)]!.provider;
}

function factRow(name: string, value: string): HTMLElement {
  const row = createElement('div');
  row.append(createElement('dt', name), createElement('dd', value));
  return row;
}
