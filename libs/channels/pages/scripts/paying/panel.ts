import type { Price } from '#libs/client/payer.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { RAILS } from '#libs/payments/rails.js';
import { createElement, createFact, element } from '#libs/channels/pages/scripts/dom.js';
import { type Provider, findWallets } from '#libs/channels/pages/scripts/wallet.js';

/** The script of `PaymentPanel`. Other pages get a panel once a request is resumed there. */
const panel = document.querySelector('.paying') ?? createPanel();
const yes = createElement('button', '', { id: 'paying-yes', type: 'button', className: 'main' });
const no = createElement('button', '', { id: 'paying-no', type: 'button' });
const buttons = createElement('p', '', { id: 'paying-buttons', hidden: true });
const asked = createElement('div', '', { id: 'paying-asked', hidden: true });
const offer = createElement('dl', '', { id: 'paying-offer', className: 'facts' });
const choice = createElement('select', '', { id: 'paying-wallet' });
const walletLabel = createElement('label', 'Pay with ', { id: 'paying-wallets' });
buttons.append(yes, ' ', no);
walletLabel.append(choice);
asked.append(offer, walletLabel);
panel.append(asked, buttons);

function createPanel(): Element {
  const place = createElement('div', '', { className: 'paying' });
  place.append(createElement('p', '', { id: 'paying-state', role: 'status', tabIndex: -1 }));
  element('notice').after(place);
  return place;
}

export function showStatus(sentence: string, ...more: readonly (Node | string)[]): void {
  const state = element('paying-state');
  state.replaceChildren(sentence, ...more);
  delete state.dataset['state'];
}

export const hideStatus = (): void => element('paying-state').replaceChildren();

/** Shows why a request failed and moves the focus there. */
export function showRefusal(sentence: string): void {
  const state = element('paying-state');
  state.textContent = sentence;
  state.dataset['state'] = 'refused';
  state.focus();
}

/** Moves the panel to the end of a form, beside its button. */
export const movePanel = (form: HTMLFormElement): void => form.append(panel);

/** Whether the reader presses the first of two buttons. */
export async function askChoice(first: string, second: string): Promise<boolean> {
  [yes.textContent, no.textContent] = [first, second];
  buttons.hidden = false;
  yes.focus();
  const pressed = await new Promise<boolean>(resolve => {
    yes.onclick = () => resolve(true);
    no.onclick = () => resolve(false);
  });
  buttons.hidden = true;
  return pressed;
}

/** Shows the offer and returns the wallet to pay with. Throws a sentence if it will not be paid. */
export async function confirmOffer({ amount, rail, payTo, description }: Price): Promise<Provider> {
  const { token, title } = RAILS.find(({ name }) => name === rail)!;
  const price = `${formatUsdAmount(amount)} ${token}`;
  const wallets = findWallets();
  if (wallets.length === 0) throw new Error(`This costs ${price} on ${title}, but this browser has no wallet.`);
  const facts = [
    ['You pay', price],
    ['On', title],
    ['To', payTo],
    ['For', description],
  ] as const;
  offer.replaceChildren(...facts.map(([name, value]) => createFact(name, value)));
  choice.replaceChildren(...wallets.map(({ name }, at) => createElement('option', name, { value: String(at) })));
  walletLabel.hidden = wallets.length === 1;
  asked.hidden = false;
  showStatus('Check the payment. Your wallet will ask you to confirm it.');
  const agreed = await askChoice(`Pay ${price}`, 'Do not pay');
  asked.hidden = true;
  if (!agreed) throw new Error('You did not pay. Nothing was signed.');
  showStatus('Confirm the payment in your wallet.');
  return wallets[Number(choice.value)]!.provider;
}
