/** Parts of the deliveries that other features use. */
export { DeliveryReader } from './delivery-reader.js';
export { DriftChecker } from './drift-checker.js';
export { ERASED } from './found-here.js';
export { unread } from './unread.js';
