export { DeliveryReader } from './delivery-reader.js';
export { DriftChecker } from './drift-checker.js';
export { ERASED_CONTENT, unreadReason } from './delivery-content.js';
