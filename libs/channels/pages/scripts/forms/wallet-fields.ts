import { createElement, isPlayMoney } from '#libs/channels/pages/scripts/dom.js';
import { findWallets, WalletSigner } from '#libs/channels/pages/scripts/wallet.js';

/** A wallet of this browser that can say its address. */
interface AddressSource {
  readonly label: string;
  readonly find: () => Promise<string>;
}

async function playMoneyAddress(): Promise<string> {
  const { PlayMoneyWallet } = await import('#libs/channels/pages/scripts/play-money/wallet.js');
  return (await PlayMoneyWallet.loadOrCreate()).address;
}

const addressSources = (): readonly AddressSource[] =>
  isPlayMoney()
    ? [{ label: 'Use a play-money wallet', find: playMoneyAddress }]
    : findWallets().map(({ name, provider }) => ({
        label: `Use ${name}`,
        find: () => new WalletSigner(provider).getAddress(),
      }));

/** Adds buttons that fill the addresses of wallets in from the wallets of this browser. */
export function startWalletFields(): void {
  for (const input of Array.from(document.querySelectorAll<HTMLInputElement>('input[data-wallet]'))) {
    const buttons = addressSources().map(({ label, find }) => {
      const button = createElement('button', label, { type: 'button' });
      button.addEventListener('click', () => void fill(input, button, find));
      return button;
    });
    const row = createElement('p');
    row.append(...buttons);
    input.closest('label')!.after(row);
  }
}

async function fill(input: HTMLInputElement, button: HTMLButtonElement, find: () => Promise<string>): Promise<void> {
  button.disabled = true;
  button.parentElement!.querySelectorAll(':scope > .fault').forEach(fault => fault.remove());
  try {
    input.value = await find();
    input.dispatchEvent(new Event('input', { bubbles: true }));
  } catch (error) {
    button.after(createElement('span', (error as Error).message, { className: 'fault' }));
  }
  button.disabled = false;
}
