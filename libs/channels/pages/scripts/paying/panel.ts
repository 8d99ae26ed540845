import type { PaymentSigner, Price } from '#libs/client/payer.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { RAILS } from '#libs/payments/rails.js';
import { formatTime } from '#libs/channels/pages/elements/formats.js';
import { createElement, createFact, element, isPlayMoney } from '#libs/channels/pages/scripts/dom.js';
import { findWallets, WalletSigner } from '#libs/channels/pages/scripts/wallet.js';

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

/** Asks with inputs of the reader above the buttons. */
export async function askWith(inputs: HTMLElement, first: string, second: string): Promise<boolean> {
  buttons.before(inputs);
  const answer = askChoice(first, second);
  inputs.querySelector('input')?.focus();
  return answer.finally(() => inputs.remove());
}

/** Shows the offer and returns the wallet to pay with. Throws a sentence if it will not be paid. */
export async function confirmOffer(price: Price): Promise<PaymentSigner> {
  const { token, title } = RAILS.find(({ name }) => name === price.rail)!;
  const amount = `${formatUsdAmount(price.amount)} ${token}`;
  const facts = [
    ['You pay', amount],
    ['On', title],
    ['To', price.payTo],
    ['For', price.description],
  ] as const;
  offer.replaceChildren(...facts.map(([name, value]) => createFact(name, value)));
  if (price.heldUntil !== null) offer.append(createDeadline(price.heldUntil));
  walletLabel.hidden = true;
  asked.hidden = false;
  try {
    return await (isPlayMoney() ? payWithPlayMoney(amount) : payWithExtension(amount, title));
  } finally {
    asked.hidden = true;
  }
}

const ESCROW_NOTE =
  ' at most. You sign that the money moves into an escrow contract. From there the service can only send it to the ' +
  'worker or back to you. Afterwards you can take it back yourself.';

function createDeadline(seconds: number): HTMLElement {
  const fact = createFact('Held until', ESCROW_NOTE);
  const at = seconds * SECOND_MS;
  fact.lastElementChild!.prepend(createElement('time', formatTime(at), { dateTime: new Date(at).toISOString() }));
  return fact;
}

const DO_NOT_PAY = 'Do not pay';
const NOT_PAID = 'You did not pay. Nothing was signed.';

async function askToPay(amount: string): Promise<void> {
  if (!(await askChoice(`Pay ${amount}`, DO_NOT_PAY))) throw new Error(NOT_PAID);
}

async function payWithExtension(amount: string, chain: string): Promise<PaymentSigner> {
  const wallets = findWallets();
  if (wallets.length === 0) throw new Error(`This costs ${amount} on ${chain}, but this browser has no wallet.`);
  choice.replaceChildren(...wallets.map(({ name }, at) => createElement('option', name, { value: String(at) })));
  walletLabel.hidden = wallets.length === 1;
  showStatus('Check the payment. Your wallet will ask you to confirm it.');
  await askToPay(amount);
  showStatus('Confirm the payment in your wallet.');
  return new WalletSigner(wallets[Number(choice.value)]!.provider);
}

/** Other wallets are not asked on a development chain: their signatures would also move money on the real chain. */
async function payWithPlayMoney(amount: string): Promise<PaymentSigner> {
  const { PlayMoneyWallet } = await import('#libs/channels/pages/scripts/play-money/wallet.js');
  const wallet = (await PlayMoneyWallet.load()) ?? (await offerPlayMoney(() => PlayMoneyWallet.create()));
  showStatus('Check the payment. Your play-money wallet signs it in this browser.');
  await askToPay(amount);
  return wallet;
}

async function offerPlayMoney<W>(create: () => Promise<W>): Promise<W> {
  showStatus('You need a wallet to pay. No money here is real: make one in this browser, with 1,000 of each token.');
  if (!(await askChoice('Use a play-money wallet', DO_NOT_PAY))) throw new Error(NOT_PAID);
  showStatus('Filling the wallet.');
  return create();
}
