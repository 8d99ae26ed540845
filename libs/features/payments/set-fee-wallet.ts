import { FeeWalletSet, Service } from '#libs/domain/service.js';
import { defineServiceCommand, type ServiceCommands } from '#libs/endpoints/service-commands.js';
import type { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { RailName } from '#libs/values/schemas.js';

/** Names a wallet that gets fees, so that auditors know the payee of each fee. */
export const setFeeWallet = defineServiceCommand('set-fee-wallet', {
  reason: 'a wallet that gets the fees of the service',
  events: [FeeWalletSet],
  causes: ['fee-wallet/<rail>/<wallet>'],
  writes: () => Service.source(),
  decide: ({ feeWallets }, _reads, { rail, wallet }: { readonly rail: RailName; readonly wallet: string }) =>
    feeWallets.some(known => known.rail === rail && known.wallet === wallet) ? [] : [FeeWalletSet({ rail, wallet })],
});

/** Call it before the service takes requests. */
export async function nameFeeWallets(commands: ServiceCommands, settings: PaymentSettings): Promise<void> {
  const wallet = settings.serviceWallet;
  for (const { name: rail } of settings.rails)
    await commands.execute(setFeeWallet, { rail, wallet }, { cause: `fee-wallet/${rail}/${wallet}` });
}
