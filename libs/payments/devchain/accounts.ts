import { id } from 'ethers/hash';

/**
 * The fixed accounts of a development chain. Anybody can work out their keys: they are worth nothing anywhere else.
 * None of them is the account that the node itself signs for, which the faucet uses.
 */
export const DEV_RELAYER_KEY = id('development chain: relayer');
export const DEV_HOUSE_KEY = id('development chain: house');
/** Where fees and prices go. Written out, because working it out would take a start some 70 ms. */
export const DEV_SERVICE_KEY = id('development chain: service');
export const DEV_SERVICE_WALLET = '0x2C9649B8c12f437f4f007b736aE7c13E327763dC';
