export { DeliveryReader } from './delivery-reader.js';
export { DriftChecker } from './drift-checker.js';
export { ERASED_CONTENT } from './internal-delivery.js';
export { unreadReason } from './unread-reason.js';
