import { id } from 'ethers/hash';

/** Public test accounts. The faucet instead uses the account that the node signs for. */
export const DEV_RELAYER_KEY = id('development chain: relayer');
export const DEV_HOUSE_KEY = id('development chain: house');
export const DEV_SERVICE_KEY = id('development chain: service');
/** Address of `DEV_SERVICE_KEY`. Written out, because computing it would delay a start by 70 ms. */
export const DEV_SERVICE_WALLET = '0x2C9649B8c12f437f4f007b736aE7c13E327763dC';
/** Key that owns `DEV_SMART_WALLET`. */
export const DEV_SMART_WALLET_KEY = id('development chain: smart wallet');
/** Contract wallet on Base, deployed at each start. */
export const DEV_SMART_WALLET = '0xE5FE3454Dea0FCc613f19Dda916De63ed6D14086';
