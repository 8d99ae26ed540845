import { computeAddress, id } from 'ethers';

/**
 * The fixed accounts of a development chain. Anybody can work out their keys: they are worth nothing anywhere else.
 * None of them is the account that the node itself signs for, which the faucet uses.
 */
export const DEV_RELAYER_KEY = id('development chain: relayer');
export const DEV_HOUSE_KEY = id('development chain: house');
/** Where fees and prices go. */
export const DEV_SERVICE_WALLET = computeAddress(id('development chain: service'));
